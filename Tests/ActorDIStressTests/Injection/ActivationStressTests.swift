import ActorDI
import Testing

/// Containers that become active and cease to be, while others resolve from root.
@Suite(.inTurn) struct ActivationStressTests {
  @Test("What an active container keeps is built once, however often others come and go beside it")
  func comingAndGoing() async throws {
    let run = StressRun("activations", size: 1500)
    let census = Census()
    try await withWatchdog("activations under resolves") {
      let lasting = Container {
        Registration(Lasting.self, scope: .singleton) { _ in Lasting(Probe(census)) }
      }
      let passing = Container {
        Registration(Passing.self, scope: .singleton) { _ in Passing(Probe(census)) }
      }
      let activation = lasting.activate()
      let expected = try lasting.resolveNow(Lasting.self)
      let met = Sightings()
      var readers = Readers()
      readers.threads(2) {
        return {
          if Injected<Lasting>().wrappedValue !== expected { complain("another instance") }
          if let passing = Injected<Passing?>().wrappedValue { met.add(passing) }
        }
      }
      readers.tasks(2) {
        return {
          if (try? await Container.root.resolve(Lasting.self)) !== expected {
            complain("not the instance that is kept")
          }
          if let passing = try? await Container.root.resolve(Passing?.self) { met.add(passing) }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          let activation = passing.activate()
          if round.isMultiple(of: 8) { await pace() }
          // By hand, or by the last reference.
          if round.isMultiple(of: 2) { activation.cancel() }
        }
        let last = passing.activate()
        await pace()
        last.cancel()
      }
      #expect(met.count == 1)
      activation.cancel()
      #expect(!Container.root.contains(Lasting.self))
      #expect(!Container.root.contains(Passing.self))
    }
    #expect(census.made == 2)
    try await expectAllReleased(census)
  }

  @Test("While containers are swapped, there is always one")
  func swapping() async throws {
    let run = StressRun("swapped containers", size: 800)
    let census = Census()
    try await withWatchdog("swapped containers") {
      let property = Dependencies(wrappedValue: container(0, census))
      var readers = Readers()
      readers.threads(2) {
        return {
          guard let swapped = Injected<Swapped?>().wrappedValue else { return complain("no container") }
          if !swapped.probe.isAlive { complain("a dead instance") }
        }
      }
      readers.tasks(2) {
        let swapped = Injected<Swapped?>()
        swapped.autoreload()
        return {
          do {
            if try await swapped() == nil { complain("no container") }
          } catch {
            complain("unexpected: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          property.wrappedValue = container(generation, census)
          if generation.isMultiple(of: 8) { await pace() }
        }
      }
    }
    try await expectAllReleased(census)
    #expect(!Container.root.contains(Swapped.self))
  }

  private func container(_ generation: Int, _ census: Census) -> Container {
    Container {
      Registration(Swapped.self, scope: .singleton) { _ in
        Swapped(Probe(census, generation: generation))
      }
    }
  }
}

private final class Lasting: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

private final class Passing: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

private final class Swapped: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}
