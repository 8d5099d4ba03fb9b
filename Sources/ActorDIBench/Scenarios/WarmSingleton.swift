import ActorDI

/// P1 and P17: an existing singleton, from synchronous code.
struct WarmSingleton: Scenario {
  static let name = "warm-singleton"
  static let summary = "existing singleton of the asked container or of another one, sync, any Greeter"

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
    ]
      + Place.allCases.map { place in
        .threads(
          at: place, of: container,
          answer: { try await $0.resolve((any Greeter).self).answer(Answers.question) },
          { container, count in try repeating(count) { consume(try container.resolve((any Greeter).self)) } })
      }
  }
}
