import ActorDI
import Synchronization

/// P13: the first resolve of a singleton by many tasks at once. Its build does not end before all tasks have begun to resolve.
///
/// Each round has its own registry, created before the clock starts.
struct FirstResolveTasks: Scenario {
  static let name = "first-resolve-tasks"
  static let summary = "first resolve of one singleton whose build waits for all tasks, per round"

  static let task = "Task.value"
  static let crowd = 10_000

  let unit = MeasuredUnit.round
  let lanes = Lanes.tasks([64, FirstResolveTasks.crowd])

  /// One round of the largest crowd takes a third of a second.
  func fixedIterations(lane: Int) -> Int? { max(1, 4_096 / lane) }

  private typealias Resolve = @Sendable () async throws -> any Greeter

  func contenders() -> [Contender] {
    [
      Self.contender(Self.task, .floor) { build in
        let task = Task.detached { await build() }
        return { await task.value }
      },
      Self.contender(ContenderName.actor, .baseline) { build in
        let registry = DictionaryActor()
        return { try await registry.resolve((any Greeter).self, orBuild: build) }
      },
      Self.contender(ContenderName.container, .container) { build in
        let container = Container {
          Registration((any Greeter).self, scope: .singleton) { _ in await build() }
        }
        return { try await container.resolve((any Greeter).self) }
      },
    ]
  }

  private static func contender(
    _ name: String, _ role: Contender.Role,
    registry: @escaping @Sendable (_ build: @escaping @Sendable () async -> any Greeter) -> Resolve
  ) -> Contender {
    Contender(
      name: name, role: role,
      answer: { try await registry { PoliteGreeter() }().answer(Answers.question) },
      work: .own { load in
        var total: UInt64 = 0
        for _ in 0..<load.iterations {
          let crowd = Crowd(of: load.lane)
          let resolve = registry {
            await crowd.isComplete()
            return crowd.build()
          }
          total += try await TaskTeam.run(tasks: load.lane) {
            crowd.join()
            consume(try await resolve())
          }
          guard crowd.builds == 1 else {
            throw BenchmarkError.builds(scenario: Self.name, contender: name, builds: crowd.builds)
          }
        }
        return Sample(total: Double(total), operations: load.iterations)
      })
  }
}

/// A number of tasks, one waiter for the arrival of all of them, and the number of builds.
private final class Crowd: Sendable {
  private let missing: Atomic<Int>
  private let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let built = Atomic<Int>(0)

  init(of size: Int) {
    missing = Atomic(size)
  }

  func join() {
    guard missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    waiter.withLock { $0.take() }?.resume()
  }

  /// Waits until the crowd is complete. Call it once.
  func isComplete() async {
    await withCheckedContinuation { continuation in
      let isWaiting = waiter.withLock { waiter in
        // The last task to join looks for the waiter only after this check.
        guard missing.load(ordering: .acquiring) > 0 else { return false }
        waiter = continuation
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }

  func build() -> any Greeter {
    built.add(1, ordering: .relaxed)
    return PoliteGreeter()
  }

  var builds: Int { built.load(ordering: .acquiring) }
}
