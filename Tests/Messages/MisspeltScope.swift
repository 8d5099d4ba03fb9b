// There is no such scope.
// expected: error: type 'Scope\?' has no member 'singelton'
import ActorDI

final class Page: Sendable {}
let container = Container {
  Registration(Page.self, scope: .singelton) { _ in Page() }
}
