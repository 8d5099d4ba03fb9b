import ActorDI
import Testing

/// `withResolved` borrows an instance without retaining it.
@Suite(.inTurn) struct BorrowStressTests {
  @Test("A borrowed instance lives until the closure returns, during any change")
  func churn() async throws {
    let run = StressRun("borrows during changes", size: 2000)
    let census = Census()
    try await withWatchdog("borrows during changes") {
      let container = Container {
        registration(0, census)
        registration(0, census).key("keyed")
      }
      var readers = Readers()
      readers.threads(2) {
        var last = 0
        return {
          expectNoError {
            let generation = try container.withResolved(Probe.self) { probe in
              use(probe)
              return probe.generation
            }
            if generation < last { complain("generation \(generation) after \(last)") }
            last = generation
          }
        }
      }
      readers.tasks(1) {
        return {
          expectNoError { try container.withResolved(Probe.self, key: "keyed") { use($0) } }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          switch generation % 3 {
          case 0: await container.reset(Probe.self)
          case 1: try await container.register(registration(generation, census))
          default: try await container.register { registration(generation, census).key("keyed") }
          }
          if generation.isMultiple(of: 8) { await pace() }
          if generation.isMultiple(of: 512) { await census.settle() }
        }
      }
      await census.wait(until: 2)
    }
    try await expectAllReleased(census)
    #expect(census.most < 2000, "Released instances accumulate")
  }

  @Test("Nested borrows beyond a thread's first hazard slots keep their instances alive")
  func nested() async throws {
    let run = StressRun("nested borrows", size: 30)
    let census = Census()
    try await withWatchdog("nested borrows") {
      let container = Container { registration(0, census) }
      var readers = Readers()
      readers.threads(2) {
        return { expectNoError { try nest(container, depth: 150) } }
      }
      try await readers.run { pace in
        for round in 0..<run.size * 20 {
          await container.reset(Probe.self)
          if round.isMultiple(of: 32) { await pace() }
        }
      }
      await census.wait(until: 1)
    }
    try await expectAllReleased(census)
  }

  @Test("A borrow ends when the closure throws")
  func throwing() async throws {
    struct Stop: Error {}
    let census = Census()
    try await withWatchdog("borrows that end with an error") {
      let container = Container { registration(0, census) }
      await Threads.run(4) { _ in
        for _ in 0..<500 {
          do {
            try container.withResolved(Probe.self) { probe in
              use(probe)
              throw Stop()
            }
          } catch is Stop {
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      await container.reset()
      await census.wait(until: 0)
    }
  }

  private func nest(_ container: Container, depth: Int) throws {
    try container.withResolved(Probe.self) { probe in
      if depth > 0 { try nest(container, depth: depth - 1) }
      use(probe)
    }
  }

  /// Checks the instance repeatedly, while other threads can release it.
  private func use(_ probe: borrowing Probe) {
    for _ in 0..<3 {
      if !probe.isAlive { complain("the borrowed instance of generation \(probe.generation) is freed") }
      Threads.yield()
    }
    if !probe.isAlive { complain("the borrowed instance of generation \(probe.generation) is freed") }
  }

  private func registration(_ generation: Int, _ census: Census) -> Registration<Probe> {
    Registration(scope: .singleton) { _ in Probe(census, generation: generation) }
  }
}
