// Measures the construction of eight objects by the wiring of a graph against the same calls by hand. See `Tools/wiring-cost`.
import ActorDIMacros

final class Clock {}
final class Log {
  let clock: Clock
  init(clock: Clock) { self.clock = clock }
}
final class Disk {
  let log: Log
  init(log: Log) { self.log = log }
}
final class Store {
  let disk: Disk
  init(disk: Disk) { self.disk = disk }
}
final class Mail {
  let log: Log
  init(log: Log) { self.log = log }
}
final class Users {
  let store: Store
  let mail: Mail
  init(store: Store, mail: Mail) {
    self.store = store
    self.mail = mail
  }
}

@Graph struct AppGraph {
  @Provides func clock() -> Clock { Clock() }
  @Provides func log(clock: Clock) -> Log { Log(clock: clock) }
  @Provides func disk(log: Log) -> Disk { Disk(log: log) }
  @Provides func store(disk: Disk) -> Store { Store(disk: disk) }
  @Provides func mail(log: Log) -> Mail { Mail(log: log) }
  @Provides func users(store: Store, mail: Mail) -> Users { Users(store: store, mail: mail) }
}

@inline(never) func byHand() -> Users {
  Users(store: Store(disk: Disk(log: Log(clock: Clock()))), mail: Mail(log: Log(clock: Clock())))
}

@inline(never) func byWiring(_ wiring: AppGraph.Wiring) -> Users { wiring.users() }

@inline(never) func isComplete(_ users: Users) -> Bool { users.store.disk.log !== users.mail.log }

/// The nanoseconds of one call.
func measure(_ make: () -> Users) -> Double {
  let count = 20_000
  var complete = 0
  let time = ContinuousClock().measure {
    for _ in 0..<count where isComplete(make()) { complete += 1 }
  }
  precondition(complete == count)
  return time / .nanoseconds(count)
}

let wiring = AppGraph().wired()
var ratios: [Double] = []
var last = (byHand: 0.0, wired: 0.0)
for _ in 0..<51 {
  last = (measure(byHand), measure { byWiring(wiring) })
  ratios.append(last.wired / last.byHand)
}
let median = ratios.sorted()[ratios.count / 2]
print("eight objects: \(last.byHand) ns by hand, \(last.wired) ns by a wiring; \(median) times by hand (1.1 allowed)")
if median > 1.1 { fatalError("A wiring costs too much.") }
