import ActorDI

/// Services to register together in a registry of their own.
///
/// The time is that of the call, in which the builder creates the registrations. The creation and the end of the registry are not
/// timed.
struct Batch {
  let register: () async throws -> Void
  let registered: () -> Int

  static func container(_ count: Int, _ distinction: ManyServices.Distinction) -> Batch {
    let container = Container()
    return Batch(
      register: { try await container.register { ManyServices.registrations(count, distinction) } },
      registered: { container.registrationCount })
  }

  /// Creates a contender that registers batches.
  ///
  /// - Parameter make: Prepares a batch of the given number of services.
  static func contender(
    _ name: String, _ role: Contender.Role, in scenario: String,
    _ make: @escaping @Sendable (_ count: Int) -> Batch
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
            sample.add(try await make(load.lane).sample(load.lane, of: name, in: scenario))
          }
          return sample
        }.value
      })
  }

  private func sample(_ count: Int, of contender: String, in scenario: String) async throws -> Sample {
    // Measuring the peak takes longer than registering a small batch, whose peak is irrelevant.
    let hasPeak = count >= 10_000 && Memory.beginPeak()
    let before = Memory.live
    let beginning = Clock.now()
    try await register()
    let time = Clock.now() &- beginning
    let retained = Memory.live - before
    guard registered() == count else {
      throw BenchmarkError.wrongAnswer(
        scenario: scenario, contender: contender, answer: registered(), expected: count)
    }
    var details: [Detail: Double] = [:]
    if Memory.obstacle == nil { details[.retained] = Double(retained) / Double(count) }
    if hasPeak { details[.peak] = Memory.peak.map(Double.init) }
    return Sample(total: Double(time), operations: count, details: details)
  }
}
