// The class does not conform to the protocol.
// expected: error: cannot convert value of type 'Cache' to closure result type 'any Store'
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}

let container = Container {
  Registration((any Store).self, scope: .singleton) { _ in Cache() }
}
