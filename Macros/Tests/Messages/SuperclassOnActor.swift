// expected: error: converting function value of type '@Worker @Sendable (Resolver) throws -> sending Cache' to '@Sendable (Resolver) throws -> Cache' loses global actor 'Worker'
import ActorDIMacros

// The macro cannot see the actor of the superclass: `isolation: Worker.self` names it.
@globalActor actor Worker { static let shared = Worker() }
@Worker class Base {}

@Injectable final class Cache: Base {
  let size: Int
}
