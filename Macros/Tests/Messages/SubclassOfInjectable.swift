// expected: error: property 'registration' with type 'Registration<Cache>' cannot override a property with type 'Registration<Base>'
import ActorDIMacros

@Injectable class Base {}

@Injectable final class Cache: Base {
  let size: Int
}
