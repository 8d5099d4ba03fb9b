// The class does not conform to the protocol.
// expected: 8:64: error: 'implements' is unavailable: the service does not convert to the type of the alias
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}
let container = Container {
  Registration(Cache.self, scope: .singleton) { _ in Cache() }.implements((any Store).self) { $0 }
}
