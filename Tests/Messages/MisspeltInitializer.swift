// There is no such initialiser.
// expected: error: type 'Page' has no member 'init\(stor:\)'
import ActorDI

final class Store: Sendable {}
final class Page: Sendable { init(store: Store) {} }
let container = Container {
  Registration(autowired: Page.self, scope: .singleton, initializer: Page.init(stor:))
}
