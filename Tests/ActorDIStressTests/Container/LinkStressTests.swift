import ActorDI
import Testing

/// Links that are made and cancelled, with their containers, while others resolve through them.
@Suite(.inTurn) struct LinkStressTests {
  @Test("Readers find a linked service or nothing while links change")
  func churn() async throws {
    let run = StressRun("links under churn", size: 2000)
    let census = Census()
    try await withWatchdog("links under churn") {
      let front = Container()
      var readers = Readers()
      readers.threads(2) {
        {
          do {
            let probe = try front.resolve(Probe.self)
            if !probe.isAlive { complain("the resolve returned a freed instance") }
          } catch {
            expectMissing(error)
          }
        }
      }
      readers.tasks(2) {
        {
          do {
            let probes = try await front.resolve([Probe].self)
            if probes.contains(where: { !$0.isAlive }) { complain("the resolve returned a freed instance") }
            let probe = try await front.resolve(Probe?.self, key: "suspending")
            if probe.map({ !$0.isAlive }) ?? false { complain("the resolve returned a freed instance") }
          } catch {
            expectMissing(error)
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          let back = Container {
            Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
            Registration(Probe.self, scope: .singleton) { _ in
              await Task.yield()
              return Probe(census)
            }.key("suspending")
          }
          let link = front.link(back)
          if round % 16 == 0 { await pace() }
          link.cancel()
        }
      }
      await census.wait(until: 0)
    }
    #expect(census.made > 0)
  }
}

private func expectMissing(_ error: any Error) {
  guard let error = error as? ResolutionError, error.code == .notRegistered else {
    return complain("unexpected error: \(error)")
  }
}
