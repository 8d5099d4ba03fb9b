import ActorDI

/// P9 by type: as many types as services. The process has seen all of them before, so that the time excludes the runtime's creation of
/// metadata; see ``NewTypeInProcess`` for that. Each type is registered through a protocol's metatype, because so many types cannot be
/// written out.
struct RegisteringTypes: Scenario {
  static let name = "registering-types"
  static let summary = "n singletons of n types registered in one batch, per service"

  /// The runtime never frees a type's metadata: more types would take hundreds of megabytes.
  let lanes = Lanes.registrations(ManyServices.counts.filter { $0 <= 10_000 })
  let expectedAnswer = 1

  /// Large registries take long, and their figures are steady.
  let mostRepeats = 9

  func operationsPerIteration(lane: Int) -> Int { lane }

  func contenders() -> [Contender] {
    [
      Batch.contender(ContenderName.mutex, .baseline, in: Self.name) { count in
        let registry = LockedRegistry()
        let types = ManyServices.types.prefix(count)
        return Batch(
          register: { for type in types { Self.register(type, in: registry) } },
          registered: { registry.count })
      },
      Batch.contender(ContenderName.container, .container, in: Self.name) { count in
        .container(count, .type)
      },
    ]
  }

  private static func register<Service: Numbered>(_ type: Service.Type, in registry: LockedRegistry) {
    registry.register(type) { Service() }
  }
}
