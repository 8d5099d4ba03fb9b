// The class does not conform to the protocol.
// expected: error: cannot convert value of type 'Cache' to closure result type 'any Store'
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}

func registration() -> Registration<Cache> {
  Registration(Cache.self) { _ in Cache() }.implements((any Store).self) { $0 }
}
