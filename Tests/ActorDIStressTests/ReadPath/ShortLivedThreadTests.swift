import Testing

@testable import ActorDI

/// Threads that resolve once and end. The library reuses their records.
@Suite(.inTurn) struct ShortLivedThreadTests {
  @Test("Thousands of threads reuse few records, and free all instances")
  func records() async throws {
    let run = StressRun("short-lived threads", size: 2000)
    let census = Census()
    try await withWatchdog("short-lived threads") {
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
        Registration(Probe.self, scope: .transient) { r in
          _ = try r.resolve(Probe.self)
          return Probe(census)
        }.key("transient")
      }
      let records = Lock<Set<UInt>>([])
      for batch in 0..<run.size / 8 {
        await Threads.run(8) { index in
          do {
            let probe =
              index.isMultiple(of: 2)
              ? try container.resolve(Probe.self)
              : try container.resolve(Probe.self, key: "transient")
            if !probe.isAlive { complain("the resolve returned a freed instance") }
          } catch {
            complain("unexpected error: \(error)")
          }
          let record = ThreadRecordPointer.current.address
          records.withLock { _ = $0.insert(record) }
        }
        if batch.isMultiple(of: 10) { await container.reset() }
      }
      #expect(records.withLock { $0.count } < 200)
      await census.wait(until: 1)
    }
    try await expectAllReleased(census)
  }

  @Test("Threads that start and end during resets get live instances")
  func readersThatEnd() async throws {
    let run = StressRun("threads that end during resets", size: 200)
    let census = Census()
    try await withWatchdog("threads that end during resets") {
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
      }
      let done = Flag()
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 0..<run.size {
            await Threads.run(6) { _ in
              for _ in 0..<20 {
                guard let probe = try? container.resolve(Probe.self) else {
                  complain("the resolve returned no instance")
                  return
                }
                if !probe.isAlive { complain("the resolve returned a freed instance") }
              }
            }
          }
          done.raise()
        }
        var resets = 0
        while !done.isRaised {
          await container.reset(Probe.self)
          resets += 1
          if resets.isMultiple(of: 256) { await census.settle() } else { await Task.yield() }
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.most < 1000)
  }
}
