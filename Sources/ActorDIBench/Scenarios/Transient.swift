import ActorDI

/// P4: a new object at each resolve.
struct Transient: Scenario {
  static let name = "transient"
  static let summary = "transient, sync factory, one object"

  let expectedAnswer = Answers.leaf

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let dictionary = Fixtures.warmDictionary()
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.leaf().weight },
        work: .threads { count in
          repeating(count) { consume(Floors.leaf()) }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.make(Leaf.self).weight },
        work: .threads { count in
          repeating(count) { consume(dictionary.make(Leaf.self)) }
        }),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await container.resolve(Leaf.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try container.resolve(Leaf.self)) }
        }),
    ]
  }
}
