import ActorDI
import Testing

/// Many who start the same container, some of whom give up.
@Suite(.inTurn) struct StartStressTests {
  @Test("However many start, and give up, nothing is built twice at the same time, and all is built in the end")
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
            let givesUp = Bool.random(using: &random)
            group.addTask {
              let start = Task { try await container.start() }
              if givesUp {
                for _ in 0..<patience { await Task.yield() }
                start.cancel()
              }
              do {
                try await start.value
              } catch is CancellationError {
                if !givesUp { complain("cancelled, though nobody gave up") }
              } catch {
                complain("\(error)")
              }
            }
          }
        }
        try await container.start()
        for number in 0..<12 where container.resolveIfReady(Part.self, key: number) == nil {
          complain("\(number) was not built")
        }
      }
    }
  }
}

private final class Part: Sendable {}

/// Which parts are being built now.
private final class Building: Sendable {
  private let parts = Lock<Set<Int>>([])

  func begin(_ number: Int) {
    if !parts.withLock({ $0.insert(number).inserted }) { complain("\(number) is built twice at the same time") }
  }

  func end(_ number: Int) { _ = parts.withLock { $0.remove(number) } }
}
