import ActorDI

/// P4: a new object for each resolve, registered in the asked container or in another one.
struct Transient: Scenario {
  static let name = "transient"
  static let summary = "new object by a factory of the asked container or of another one, sync"

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
      .plainDictionary(
        Fixtures.plainDictionary, answer: { $0.resolve(Leaf.self).weight },
        { dictionary, count in repeating(count) { consume(dictionary.resolve(Leaf.self)) } }),
    ]
      + [Place.owner, .child, .link].map { place in
        .threads(
          at: place, of: container, answer: { try await $0.resolve(Leaf.self).weight },
          { container, count in try repeating(count) { consume(try container.resolve(Leaf.self)) } })
      }
  }
}
