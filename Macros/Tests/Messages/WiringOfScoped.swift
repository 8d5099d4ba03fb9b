// expected: error: 'handler()' is unavailable: only a container makes 'handler': it needs 'session', which only a container makes
// expected: error: 'session()' is unavailable: only a container makes 'session': its scope is '.scoped("request")'
import ActorDIMacros

struct Session: Sendable {}
struct Handler {}

@Graph struct AppGraph {
  @Provides(scope: .scoped("request")) func session() -> Session { Session() }
  @Provides func handler(session: Session) -> Handler { Handler() }
}

let handler = AppGraph().wired().handler()
let session = AppGraph().wired().session()
