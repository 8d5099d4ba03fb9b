// expected: error: 'Cache' already has a static member 'registration', which '@Injectable' adds: rename this one
import ActorDIMacros

@Injectable final class Cache: Sendable {
  static let registration = Registration(Cache.self) { _ in Cache() }
}

let container = Container { Cache.registration }
