// expected: error: parameter 'size' has no default value for '@UseDefault': give it one, or remove the marker
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(@UseDefault size: Int) {}
}

let container = Container { Cache.registration }
