import ActorDI

/// P16: one more service in an existing container, registered and then resolved for the first time. Its type is new to the container
/// only; see ``NewTypeInProcess`` for one that is new to the process.
struct NewType: Scenario {
  static let name = "new-type"
  static let summary = "registering one singleton, and its first resolve"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  let expectedAnswer = 1

  /// Each operation needs its own registry, whose creation takes much longer than the operation.
  let mostRepeats = 7

  func contenders() -> [Contender] {
    let firstUse = FirstUse(scenario: Self.name)
    return [
      firstUse.contender(ContenderName.mutex, .floor) { _ in
        let registry = FirstUse.locked()
        return {
          registry.register(Leaf.self) { Leaf() }
          return registry.resolve(Leaf.self).weight
        }
      },
      firstUse.contender(ContenderName.container, .container) { _ in
        let container = FirstUse.container()
        return {
          try await container.register(Leaf.self, scope: .singleton) { _ in Leaf() }
          return try await container.resolve(Leaf.self).weight
        }
      },
    ]
  }
}
