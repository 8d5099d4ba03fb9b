// A factory under a token uses a member that its type does not have.
// expected: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = "" }
final class Page: Sendable { init(_ path: String) {} }
extension ServiceKey where Service == Page { static var first: Self { Self("first") } }
let store = Store()
let container = Container {
  Registration(.first, scope: .singleton) { r in Page(store.pathh) }
}
