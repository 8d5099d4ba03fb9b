// expected: error: parameter 'sizes' is variadic, and a container resolves one value: take an array, '[Int]'
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(sizes: Int...) {}
}

let container = Container { Cache.registration }
