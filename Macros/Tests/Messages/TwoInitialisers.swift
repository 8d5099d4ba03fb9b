// expected: error: 'Cache' has 2 initialisers: mark the one for the container with '@Inject'
// expected: note: mark init(size:) with '@Inject'
// expected: note: this one: init(name:)
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(size: Int) {}
  init(name: String) {}
}

let container = Container { Cache.registration }
