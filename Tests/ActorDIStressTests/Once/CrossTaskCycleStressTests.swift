import ActorDI
import Testing

/// Cycles of services that several tasks or threads build at once. They end with an error, never with a deadlock.
@Suite(.inTurn) struct CrossTaskCycleStressTests {
  @Test("Tasks that build a cycle together get its closed path", arguments: [2, 3, 4, 5, 6])
  func asynchronousRing(length: Int) async throws {
    let run = StressRun("cycle of \(length) across tasks", size: 40)
    try await withWatchdog("a cycle of \(length) services across tasks") {
      for round in 0..<run.size {
        let ring = Ring(length, meeting: round.isMultiple(of: 2))
        let container = ring.asynchronousContainer()
        await withTaskGroup(of: Void.self) { group in
          for start in 0..<length {
            group.addTask {
              await ring.expectCycle { _ = try await container.resolve(Link.self, key: start) }
            }
          }
        }
        try await ring.expectRepaired(container)
      }
    }
  }

  @Test("Threads that build a cycle together get its closed path", arguments: [2, 3, 4, 5, 6])
  func synchronousRing(length: Int) async throws {
    let run = StressRun("cycle of \(length) across threads", size: 40)
    try await withWatchdog("a cycle of \(length) services across threads") {
      for round in 0..<run.size {
        let ring = Ring(length, meeting: round.isMultiple(of: 2))
        let container = ring.synchronousContainer()
        await Threads.run(length) { start in
          ring.expectCycle { _ = try container.resolve(Link.self, key: start) }
        }
        try await ring.expectRepaired(container)
      }
    }
  }

  @Test("Tasks and threads that build a synchronous cycle together get its closed path")
  func mixedRing() async throws {
    let run = StressRun("cycle across tasks and threads", size: 40)
    try await withWatchdog("a cycle across tasks and threads") {
      for round in 0..<run.size {
        let ring = Ring(4, meeting: round.isMultiple(of: 2))
        let container = ring.synchronousContainer()
        async let threads: Void = Threads.run(2) { index in
          ring.expectCycle { _ = try container.resolve(Link.self, key: index * 2) }
        }
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<2 {
            group.addTask {
              await ring.expectCycle {
                _ = try await container.resolve(Link.self, key: index * 2 + 1)
              }
            }
          }
        }
        await threads
        try await ring.expectRepaired(container)
      }
    }
  }

  @Test("All tasks of a crowded cycle return, some of them cancelled")
  func crowdedRing() async throws {
    let run = StressRun("crowded cycle", size: 20)
    try await withWatchdog("a crowded cycle") {
      for _ in 0..<run.size {
        let ring = Ring(3, meeting: false)
        let container = ring.asynchronousContainer()
        await withTaskGroup(of: Void.self) { group in
          for caller in 0..<60 {
            let task = Task {
              do {
                _ = try await container.resolve(Link.self, key: caller % 3)
                complain("the resolve built a cycle")
              } catch let error as ResolutionError {
                ring.check(error)
              } catch is CancellationError {
              } catch {
                complain("unexpected error: \(error)")
              }
            }
            group.addTask { await task.value }
            if caller.isMultiple(of: 4) { task.cancel() }
          }
        }
        try await ring.expectRepaired(container)
      }
    }
  }
}

private final class Link: Sendable {}

/// Keyed services, each of which needs the next, and the last one the first.
private final class Ring: Sendable {
  private let length: Int
  /// Whether factories wait a little for each other, so that all builds run at the same time.
  private let meeting: Bool
  private let entered = Counter()

  init(_ length: Int, meeting: Bool) {
    self.length = length
    self.meeting = meeting
  }

  func asynchronousContainer() -> Container {
    Container { [self] in
      for key in 0..<length {
        Registration(Link.self, scope: .singleton) { [self] r in
          entered.increment()
          var remainingYields = meeting ? 100 : 0
          while entered.value < length, remainingYields > 0 {
            remainingYields -= 1
            await Task.yield()
          }
          _ = try await r.resolve(Link.self, key: (key + 1) % length)
          return Link()
        }.key(key)
      }
    }
  }

  func synchronousContainer() -> Container {
    Container { [self] in
      for key in 0..<length {
        Registration(Link.self, scope: .singleton) { [self] r in
          entered.increment()
          var remainingYields = meeting ? 100 : 0
          while entered.value < length, remainingYields > 0 {
            remainingYields -= 1
            Threads.yield()
          }
          _ = try r.resolve(Link.self, key: (key + 1) % length)
          return Link()
        }.key(key)
      }
    }
  }

  func expectCycle(_ body: () async throws -> Void) async {
    do {
      try await body()
      complain("the resolve built a cycle")
    } catch {
      check(error)
    }
  }

  func expectCycle(_ body: () throws -> Void) {
    do {
      try body()
      complain("the resolve built a cycle")
    } catch {
      check(error)
    }
  }

  /// Checks that the path names each service of the ring once, in order, and ends with its first.
  func check(_ error: any Error) {
    guard let error = error as? ResolutionError, error.code == .cycle else {
      complain("not a cycle error: \(error)")
      return
    }
    let names = (0..<length).map { "Link[Int(\($0))]" }
    guard let first = error.path.first, let start = names.firstIndex(of: first) else {
      complain("the path begins with an unknown service: \(error.path)")
      return
    }
    #expect(error.path == (0...length).map { names[(start + $0) % length] })
  }

  /// Checks that all services resolve after one of them needs nothing.
  func expectRepaired(_ container: Container) async throws {
    try await container.register(Link.self, key: 0, scope: .singleton) { _ in Link() }
    for key in 0..<length { _ = try await container.resolve(Link.self, key: key) }
  }
}
