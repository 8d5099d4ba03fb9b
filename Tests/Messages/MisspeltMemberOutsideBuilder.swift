// A factory uses a member that its type does not have.
// expected: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = "" }
final class Page: Sendable { init(_ path: String) {} }
let store = Store()
let registration = Registration(Page.self, scope: .singleton) { r in Page(store.pathh) }
