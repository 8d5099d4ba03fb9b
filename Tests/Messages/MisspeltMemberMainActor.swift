// A main-actor factory uses a member that its type does not have.
// expected: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = "" }
@MainActor final class Model { init(_ path: String) {} }
let store = Store()
let container = Container {
  Registration(Model.self, scope: .singleton) { @MainActor r in Model(store.pathh) }
}
