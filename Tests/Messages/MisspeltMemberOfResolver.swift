// The resolver has no such member.
// expected: error: value of type 'Resolver' has no member 'resolv'
import ActorDI

final class Store: Sendable {}
final class Page: Sendable { init(store: Store) {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { r in Page(store: try r.resolv()) }
}
