// There is no such modifier.
// expected: error: value of type 'Registration<Page>' has no member 'onDisposed'
import ActorDI

final class Page: Sendable {}
let container = Container {
  Registration(Page.self, scope: .singleton) { _ in Page() }.onDisposed { _ in }
}
