// The decorator returns a type that does not conform to the protocol.
// expected: error: .*(cannot convert value of type 'Cache' to closure result type 'any Store'|does not conform)
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable { init(_ store: any Store) {} }
let container = Container {
  Decorator((any Store).self) { _, inner in Cache(inner) }
}
