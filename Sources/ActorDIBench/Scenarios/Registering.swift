import ActorDI

/// P9: many services registered in one batch, and their heap use. All have the same type, with different keys.
struct Registering: Scenario {
  static let name = "registering"
  static let summary = "n singletons of one type registered in one batch by key, per service"

  let lanes = Lanes.registrations(ManyServices.counts)
  let expectedAnswer = 1

  func operationsPerIteration(lane: Int) -> Int { lane }

  func contenders() -> [Contender] {
    [
      Self.contender(ContenderName.mutex, .baseline) { count in
        let registry = LockedRegistry()
        return Batch(
          register: {
            for number in 0..<count { registry.register(Bystander.self, key: number) { Bystander() } }
          },
          registered: { registry.count })
      },
      Self.contender(ContenderName.container, .container) { count in
        let container = Container()
        return Batch(
          register: { try await container.register { ManyServices.registrations(count, .key) } },
          registered: { container.registrationCount })
      },
    ]
  }

  /// Services to register together in a registry of their own.
  ///
  /// The time is that of the call, in which the builder creates the registrations. The creation and the end of the registry are not
  /// timed.
  struct Batch {
    let register: () async throws -> Void
    let registered: () -> Int
  }

  /// Creates a contender that registers batches.
  ///
  /// - Parameter make: Prepares a batch of the given number of services.
  static func contender(
    _ name: String, _ role: Contender.Role, _ make: @escaping @Sendable (_ count: Int) -> Batch
  ) -> Contender {
    Contender(
      name: name, role: role,
      answer: {
        let batch = make(10)
        try await batch.register()
        return batch.registered() == 10 ? 1 : 0
      },
      // In a task of its own: on the main actor, each call would change threads.
      work: .own { load in
        try await Task.detached {
          var sample = Sample(total: 0, operations: 0)
          for _ in 0..<load.iterations {
            sample.add(try await measure(make(load.lane), of: load.lane, by: name))
          }
          return sample
        }.value
      })
  }

  private static func measure(_ batch: Batch, of count: Int, by contender: String) async throws -> Sample {
    // Measuring the peak takes longer than registering a small batch, whose peak is irrelevant.
    let hasPeak = count >= 10_000 && Memory.beginPeak()
    let before = Memory.live
    let beginning = Clock.now()
    try await batch.register()
    let time = Clock.now() &- beginning
    let retained = Memory.live - before
    guard batch.registered() == count else {
      throw BenchmarkError.wrongAnswer(
        scenario: name, contender: contender, answer: batch.registered(), expected: count)
    }
    var details: [Detail: Double] = [:]
    if Memory.obstacle == nil { details[.retained] = Double(retained) / Double(count) }
    if hasPeak { details[.peak] = Memory.peak.map(Double.init) }
    return Sample(total: Double(time), operations: count, details: details)
  }
}
