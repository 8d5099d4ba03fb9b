import ActorDI

/// P17: a warm singleton of a parent, by a typed token and by a string.
struct InheritedKeyed: Scenario {
  static let name = "inherited-keyed"
  static let summary = "warm singleton of a parent by token and string key, sync, any Greeter"

  func contenders() throws -> [Contender] {
    let child = try Relatives().child
    return [
      Floors.staticLet,
      Contender(
        name: ContenderName.token, role: .container,
        answer: { try await child.resolve(.replica).answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve(.replica)) }
        }),
      Contender(
        name: ContenderName.stringKey, role: .container,
        answer: {
          try await child.resolve((any Greeter).self, key: "replica").answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve((any Greeter).self, key: "replica")) }
        }),
    ]
  }
}
