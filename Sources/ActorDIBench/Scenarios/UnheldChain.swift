import ActorDI

/// P5: the chain in `.shared` scope. Nothing holds the objects of the resolve before, so each resolve makes ten new ones.
struct UnheldChain: Scenario {
  static let name = "unheld"
  static let summary = "chain of 10 shared objects that nothing holds, sync"

  let expectedAnswer = Answers.objects

  func contenders() throws -> [Contender] {
    let container = Chain.factories(scope: .shared)
    return [
      Chain.plain,
      Contender(
        name: ContenderName.shared, role: .container,
        answer: { try await container.resolve(Link9.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try container.resolve(Link9.self)) }
        }),
    ]
  }
}
