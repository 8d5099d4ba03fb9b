// expected: error: 'init(wrappedValue:_:)' is unavailable: the token names a service of another type than the parameter
import ActorDIMacros

extension ServiceKey where Service == String {
  static var name: Self { .init("name") }
}

@Injectable final class Cache: Sendable {
  init(@Key(.name) size: Int) {}
}

let container = Container { Cache.registration }
