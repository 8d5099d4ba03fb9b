// The scope's name is not declared.
// expected: error: type 'ScopeName' has no member 'requst'
import ActorDI

extension ScopeName { static let request: Self = "request" }
final class Page: Sendable {}
let container = Container {
  Registration(Page.self, scope: .scoped(.requst)) { _ in Page() }
}
