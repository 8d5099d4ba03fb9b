// expected: error: 'Cache' has several initialisers marked '@Inject': keep the marker on one
// expected: note: the first one is here
import ActorDIMacros

@Injectable final class Cache: Sendable {
  @Inject init(size: Int) {}
  @Inject init(name: String) {}
}

let container = Container { Cache.registration }
