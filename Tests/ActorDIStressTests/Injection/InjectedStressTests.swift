import ActorDI
import Synchronization
import Testing

/// Injected properties that many threads and tasks use.
@Suite(.inTurn) struct InjectedStressTests {
  @Test("Concurrent first uses of a property resolve once")
  func firstUse() async throws {
    let run = StressRun("first uses", size: 300)
    let census = Census()
    try await withWatchdog("first uses of a property") {
      for round in 0..<run.size {
        let container = Container {
          if round.isMultiple(of: 2) {
            Registration(Probe.self) { _ in Probe(census) }
          } else {
            Registration(Probe.self) { _ in
              await Task.yield()
              return Probe(census)
            }
          }
        }
        let injected = Injected<Probe>(from: container)
        let seen = Sightings()
        let isSynchronous = round.isMultiple(of: 2)
        await withTaskGroup(of: Void.self) { group in
          if isSynchronous {
            group.addTask {
              await Threads.run(2) { _ in seen.add(injected.wrappedValue) }
            }
          }
          for _ in 0..<4 {
            group.addTask {
              do {
                seen.add(try await injected())
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
        if seen.count != 1 { complain("one property has \(seen.count) instances") }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size)
  }

  /// Reads a copy of a property. Checks that each instance is alive, and not older than the one before.
  private func reads(of property: Injected<Probe>) -> () -> Void {
    var last = 0
    return {
      let probe = property.wrappedValue
      if probe.generation < last { complain("generation \(probe.generation) after \(last)") }
      if !probe.isAlive { complain("the property returned a freed instance") }
      last = probe.generation
    }
  }

  @Test("A reloading property never returns an older instance, nor an old one after a change")
  func following() async throws {
    let run = StressRun("properties that reload", size: 1200)
    let census = Census()
    try await withWatchdog("properties that reload") {
      let container = Container { registration(0, census) }
      let injected = Injected<Probe>(from: container)
      injected.autoreload()
      _ = try await injected()
      var readers = Readers()
      readers.threads(2) { reads(of: injected) }
      readers.tasks(1) {
        return {
          do {
            try await injected.reload()
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          try await container.register { registration(generation, census) }
          let seen = try await injected().generation
          if seen != generation { complain("generation \(seen) instead of \(generation)") }
          if generation.isMultiple(of: 8) { await pace() }
        }
      }
    }
    try await expectAllReleased(census)
  }

  @Test("A property that is reloaded never returns an older instance, nor a freed one")
  func reloading() async throws {
    let run = StressRun("reloads of a property", size: 2000)
    let census = Census()
    try await withWatchdog("reloads of a property") {
      let generations = Atomic(0)
      let container = Container {
        Registration(Probe.self) { _ in
          Probe(census, generation: generations.add(1, ordering: .relaxed).newValue)
        }
      }
      let injected = Injected<Probe>(from: container)
      _ = injected.wrappedValue
      var readers = Readers()
      readers.threads(3) { reads(of: injected) }
      try await readers.run { pace in
        for generation in 2...run.size {
          injected.autoreload(generation.isMultiple(of: 5))
          try await injected.reload()
          let seen = injected.wrappedValue.generation
          if seen != generation { complain("generation \(seen) instead of \(generation)") }
          if generation.isMultiple(of: 8) { await pace() }
        }
      }
    }
    try await expectAllReleased(census)
  }

  @Test("Properties freed during a load release everything")
  func freedDuringLoad() async throws {
    let run = StressRun("properties freed during a load", size: 400)
    let census = Census()
    try await withWatchdog("properties freed during a load") {
      for _ in 0..<run.size {
        let container = Container {
          Registration(Probe.self) { _ in
            await Task.yield()
            return Probe(census)
          }
        }
        let injected = Injected<Probe>(from: container)
        injected.autoreload()
        let tasks = (0..<3).map { _ in Task { try await injected() } }
        tasks[0].cancel()
        try await container.register(Probe.self) { _ in Probe(census) }
        tasks[1].cancel()
        for task in tasks { _ = await task.result }
      }
    }
    try await expectAllReleased(census)
  }

  private func registration(_ generation: Int, _ census: Census) -> Registrations {
    Registrations {
      Registration(Probe.self, scope: generation.isMultiple(of: 2) ? .singleton : .transient) { _ in
        Probe(census, generation: generation)
      }
    }
  }
}
