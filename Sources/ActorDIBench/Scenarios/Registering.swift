import ActorDI

/// P9: many services registered in one batch, and their heap use. All have the same type, with different keys.
struct Registering: Scenario {
  static let name = "registering"
  static let summary = "n singletons of one type registered in one batch by key, per service"

  let lanes = Lanes.registrations(ManyServices.counts)
  let expectedAnswer = 1

  /// Large registries take long, and their figures are steady.
  let mostRepeats = 9

  func operationsPerIteration(lane: Int) -> Int { lane }

  func contenders() -> [Contender] {
    [
      Batch.contender(ContenderName.mutex, .baseline, in: Self.name) { count in
        let registry = LockedRegistry()
        return Batch(
          register: {
            for number in 0..<count { registry.register(Bystander.self, key: number) { Bystander() } }
          },
          registered: { registry.count })
      },
      Batch.contender(ContenderName.container, .container, in: Self.name) { count in
        .container(count, .key)
      },
    ]
  }
}
