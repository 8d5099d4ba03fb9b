import ActorDI

/// P3: an existing singleton, by a typed token, a string and an enum case.
struct Keyed: Scenario {
  static let name = "keyed"
  static let summary = "existing singleton by token, string key and enum key, sync, any Greeter"

  static let token = "container, token"
  static let stringKey = "container, string key"
  static let enumKey = "container, enum key"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let dictionary = Fixtures.warmDictionary()
    return [
      Floors.staticLet,
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: {
          dictionary.resolve((any Greeter).self, key: "replica").answer(Answers.question)
        },
        work: .threads { count in
          repeating(count) { consume(dictionary.resolve((any Greeter).self, key: "replica")) }
        }),
      Contender(
        name: Self.token, role: .container,
        answer: { try await container.resolve(.replica).answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try container.resolve(.replica)) }
        }),
      Contender(
        name: Self.stringKey, role: .container,
        answer: {
          try await container.resolve((any Greeter).self, key: "replica").answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) {
            consume(try container.resolve((any Greeter).self, key: "replica"))
          }
        }),
      Contender(
        name: Self.enumKey, role: .container,
        answer: {
          try await container.resolve((any Greeter).self, key: Channel.replica)
            .answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) {
            consume(try container.resolve((any Greeter).self, key: Channel.replica))
          }
        }),
    ]
  }
}
