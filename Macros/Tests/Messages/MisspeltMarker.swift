// expected: error: unknown attribute 'Arguments'
// expected: note: '@Arguments' on parameter 'size': did you mean '@Argument'?
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(@Arguments size: Int) {}
}

let container = Container { Cache.registration }
