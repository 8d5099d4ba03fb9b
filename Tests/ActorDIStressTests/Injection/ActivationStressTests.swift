import ActorDI
import Testing

/// Activations that begin and end while threads and tasks resolve from the root container.
@Suite(.inTurn) struct ActivationStressTests {
  @Test("An active container keeps one instance while other activations begin and end")
  func otherActivations() async throws {
    let run = StressRun("activations", size: 1500)
    let census = Census()
    try await withWatchdog("activations under resolves") {
      let lasting = Container {
        Registration(Lasting.self, scope: .singleton) { _ in Lasting(Probe(census)) }
      }
      let temporary = Container {
        Registration(Temporary.self, scope: .singleton) { _ in Temporary(Probe(census)) }
      }
      let activation = lasting.activate()
      let expected = try lasting.resolveNow(Lasting.self)
      let seen = Sightings()
      var readers = Readers()
      readers.threads(2) {
        return {
          if Injected<Lasting>().wrappedValue !== expected { complain("the property has another instance") }
          if let temporary = Injected<Temporary?>().wrappedValue { seen.add(temporary) }
        }
      }
      readers.tasks(2) {
        return {
          if (try? await Container.root.resolve(Lasting.self)) !== expected {
            complain("the root container resolved another instance")
          }
          if let temporary = try? await Container.root.resolve(Temporary?.self) { seen.add(temporary) }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          let activation = temporary.activate()
          if round.isMultiple(of: 8) { await pace() }
          // The activation ends explicitly, or with its last reference.
          if round.isMultiple(of: 2) { activation.cancel() }
        }
        let last = temporary.activate()
        await pace()
        last.cancel()
      }
      #expect(seen.count == 1)
      activation.cancel()
      #expect(!Container.root.contains(Lasting.self))
      #expect(!Container.root.contains(Temporary.self))
    }
    #expect(census.made == 2)
    try await expectAllReleased(census)
  }

  @Test("A reader always finds a container while containers are swapped")
  func swapping() async throws {
    let run = StressRun("swapped containers", size: 800)
    let census = Census()
    try await withWatchdog("swapped containers") {
      let property = Dependencies(wrappedValue: container(0, census))
      var readers = Readers()
      readers.threads(2) {
        return {
          guard let swapped = Injected<Swapped?>().wrappedValue else {
            return complain("the property found no active container")
          }
          if !swapped.probe.isAlive { complain("the resolve returned a freed instance") }
        }
      }
      readers.tasks(2) {
        let swapped = Injected<Swapped?>()
        swapped.autoreload()
        return {
          do {
            if try await swapped() == nil { complain("the property found no active container") }
          } catch {
            complain("unexpected error: \(error)")
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

private final class Temporary: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

private final class Swapped: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}
