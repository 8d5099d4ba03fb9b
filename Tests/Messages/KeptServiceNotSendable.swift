// A kept service is Sendable.
// expected: error: type 'Draft' does not conform to the 'Sendable' protocol
import ActorDI

final class Draft { var text = "" }
let container = Container {
  Registration(Draft.self, scope: .singleton) { _ in Draft() }
}
