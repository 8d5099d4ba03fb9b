import ActorDI

/// P10: services registered one by one, each resolved before the next: the cost of a step while a registry grows from 0 to n.
struct RegisteringInTurn: Scenario {
  static let name = "registering-in-turn"
  static let summary = "n singletons, each registered and then resolved, per step"

  let lanes = Lanes.registrations(ManyServices.counts)
  let expectedAnswer = 1

  func operationsPerIteration(lane: Int) -> Int { lane }

  func contenders() -> [Contender] {
    [
      contender(ContenderName.mutex, .baseline) { count in
        let registry = LockedRegistry()
        for number in 0..<count {
          registry.register(Bystander.self, key: number) { Bystander() }
          consume(registry.resolve(Bystander.self, key: number))
        }
        return { registry.count }
      },
      contender(ContenderName.container, .container) { count in
        let container = Container()
        for number in 0..<count {
          try await container.register(Bystander.self, key: number, scope: .singleton) { _ in Bystander() }
          consume(try await container.resolve(Bystander.self, key: number))
        }
        return { container.registrationCount }
      },
    ]
  }

  /// Creates a contender.
  ///
  /// - Parameter run: Registers and resolves the given number of services. Returns a closure that counts the registrations and keeps
  ///   the registry alive, because its end is not timed.
  private func contender(
    _ name: String, _ role: Contender.Role,
    _ run: @escaping @Sendable (_ count: Int) async throws -> () -> Int
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await run(10)() == 10 ? 1 : 0 },
      // In a task of its own: on the main actor, each call would change threads.
      work: .own { load in
        try await Task.detached { try await Self.measure(load, name, run) }.value
      })
  }

  private static func measure(
    _ load: Load, _ name: String, _ run: (_ count: Int) async throws -> () -> Int
  ) async throws -> Sample {
    var time: UInt64 = 0
    for _ in 0..<load.iterations {
      let beginning = Clock.now()
      let count = try await run(load.lane)
      time += Clock.now() &- beginning
      guard count() == load.lane else {
        throw BenchmarkError.wrongAnswer(
          scenario: Self.name, contender: name, answer: count(), expected: load.lane)
      }
    }
    return Sample(total: Double(time), operations: load.iterations * load.lane)
  }
}
