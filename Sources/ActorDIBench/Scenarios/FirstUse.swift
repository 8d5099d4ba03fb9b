import ActorDI

/// Measures one operation on each of many registries. The creation and the end of a registry are not timed.
struct FirstUse {
  typealias Operation = () async throws -> Int

  let scenario: String

  /// Creates a contender.
  ///
  /// - Parameter prepare: Creates a registry, and returns the operation that registers and resolves one service in it.
  func contender(
    _ name: String, _ role: Contender.Role,
    _ prepare: @escaping @Sendable (_ isTrial: Bool) -> Operation
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await prepare(true)() },
      // In a task of its own: on the main actor, each call would change threads.
      work: .own { load in
        try await Task.detached { try await measure(load, name, prepare) }.value
      })
  }

  private func measure(
    _ load: Load, _ name: String, _ prepare: (_ isTrial: Bool) -> Operation
  ) async throws -> Sample {
    var time: UInt64 = 0
    for _ in 0..<load.iterations {
      let operation = prepare(false)
      let beginning = Clock.now()
      let answer = try await operation()
      time += Clock.now() &- beginning
      guard answer == 1 else {
        throw BenchmarkError.wrongAnswer(scenario: scenario, contender: name, answer: answer, expected: 1)
      }
    }
    return Sample(total: Double(time), operations: load.iterations)
  }

  /// A container with some registrations.
  static func container() -> Container {
    Container {
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }

  /// A hand-written registry with the same registrations.
  static func locked() -> LockedRegistry {
    let registry = LockedRegistry()
    for number in 0..<Fixtures.bystanders { registry.register(Bystander.self, key: number) { Bystander() } }
    return registry
  }
}
