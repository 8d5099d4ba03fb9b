// The initialiser has another label.
// expected: error: incorrect argument label in call \(have 'stor:', expected 'store:'\)
import ActorDI

final class Store: Sendable {}
final class Page: Sendable { init(store: Store) {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { r in Page(stor: try r.resolve()) }
}
