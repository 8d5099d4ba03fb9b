// expected: error: a cycle: 'users' needs 'mail', which needs 'log', which needs 'users'. Take one of them later, as 'Lazy<Users>'
// expected: note: 'mail' is needed here
// expected: note: 'log' is needed here
import ActorDIMacros

struct Users {}
struct Mail {}
struct Log {}

@Graph struct AppGraph {
  @Provides func users(mail: Mail) -> Users { Users() }
  @Provides func mail(log: Log) -> Mail { Mail() }
  @Provides func log(users: Users) -> Log { Log() }
}

let container = Container { AppGraph().registrations }
let wiring = AppGraph().wired()
