// A factory closure has a resolver. Without one, the closure is autowired.
// expected: error: contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored
import ActorDI

final class Page: Sendable {}
let container = Container {
  Registration(Page.self, scope: .singleton) { Page() }
}
