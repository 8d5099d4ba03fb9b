// expected: error: 'handler()' is unavailable: only a container makes 'handler': it needs 'session', which only a container makes
import ActorDIMacros

struct Session: Sendable {}
struct Handler {}

@Graph struct AppGraph {
  @Provides(scope: .scoped) func session() -> Session { Session() }
  @Provides func handler(session: Session) -> Handler { Handler() }
}

let handler = AppGraph().wired().handler()
