// resolve throws.
// expected: error: call can throw, but it is not marked with 'try'
import ActorDI

final class Store: Sendable {}
final class Page: Sendable { init(store: Store) {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { r in Page(store: r.resolve()) }
}
