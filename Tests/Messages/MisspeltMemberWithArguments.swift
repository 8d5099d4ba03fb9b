// A factory with run-time arguments uses a member that its type does not have.
// expected: error: value of type 'Store' has no member 'pathh'
// unexpected: ServiceKey
import ActorDI

final class Store: Sendable { let path = "" }
final class Page: Sendable { init(_ path: String) {} }
let store = Store()
let container = Container {
  Registration(Page.self) { (r, name: String, number: Int) in Page(store.pathh + name) }
}
