import ActorDI

/// P16: one more service in a container that is there: registered, and resolved for the first time. Of a type that only the container
/// has not seen; see ``NewTypeInProcess`` for the other.
struct NewType: Scenario {
  static let name = "new-type"
  static let summary = "one singleton registered, and its first resolve"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  let expectedAnswer = 1

  /// Each takes a registry of its own, which takes much longer than what is measured.
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
