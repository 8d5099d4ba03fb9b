// An autowired closure uses a member that its type does not have.
// expected: 8:72: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = "" }
final class Page: Sendable { init(_ path: String) {} }
let container = Container {
  Registration(autowired: Page.self, scope: .singleton) { Page(Store().pathh) }
}
