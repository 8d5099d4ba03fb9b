import ActorDI
import Testing

/// Kept slots while the table grows and registrations are removed.
@Suite(.inTurn) struct KeptSlotsStressTests {
  /// With two services, all that happens is the race for the first table (K3).
  @Test("All threads find one instance per service while the table begins and grows", arguments: [2: 600, 64: 200])
  func growth(keyCount: Int, size: Int) async throws {
    let run = StressRun("added kept slots, \(keyCount) services", size: size)
    let census = Census()
    try await withWatchdog("added kept slots, \(keyCount) services") {
      let app = Container {
        for key in 0..<keyCount {
          Registration(Probe.self, scope: .scoped) { _ in Probe(census, generation: key) }.key(key)
        }
      }
      for round in 0..<run.size {
        let child = app.makeChild()
        let first = Lock<[Int: Probe]>([:])
        await Threads.run(4) { index in
          var random = run.random(round * 4 + index)
          for key in (0..<keyCount).shuffled(using: &random) {
            do {
              let probe = try child.resolve(Probe.self, key: key)
              if probe.generation != key { complain("key \(key) resolves the instance of key \(probe.generation)") }
              let expected = first.withLock { first in
                let expected = first[key] ?? probe
                first[key] = expected
                return expected
              }
              if probe !== expected { complain("key \(key) has two instances") }
            } catch {
              complain("unexpected error: \(error)")
            }
          }
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size * keyCount)
  }

  @Test("Readers find no instance of a replaced registration")
  func replacedRegistrations() async throws {
    let run = StressRun("kept slots of replaced registrations", size: 2_000)
    let census = Census()
    try await withWatchdog("kept slots of replaced registrations") {
      let published = Counter()
      let stayCount = 3
      let app = Container {
        for key in 1...stayCount {
          Registration(Probe.self, scope: .scoped) { _ in Probe(census, generation: key) }.key(key)
        }
        Registration(Probe.self, scope: .scoped) { _ in Probe(census, generation: 0) }
      }
      let stay = try (1...stayCount).map { try app.resolveNow(Probe.self, key: $0) }
      @Sendable func check(_ probe: Probe, _ newest: Int) {
        if !probe.isAlive { complain("the resolve returned a freed instance") }
        if probe.generation < newest {
          complain("the resolve returned generation \(probe.generation) although \(newest) is registered")
        }
      }
      var readers = Readers()
      readers.threads(2) {
        var round = 0
        return {
          round += 1
          let newest = published.value
          do {
            check(try app.resolve(Probe.self), newest)
            let key = round % stayCount
            if try app.resolve(Probe.self, key: key + 1) !== stay[key] {
              complain("key \(key + 1) resolves another instance")
            }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      readers.tasks(1) {
        {
          let newest = published.value
          do { check(try await app.resolve(Probe.self), newest) } catch { complain("unexpected error: \(error)") }
        }
      }
      try await readers.run { pace in
        for number in 1...run.size {
          try await app.register(Registration(Probe.self, scope: .scoped) { _ in Probe(census, generation: number) })
          published.raise(to: number)
          if number.isMultiple(of: 8) { await pace() }
        }
      }
      if app.resolveIfReady(Probe.self, key: 1) !== stay[0] {
        complain("the instance of an unchanged registration was dropped")
      }
    }
    try await expectAllReleased(census)
  }
}
