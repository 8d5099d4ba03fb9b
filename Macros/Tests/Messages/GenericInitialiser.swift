// expected: error: the initialiser of 'Cache' is generic, so its parameters have no certain types to resolve: use concrete types, or make the type generic
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init<Content>(content: Content) {}
}

let container = Container { Cache.registration }
