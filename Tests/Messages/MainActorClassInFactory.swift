// The initialiser is isolated to the main actor, and the factory is not.
// expected: error: call to main actor-isolated initializer 'init\(\)' in a synchronous nonisolated context
import ActorDI

@MainActor final class Model { init() {} }
let container = Container {
  Registration(Model.self, scope: .singleton) { _ in Model() }
}
