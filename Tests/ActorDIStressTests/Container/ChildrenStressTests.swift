import ActorDI
import Testing

/// Containers that are made, filled, cleared and freed while others resolve through them.
@Suite(.inTurn) struct ChildrenStressTests {
  @Test("Registering and clearing a batch are atomic for readers")
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
            complain("unexpected error: \(error)")
          }
          if ![0, 3].contains(parent.totalRegistrationCount) { complain("the container has a part of a batch") }
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

  @Test("A parent finds its living children, and keeps none alive")
  func livingChildren() async throws {
    let run = StressRun("short-lived children", size: 2000)
    let census = Census()
    try await withWatchdog("short-lived children") {
      let parent = Container { Registration(Probe.self) { _ in Probe(census) } }
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = run.random(task)
            for round in 0..<run.size / 4 {
              // A unique name, since a task that counts can hold the previous child for a moment.
              let name = "child \(task).\(round)"
              let child = parent.makeChild(name: name) {
                Registration(Probe.self, scope: .singleton) { _ in Probe(census) }.key("own")
              }
              if parent.child(named: name) !== child { complain("the parent does not find a living child") }
              if parent.totalRegistrationCount < 2 { complain("the parent does not count a living child") }
              do {
                let owned = try await child.resolve(Owned<Probe>.self)
                let probe = try await child.resolve(Probe.self, key: "own")
                if !owned.value.isAlive || !probe.isAlive { complain("the resolve returned a freed instance") }
                if Bool.random(using: &random) { await owned.dispose() }
                if Bool.random(using: &random) { await child.clear() }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
      }
      await census.wait(until: 0)
      if parent.totalRegistrationCount != 1 { complain("the parent counts freed children") }
      if parent.child(named: "child 0.0") != nil { complain("the parent finds a freed child") }
    }
  }
}

private func check(_ resolve: () throws -> [Probe]) {
  do {
    let probes = try resolve()
    if ![0, 3].contains(probes.count) { complain("the array has \(probes.count) of a batch's 3 elements") }
    if probes.contains(where: { !$0.isAlive }) { complain("the resolve returned a freed instance") }
  } catch {
    complain("unexpected error: \(error)")
  }
}
