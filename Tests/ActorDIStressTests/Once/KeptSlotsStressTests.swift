import ActorDI
import Testing

/// What a container keeps, looked up while it grows and while registrations go.
@Suite(.inTurn) struct KeptSlotsStressTests {
  @Test("What is kept is found while the container comes to keep more, and is one instance for all")
  func growth() async throws {
    let run = StressRun("kept slots that are added", size: 200)
    let census = Census()
    let keyCount = 64
    try await withWatchdog("kept slots that are added") {
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
              if probe.generation != key { complain("the instance of \(probe.generation) under \(key)") }
              let expected = first.withLock { first in
                let expected = first[key] ?? probe
                first[key] = expected
                return expected
              }
              if probe !== expected { complain("two instances under \(key)") }
            } catch {
              complain("unexpected: \(error)")
            }
          }
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size * keyCount)
  }

  @Test("Registrations that go take their slots along, and nobody finds anything old")
  func gone() async throws {
    let run = StressRun("kept slots of what is registered again", size: 2_000)
    let census = Census()
    try await withWatchdog("kept slots of what is registered again") {
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
        if !probe.isAlive { complain("a dead instance") }
        if probe.generation < newest { complain("generation \(probe.generation), though \(newest) stands") }
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
            if try app.resolve(Probe.self, key: key + 1) !== stay[key] { complain("another instance under \(key + 1)") }
          } catch {
            complain("unexpected: \(error)")
          }
        }
      }
      readers.tasks(1) {
        {
          let newest = published.value
          do { check(try await app.resolve(Probe.self), newest) } catch { complain("unexpected: \(error)") }
        }
      }
      try await readers.run { pace in
        for number in 1...run.size {
          try await app.register(Registration(Probe.self, scope: .scoped) { _ in Probe(census, generation: number) })
          published.raise(to: number)
          if number.isMultiple(of: 8) { await pace() }
        }
      }
      if app.resolveIfReady(Probe.self, key: 1) !== stay[0] { complain("what stays has gone") }
    }
    try await expectAllReleased(census)
  }
}
