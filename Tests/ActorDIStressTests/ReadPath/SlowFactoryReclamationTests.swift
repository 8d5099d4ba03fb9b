import ActorDI
import Testing

/// A factory may take as long as it likes: that holds back its own registration, and no other
/// garbage.
@Suite(.inTurn) struct SlowFactoryReclamationTests {
  @Test("A transient factory that blocks its thread does not keep what others let go of")
  func transient() async throws {
    let run = StressRun("garbage beside a slow factory", size: 300)
    let census = Census()
    let tokens = Census()
    try await withWatchdog("garbage beside a slow factory") {
      let entered = Gate()
      let goOn = Gate()
      let container = Container {
        slow(Probe(tokens), entered, goOn)
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
      }
      let ended = Countdown(1)
      Threads.start {
        do {
          _ = try container.resolve(Slow.self)
        } catch {
          complain("unexpected: \(error)")
        }
        ended.signal()
      }
      await entered.wait()
      for _ in 0..<run.size {
        try await container.register(Probe.self, scope: .singleton) { _ in Probe(census) }
        _ = try container.resolveNow(Probe.self)
      }
      await census.wait(until: 1)
      // The factory's own registration goes, too; what it captured stays until it is done.
      #expect(await container.unregister(Slow.self))
      #expect(tokens.live == 1)
      goOn.open()
      await ended.wait()
      await tokens.wait(until: 0)
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size)
  }

  @Test("A borrowed instance is kept, and nothing else")
  func borrowed() async throws {
    let run = StressRun("garbage beside a long loan", size: 300)
    let census = Census()
    try await withWatchdog("garbage beside a long loan") {
      let entered = Gate()
      let goOn = Gate()
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
      }
      _ = try container.resolveNow(Probe.self)
      let ended = Countdown(1)
      Threads.start {
        do {
          try container.withResolved(Probe.self) { probe in
            entered.open()
            goOn.block()
            if !probe.isAlive { complain("the loan is dead") }
          }
        } catch {
          complain("unexpected: \(error)")
        }
        ended.signal()
      }
      await entered.wait()
      for _ in 0..<run.size {
        await container.reset(Probe.self)
        _ = try container.resolveNow(Probe.self)
      }
      // The loan and the latest.
      await census.wait(until: 2)
      goOn.open()
      await ended.wait()
      await census.wait(until: 1)
    }
    try await expectAllReleased(census)
  }

  private func slow(_ token: Probe, _ entered: Gate, _ goOn: Gate) -> Registration<Slow> {
    Registration(scope: .transient) { _ in
      entered.open()
      goOn.block()
      if !token.isAlive { complain("what the factory captured is dead") }
      return Slow()
    }
  }
}

private struct Slow: Sendable {}
