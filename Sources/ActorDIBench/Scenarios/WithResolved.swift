import ActorDI

/// P6: an existing singleton, borrowed for the duration of a closure.
struct WithResolved: Scenario {
  static let name = "with-resolved"
  static let summary = "existing singleton, borrowed by withResolved, sync, any Greeter"

  static let borrowed = "container, withResolved"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let dictionary = Fixtures.warmDictionary()
    return [
      Floors.staticLet,
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.resolve((any Greeter).self).answer(Answers.question) },
        work: .threads { count in
          repeating(count) { consume(dictionary.resolve((any Greeter).self)) }
        }),
      // Shares nothing, so it scales with the cores that other programs leave free, and no further.
      Contender(
        name: ContenderName.arithmetic, role: .probe,
        answer: { opaque(Answers.base) + Answers.question },
        work: .threads { count in
          repeating(count) { _ = opaque(count) }
        }),
      Contender(
        name: Self.borrowed, role: .container,
        answer: {
          try container.withResolved((any Greeter).self) { $0.answer(Answers.question) }
        },
        work: .threads { count in
          try repeating(count) {
            try container.withResolved((any Greeter).self) { consume($0) }
          }
        }),
    ]
  }
}
