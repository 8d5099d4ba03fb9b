// expected: error: parameter 'contents' is a parameter pack, and a container resolves one value: take an array
import ActorDIMacros

@Injectable final class Cache<each Content: Sendable>: Sendable {
  init(contents: repeat each Content) {}
}

let container = Container { Cache<Int, Double>.registration }
