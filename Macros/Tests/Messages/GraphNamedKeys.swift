// expected: nothing
import ActorDIMacros

struct Users: Sendable {}
struct Cache: Sendable {}
struct Report: Sendable {}
enum Names { static let users = "users" }

extension ServiceKey where Service == Int {
  static var limit: Self { Self("limit") { Registration(instance: 17) } }
}

@Graph struct Named {
  @Provides(key: Names.users) func cache() -> Cache { Cache() }
  @Provides(key: "users") func count() -> Int { 1 }
  @Provides func report(@Key("users") cache: Cache, @Key(.limit) limit: Int) -> Report { Report() }
}

@Graph struct Core {
  @Provides(key: "users") func cache() -> Cache { Cache() }
}

@Graph struct Outer {
  @Include let core: Core
  @Provides(key: "users") func count() -> Int { 1 }
  @Provides func report(@Key("users") cache: Cache) -> Report { Report() }
}

// A regression: other spellings of a literal were other keys.
@Graph struct Spelt {
  @Provides(key: #"users"#) func cache() -> Cache { Cache() }
  @Provides(key: 1_000) func count() -> Int { 1 }
  @Provides func report(@Key("users") cache: Cache, @Key(1000) count: Int) -> Report { Report() }
}
