import ActorDI
import Testing

/// Containers that come, are filled and cleared, and go, while others resolve through them.
@Suite(.inTurn) struct ChildrenStressTests {
  @Test("A batch is seen whole, and cleared whole; what is handed out meanwhile is alive")
  func clearing() async throws {
    let run = StressRun("clearing", size: 1000)
    let census = Census()
    try await withWatchdog("clearing") {
      let parent = Container()
      let child = parent.makeChild()
      var readers = Readers()
      readers.threads(1) {
        { check { try child.resolve([Probe].self) } }
      }
      readers.tasks(2) {
        {
          do {
            let probes = try await child.resolve([Probe].self)
            check { probes }
          } catch {
            complain("\(error)")
          }
          if ![0, 3].contains(parent.totalRegistrationCount) { complain("a part of a batch") }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          try await parent.register {
            for key in 0..<3 { Registration(Probe.self, scope: .singleton) { _ in Probe(census) }.key(key) }
          }
          if round % 8 == 0 { await pace() }
          if round.isMultiple(of: 2) { await parent.clear() } else { await parent.clearAll() }
        }
      }
      await census.wait(until: 0)
    }
    #expect(census.made > 0)
  }

  @Test("Children are found while they live, and leave nothing behind")
  func comingAndGoing() async throws {
    let run = StressRun("children coming and going", size: 2000)
    let census = Census()
    try await withWatchdog("children coming and going") {
      let parent = Container { Registration(Probe.self) { _ in Probe(census) } }
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = run.random(task)
            for round in 0..<run.size / 4 {
              // Not the last one's name: another task that counts may hold on to that child for a moment.
              let name = "child \(task).\(round)"
              let child = parent.makeChild(name: name) {
                Registration(Probe.self, scope: .singleton) { _ in Probe(census) }.key("own")
              }
              if parent.child(named: name) !== child { complain("a living child is not found") }
              if parent.totalRegistrationCount < 2 { complain("a living child is not counted") }
              do {
                let owned = try await child.resolve(Owned<Probe>.self)
                let probe = try await child.resolve(Probe.self, key: "own")
                if !owned.value.isAlive || !probe.isAlive { complain("a dead instance") }
                if Bool.random(using: &random) { await owned.dispose() }
                if Bool.random(using: &random) { await child.clear() }
              } catch {
                complain("\(error)")
              }
            }
          }
        }
      }
      await census.wait(until: 0)
      if parent.totalRegistrationCount != 1 { complain("children that nobody holds") }
      if parent.child(named: "child 0.0") != nil { complain("a child that nobody holds") }
    }
  }
}

private func check(_ resolve: () throws -> [Probe]) {
  do {
    let probes = try resolve()
    if ![0, 3].contains(probes.count) { complain("\(probes.count) of a batch of 3") }
    if probes.contains(where: { !$0.isAlive }) { complain("a dead instance") }
  } catch {
    complain("\(error)")
  }
}
