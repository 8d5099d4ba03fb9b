import ActorDI

/// One operation for each registry, and each registry in its turn: the time of making the registry, and of its end, is not counted.
struct FirstUse {
  typealias Operation = () async throws -> Int

  let scenario: String

  /// - Parameter prepare: makes a registry, and returns the operation that registers and resolves one service in it.
  func contender(
    _ name: String, _ role: Contender.Role,
    _ prepare: @escaping @Sendable (_ isTrial: Bool) -> Operation
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await prepare(true)() },
      // In a task of its own: on the main actor each call would go from thread to thread.
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

  /// A registry with some services in it already.
  static func container() -> Container {
    Container {
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }

  /// The same, as many write it by hand.
  static func locked() -> LockedRegistry {
    let registry = LockedRegistry()
    for number in 0..<Fixtures.bystanders { registry.register(Bystander.self, key: number) { Bystander() } }
    return registry
  }
}
