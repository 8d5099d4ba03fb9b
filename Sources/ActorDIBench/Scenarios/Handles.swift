import ActorDI

/// P14: ways around the look-up by type, and the scope that holds weakly: a provider of a singleton that has been built, and a
/// shared service that somebody holds.
struct Handles: Scenario {
  static let name = "handles"
  static let summary = "warm singleton by provider, warm shared service, sync, any Greeter"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let provider = container.provider(for: (any Greeter).self)
    let weak = Container {
      Registration((any Greeter).self, scope: .shared) { _ in PoliteGreeter() }
    }
    let holder = try weak.resolve((any Greeter).self)
    return [
      Floors.staticLet,
      Contender(
        name: ContenderName.provider, role: .container,
        answer: { try provider().answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try provider()) }
        }),
      Contender(
        name: ContenderName.shared, role: .container,
        answer: {
          try await weak.resolve((any Greeter).self).answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) { consume(try weak.resolve((any Greeter).self)) }
          withExtendedLifetime(holder) {}
        }),
    ]
  }
}
