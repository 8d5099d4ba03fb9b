// The instance does not conform to the protocol.
// expected: error: argument type 'Cache' does not conform to expected type 'Store'
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}
let container = Container {
  Registration((any Store).self, instance: Cache())
}
