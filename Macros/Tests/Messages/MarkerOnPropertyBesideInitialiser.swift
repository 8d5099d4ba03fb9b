// expected: error: 'Cache' has an initialiser, so '@Key' on property 'size' has no effect: mark the initialiser's parameter instead
import ActorDIMacros

@Injectable final class Cache: Sendable {
  @Key("size") let size: Int
  init(size: Int) { self.size = size }
}

let container = Container { Cache.registration }
