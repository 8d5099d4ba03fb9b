// expected: error: parameter 'size' has no certain type to resolve: write 'any BinaryInteger'
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(size: some BinaryInteger) {}
}

let container = Container { Cache.registration }
