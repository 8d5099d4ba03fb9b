// expected: error: parameter 'size' is 'inout', and a container has no variable to pass: take the value
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(size: inout Int) {}
}

let container = Container { Cache.registration }
