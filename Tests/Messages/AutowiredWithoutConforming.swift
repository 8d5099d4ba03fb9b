// The class does not conform to the protocol.
// expected: note: candidate expects value of type '@Sendable \((consuming )?Int\) throws -> any Store' .*got '@Sendable \(Int\) -> Cache'
// unexpected: ServiceKey
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {
  init(size: Int) {}
}

let registration = Registration(autowired: (any Store).self, initializer: Cache.init(size:))
