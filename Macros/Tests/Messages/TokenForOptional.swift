// expected: error: parameter 'name' has the type 'String?', but a token names a single service: write the key itself, such as '@Key("replica")'
import ActorDIMacros

extension ServiceKey where Service == String {
  static var name: Self { .init("name") }
}

@Injectable final class Cache: Sendable {
  init(@Key(ServiceKey<String?>("name")) name: String?) {}
}
