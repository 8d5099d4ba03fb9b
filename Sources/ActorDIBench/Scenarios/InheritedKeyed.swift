import ActorDI

/// P17: a warm singleton of a parent, by a typed token and by a string.
struct InheritedKeyed: Scenario {
  static let name = "inherited-keyed"
  static let summary = "warm singleton of a parent by token and string key, sync, any Greeter"

  func contenders() throws -> [Contender] {
    let relatives = try Relatives()
    let child = relatives.child
    let childWithKeys = relatives.app.makeChild {
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }.key("own")
    }
    return [
      Floors.staticLet,
      byToken(ContenderName.token, from: child),
      byToken(ContenderName.tokenBehindKeys, from: childWithKeys),
      Contender(
        name: ContenderName.stringKey, role: .container,
        answer: {
          try await child.resolve((any Greeter).self, key: Fixtures.stringKey).answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve((any Greeter).self, key: "replica")) }
        }),
    ]
  }

  private func byToken(_ name: String, from child: Container) -> Contender {
    Contender(
      name: name, role: .container,
      answer: { try await child.resolve(.replica).answer(Answers.question) },
      work: .threads { count in
        try repeating(count) { consume(try child.resolve(.replica)) }
      })
  }
}
