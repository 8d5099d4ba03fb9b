import ActorDI
import Synchronization

/// The first resolve of a singleton by many threads at once.
///
/// Each round has its own registry, created before the clock starts.
struct FirstResolveThreads: Scenario {
  static let name = "first-resolve-threads"
  static let summary = "first resolve of one singleton, all threads released at once, per round"

  let unit = MeasuredUnit.round
  /// Each round keeps a container alive, so memory limits the number of rounds, not time.
  let fixedIterations: Int? = 256

  func contenders() -> [Contender] {
    [
      Self.contender("Mutex + optional", .floor) { counter in
        let slot = LazySlot()
        return { slot.value(orBuild: counter.build) }
      },
      Self.contender(ContenderName.mutex, .baseline) { counter in
        let dictionary = LockedDictionary()
        return { dictionary.resolve((any Greeter).self, orBuild: counter.build) }
      },
      Self.contender(ContenderName.container, .container) { counter in
        let container = Fixtures.coldContainer(counter)
        return { try container.resolve((any Greeter).self) }
      },
    ]
  }

  private static func contender(
    _ name: String, _ role: Contender.Role,
    registry: @escaping @Sendable (BuildCounter) -> @Sendable () throws -> any Greeter
  ) -> Contender {
    Contender(
      name: name, role: role,
      answer: { try registry(BuildCounter())().answer(Answers.question) },
      work: .own { load in
        let rounds = load.iterations
        let counters = (0..<rounds).map { _ in BuildCounter() }
        let resolves = counters.map(registry)
        let time = try ThreadTeam.run(threads: load.lane, rounds: rounds) { round in
          consume(try resolves[round]())
        }
        for counter in counters where counter.builds != 1 {
          throw BenchmarkError.builds(
            scenario: Self.name, contender: name, builds: counter.builds)
        }
        return Sample(total: Double(time), operations: rounds)
      })
  }
}

/// The minimal code that builds a value once for many threads.
private final class LazySlot: Sendable {
  private let slot = Mutex<(any Greeter)?>(nil)

  func value(orBuild build: () -> any Greeter) -> any Greeter {
    slot.withLock { slot in
      if let value = slot { return value }
      let value = build()
      slot = value
      return value
    }
  }
}
