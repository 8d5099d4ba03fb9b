import ActorDI
import Testing

/// Weakly held instances.
@Suite(.inTurn) struct SharedStressTests {
  @Test("A caller that holds a shared instance gets it again while others drop it")
  func identity() async throws {
    let run = StressRun("shared instances", size: 3000)
    let census = Census()
    try await withWatchdog("shared instances") {
      let container = Container {
        Registration(Probe.self, scope: .shared) { _ in Probe(census) }
        Registration((any Named).self, scope: .shared) { _ in NamedProbe(census) }
        Registration(Probe.self, scope: .shared) { _ in
          await Task.yield()
          return Probe(census)
        }.key("suspending")
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await Threads.run(3) { _ in
            for _ in 0..<run.size {
              expectSame({ try container.resolve(Probe.self) }, \.self)
              expectSame({ try container.resolve((any Named).self) }, \.probe)
            }
          }
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<run.size / 10 {
              await expectSame { try await container.resolve(Probe.self, key: "suspending") }
              await Task.yield()
            }
          }
        }
      }
      // All callers have released the instances.
      await census.wait(until: 0)
    }
    #expect(census.made > 3)
  }

  @Test("A reset of a shared service keeps held instances alive")
  func reset() async throws {
    let run = StressRun("shared instances that are reset", size: 300)
    let census = Census()
    try await withWatchdog("shared instances that are reset") {
      let container = Container {
        Registration(Probe.self, scope: .shared) { _ in Probe(census) }
      }
      var readers = Readers()
      readers.threads(2) {
        var held: [Probe] = []
        return {
          guard let probe = try? container.resolve(Probe.self) else {
            return complain("the resolve returned no instance")
          }
          held.append(probe)
          if held.contains(where: { !$0.isAlive }) { complain("the resolve returned a freed instance") }
          if held.count == 8 { held.removeAll() }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          await container.reset(.shared)
          if round.isMultiple(of: 16) { await pace() }
        }
      }
    }
    try await expectAllReleased(census)
  }

  private func expectSame<Service>(
    _ resolve: () throws -> Service, _ probe: KeyPath<Service, Probe>
  ) {
    do {
      let held = try resolve()
      Threads.yield()
      let again = try resolve()
      withExtendedLifetime(held) {
        if again[keyPath: probe] !== held[keyPath: probe] {
          complain("the resolve returned another instance although one is held")
        }
        if !again[keyPath: probe].isAlive { complain("the resolve returned a freed instance") }
      }
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expectSame(_ resolve: () async throws -> Probe) async {
    do {
      let held = try await resolve()
      await Task.yield()
      let again = try await resolve()
      if again !== held { complain("the resolve returned another instance although one is held") }
      if !held.isAlive { complain("the resolve returned a freed instance") }
    } catch {
      complain("unexpected error: \(error)")
    }
  }
}

private protocol Named: Sendable {
  var probe: Probe { get }
}

private final class NamedProbe: Named {
  let probe: Probe
  init(_ census: Census) { probe = Probe(census) }
}
