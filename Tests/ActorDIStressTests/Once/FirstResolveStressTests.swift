import ActorDI
import Testing

/// Concurrent first resolves of a kept service.
@Suite(.inTurn) struct FirstResolveStressTests {
  @Test("A thousand concurrent first resolves share one asynchronous singleton")
  func suspendingSingleton() async throws {
    let run = StressRun("first resolve, suspending", size: 20)
    try await withWatchdog("first resolve of a suspending singleton") {
      for round in 0..<run.size {
        let census = Census()
        let arrivals = Counter()
        let gate = Gate()
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in
            // In every other round, the factory waits for all callers.
            if round.isMultiple(of: 2) { await gate.wait() } else { await Task.yield() }
            return Probe(census)
          }
        }
        let seen = Sightings()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<1000 {
            group.addTask {
              if arrivals.increment() == 999 { gate.open() }
              seen.add(try await container.resolve(Probe.self))
            }
          }
          try await group.waitForAll()
        }
        #expect(census.made == 1)
        #expect(seen.count == 1)
      }
    }
  }

  @Test("Concurrent first resolves on threads share one singleton")
  func threads() async throws {
    let run = StressRun("first resolve, threads", size: 200)
    let threads = 12
    let rounds = (0..<run.size).map { _ in Round() }
    let line = StartLine(threads)
    let failures = Counter()
    try await withWatchdog("first resolve on threads") {
      await Threads.run(threads) { _ in
        for round in rounds {
          line.wait()
          do {
            round.seen.add(try round.container.resolve(Probe.self))
          } catch {
            failures.increment()
          }
        }
      }
    }
    #expect(failures.value == 0)
    #expect(rounds.allSatisfy { $0.census.made == 1 })
    #expect(rounds.allSatisfy { $0.seen.count == 1 })
  }

  @Test("Concurrent first resolves of threads and tasks share one singleton")
  func threadsAndTasks() async throws {
    let run = StressRun("first resolve, threads and tasks", size: 100)
    try await withWatchdog("first resolve on threads and tasks") {
      for _ in 0..<run.size {
        let round = Round()
        let failures = Counter()
        async let threads: Void = Threads.run(4) { _ in
          do {
            round.seen.add(try round.container.resolve(Probe.self))
          } catch {
            failures.increment()
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<16 {
            group.addTask { round.seen.add(try await round.container.resolve(Probe.self)) }
          }
          try await group.waitForAll()
        }
        await threads
        #expect(failures.value == 0)
        #expect(round.census.made == 1)
        #expect(round.seen.count == 1)
      }
    }
  }

  @Test("A thread gets the tasks' asynchronous singleton, or asyncRequired")
  func threadsMeetSuspendingBuild() async throws {
    let run = StressRun("first resolve, threads meet a suspending build", size: 60)
    try await withWatchdog("threads that meet a suspending build") {
      for _ in 0..<run.size {
        let census = Census()
        let seen = Sightings()
        let unexpected = Counter()
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in
            await Task.yield()
            return Probe(census)
          }
        }
        async let threads: Void = Threads.run(4) { _ in
          for _ in 0..<20 {
            do {
              seen.add(try container.resolve(Probe.self))
            } catch let error as ResolutionError where error.code == .asyncRequired {
            } catch {
              unexpected.increment()
            }
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<50 {
            group.addTask { seen.add(try await container.resolve(Probe.self)) }
          }
          try await group.waitForAll()
        }
        await threads
        seen.add(try container.resolveNow(Probe.self))
        #expect(unexpected.value == 0)
        #expect(census.made == 1)
        #expect(seen.count == 1)
      }
    }
  }

  @Test("Concurrent callers build the service of each key once")
  func manyKeys() async throws {
    let run = StressRun("first resolve, many keys", size: 5)
    try await withWatchdog("first resolve of many keys") {
      for _ in 0..<run.size {
        let census = Census()
        let container = Container {
          for key in 0..<32 {
            Registration(Probe.self, scope: .singleton) { _ in
              await Task.yield()
              return Probe(census, generation: key)
            }.key(key)
          }
        }
        let seen = Sightings()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<16 {
            group.addTask {
              var random = run.random(caller)
              for key in (0..<32).shuffled(using: &random) {
                let probe = try await container.resolve(Probe.self, key: key)
                #expect(probe.generation == key)
                seen.add(probe)
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(census.made == 32)
        #expect(seen.count == 32)
      }
    }
  }

  /// One container with a synchronous singleton, for one round.
  private final class Round: Sendable {
    let census = Census()
    let seen = Sightings()
    let container: Container

    init() {
      let census = census
      container = Container {
        Registration(Probe.self, scope: .singleton) { _ in
          Threads.yield()
          return Probe(census)
        }
      }
    }
  }
}
