// expected: error: return expression of type 'Cache' does not conform to 'Store'
import ActorDIMacros

protocol Store: Sendable {}

@Injectable(as: (any Store).self) final class Cache: Sendable {
  init(size: Int) {}
}

let container = Container { Cache.registration }
