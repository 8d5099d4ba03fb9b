import ActorDI

/// P1: a warm singleton, from synchronous code.
struct WarmSingleton: Scenario {
  static let name = "warm-singleton"
  static let summary = "warm singleton, sync, any Greeter"

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
      .plainDictionary(
        Fixtures.plainDictionary, answer: { $0.resolve((any Greeter).self).answer(Answers.question) },
        { dictionary, count in repeating(count) { consume(dictionary.resolve((any Greeter).self)) } }),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try container.resolve((any Greeter).self)) }
        }),
    ]
  }
}
