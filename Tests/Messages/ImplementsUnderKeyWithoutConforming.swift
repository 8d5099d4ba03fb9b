// The class does not conform to the protocol.
// expected: error: 'implements\(_:key:_:\)' is unavailable: the service does not convert to the type of the alias
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {}
let registration = Registration(Cache.self, scope: .singleton) { _ in Cache() }.implements((any Store).self, key: 1) {
  $0
}
