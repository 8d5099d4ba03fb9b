// The class does not conform to the protocol.
// expected: error: cannot convert value of type '@Sendable \(Int\) -> Cache' to expected argument type '.* any Store'
// unexpected: ServiceKey
import ActorDI

protocol Store: Sendable {}
final class Cache: Sendable {
  init(size: Int) {}
}

let container = Container {
  Registration(autowired: (any Store).self, scope: .singleton, initializer: Cache.init(size:))
}
