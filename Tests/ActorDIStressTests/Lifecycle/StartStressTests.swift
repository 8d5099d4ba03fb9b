import ActorDI
import Testing

/// Concurrent starts of one container, some of them cancelled.
@Suite(.inTurn) struct StartStressTests {
  @Test("Concurrent and cancelled starts build each service, and never twice at a time")
  func startsAndCancellations() async throws {
    let run = StressRun("starts and cancellations", size: 100)
    try await withWatchdog("starts and cancellations") {
      for round in 0..<run.size {
        let building = Building()
        let container = Container {
          for number in 0..<12 {
            if number.isMultiple(of: 2) {
              Registration(Part.self, scope: .singleton) { r in
                building.begin(number)
                defer { building.end(number) }
                if number > 0 { _ = try await r.resolve(Part.self, key: number - 1) }
                try await Task.sleep(for: .microseconds(10))
                return Part()
              }.key(number).eager()
            } else {
              Registration(Part.self, scope: .singleton) { _ in
                building.begin(number)
                defer { building.end(number) }
                return Part()
              }.key(number).eager()
            }
          }
        }
        await withTaskGroup(of: Void.self) { group in
          var random = run.random(round)
          for _ in 0..<6 {
            let patience = Int.random(in: 0..<200, using: &random)
            let isCancelled = Bool.random(using: &random)
            group.addTask {
              let start = Task { try await container.start() }
              if isCancelled {
                for _ in 0..<patience { await Task.yield() }
                start.cancel()
              }
              do {
                try await start.value
              } catch is CancellationError {
                if !isCancelled { complain("an uncancelled start throws CancellationError") }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
        try await container.start()
        for number in 0..<12 where container.resolveIfReady(Part.self, key: number) == nil {
          complain("part \(number) was not built")
        }
      }
    }
  }
}

private final class Part: Sendable {}

/// The parts under construction.
private final class Building: Sendable {
  private let parts = Lock<Set<Int>>([])

  func begin(_ number: Int) {
    if !parts.withLock({ $0.insert(number).inserted }) { complain("part \(number) is built twice at the same time") }
  }

  func end(_ number: Int) { _ = parts.withLock { $0.remove(number) } }
}
