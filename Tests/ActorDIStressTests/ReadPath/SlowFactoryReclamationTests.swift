import ActorDI
import Testing

/// A slow factory delays the release of its own registration only.
@Suite(.inTurn) struct SlowFactoryReclamationTests {
  @Test("A transient factory that blocks its thread does not delay other releases")
  func transient() async throws {
    let run = StressRun("releases beside a slow factory", size: 300)
    let census = Census()
    let tokens = Census()
    try await withWatchdog("releases beside a slow factory") {
      let entered = Gate()
      let resume = Gate()
      let container = Container {
        slow(Probe(tokens), entered, resume)
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
      }
      let ended = Countdown(1)
      Threads.start {
        do {
          _ = try container.resolve(Slow.self)
        } catch {
          complain("unexpected error: \(error)")
        }
        ended.signal()
      }
      await entered.wait()
      for _ in 0..<run.size {
        try await container.register(Probe.self, scope: .singleton) { _ in Probe(census) }
        _ = try container.resolveNow(Probe.self)
      }
      await census.wait(until: 1)
      // The factory's own registration is removed. Its captures stay until it returns.
      #expect(await container.unregister(Slow.self))
      #expect(tokens.live == 1)
      resume.open()
      await ended.wait()
      await tokens.wait(until: 0)
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size)
  }

  @Test("A long borrow delays only its own instance's release")
  func borrowed() async throws {
    let run = StressRun("releases beside a long borrow", size: 300)
    let census = Census()
    try await withWatchdog("releases beside a long borrow") {
      let entered = Gate()
      let resume = Gate()
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
      }
      _ = try container.resolveNow(Probe.self)
      let ended = Countdown(1)
      Threads.start {
        do {
          try container.withResolved(Probe.self) { probe in
            entered.open()
            resume.block()
            if !probe.isAlive { complain("the borrowed instance is freed") }
          }
        } catch {
          complain("unexpected error: \(error)")
        }
        ended.signal()
      }
      await entered.wait()
      for _ in 0..<run.size {
        await container.reset(Probe.self)
        _ = try container.resolveNow(Probe.self)
      }
      // The borrowed instance and the current one.
      await census.wait(until: 2)
      resume.open()
      await ended.wait()
      await census.wait(until: 1)
    }
    try await expectAllReleased(census)
  }

  private func slow(_ token: Probe, _ entered: Gate, _ resume: Gate) -> Registration<Slow> {
    Registration(scope: .transient) { _ in
      entered.open()
      resume.block()
      if !token.isAlive { complain("the factory's captured object is freed") }
      return Slow()
    }
  }
}

private struct Slow: Sendable {}
