// The class does not conform to the protocol.
// expected: error: 'implements' is unavailable: the service does not convert to the type of the alias
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}

func registration() -> Registration<Cache> {
  Registration(Cache.self) { _ in Cache() }.implements((any Store).self) { $0 }
}
