// A regression: compiled, and ended the program at the first resolve.
// expected: error: '_dependsOn(_:ofProperty:)' is unavailable: the token names a service of another type than the property
import ActorDIMacros

enum Keys { static let name = ServiceKey<String>("name") }

@Injectable final class Cache: Sendable {
  @Key(Keys.name) let size: Int
}

let container = Container { Cache.registration }
