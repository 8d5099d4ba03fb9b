// expected: error: converting function value of type '@Worker @Sendable (Resolver) throws -> sending Cache' to '@Sendable (Resolver) throws -> Cache' loses global actor 'Worker'
import ActorDIMacros

// The macro cannot see the actor of the superclass: repeat the attribute.
@globalActor actor Worker { static let shared = Worker() }
@Worker class Base {}

@Injectable final class Cache: Base {
  let size: Int
}
