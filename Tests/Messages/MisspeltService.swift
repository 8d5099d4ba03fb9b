// There is no such type.
// expected: error: cannot find 'Pagee' in scope
import ActorDI

final class Page: Sendable {}
let container = Container {
  Registration(Pagee.self, scope: .singleton) { _ in Page() }
}
