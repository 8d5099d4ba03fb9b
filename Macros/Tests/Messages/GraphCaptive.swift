// expected: error: 'cache' is a singleton, but would keep 'session', by way of 'user', whose scope ends earlier: make 'cache' scoped, or take 'Provider<User>'
// expected: note: 'session' is scoped
import ActorDIMacros

struct Session: Sendable {}
struct User {}
struct Cache: Sendable {}

@Graph struct AppGraph {
  @Provides(scope: .scoped) func session() -> Session { Session() }
  @Provides func user(session: Session) -> User { User() }
  @Provides(scope: .singleton) func cache(user: User) -> Cache { Cache() }
}
