// expected: error: the initialiser of 'Cache' is private: mark the one for the container with '@Inject', or make it internal
// expected: note: mark init(size:) with '@Inject'
import ActorDIMacros

@Injectable final class Cache: Sendable {
  static let shared = Cache(size: 3)
  private init(size: Int) {}
}

let container = Container { Cache.registration }
