import ActorDI
import Testing

private final class Made: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

/// Tokens with a default under concurrent first resolves.
@Suite(.inTurn) struct DefaultStressTests {
  @Test(
    "Threads and tasks that resolve a default first, from scopes and children, share one registration and one instance")
  func firstResolves() async throws {
    let run = StressRun("defaults", size: 300)
    let census = Census()
    let token = ServiceKey<Made>("made") { Registration(scope: .singleton) { _ in Made(Probe(census)) } }
    try await withWatchdog("first resolves of a default") {
      for _ in 0..<run.size {
        let root = Container()
        let child = root.makeChild(name: "child")
        async let ofThreads: Void = Threads.run(2) { index in
          expectOne(try? (index == 0 ? root : child).resolve(token), in: root, token)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<4 {
            group.addTask {
              let made = try await (index < 2 ? child : root).withScope { scope in try await scope.resolve(token) }
              expectOne(made, in: root, token)
            }
          }
          try await group.waitForAll()
        }
        await ofThreads
        #expect(root.registrationCount == 1 && child.registrationCount == 0)
        try await root.shutdown()
      }
      #expect(census.made == run.size)
      // Threads free what they have retired with a delay.
      await census.wait(until: 0)
    }
  }

  @Test("A default is found while other threads remove it and register the token")
  func removals() async throws {
    let run = StressRun("removed defaults", size: 2000)
    let token = ServiceKey<Int>("number") { Registration(instance: 1) }
    try await withWatchdog("removed defaults") {
      let container = Container()
      var readers = Readers()
      readers.threads(1) {
        return {
          if let number = try? container.resolve(token), number != 1, number != 2 { complain("it is \(number)") }
        }
      }
      readers.tasks(1) {
        return {
          let number = try? await container.makeChild(name: "child").resolve(token)
          if let number, number != 1, number != 2 { complain("it is \(number)") }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          if round.isMultiple(of: 3) { try await container.register(Registration(instance: 2).key(token)) }
          await container.unregister(token)
          if round.isMultiple(of: 8) { await pace() }
        }
      }
      #expect(try await container.resolve(token) == 1)
    }
  }
}

private func expectOne(_ made: Made?, in root: Container, _ token: ServiceKey<Made>) {
  if made == nil || made !== root.resolveIfReady(token) {
    complain("a resolve of the default returned another instance")
  }
}
