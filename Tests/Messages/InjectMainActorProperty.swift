// The property is isolated to the main actor: a main-actor hook sets it.
// expected: error: cannot form key path to main actor-isolated property 'theme'
import ActorDI

final class Theme: Sendable {}
@MainActor final class Model { var theme: Theme?; init() {} }
let container = Container {
  Registration(Model.self, scope: .singleton) { @MainActor _ in Model() }.inject(\.theme)
}
