import ActorDI

/// P14: ways around the look-up by type, and scopes beside the singleton: a provider of a singleton that has been built, a scoped
/// service in a child of the container that registers it, and a shared service that somebody holds.
struct Handles: Scenario {
  static let name = "handles"
  static let summary = "warm singleton by provider, warm scoped and shared services, sync, any Greeter"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let provider = container.provider(for: (any Greeter).self)
    let weak = Container {
      Registration((any Greeter).self, scope: .shared) { _ in PoliteGreeter() }
    }
    let app = Container {
      Registration((any Greeter).self, scope: .scoped) { _ in PoliteGreeter() }
    }
    let scope = app.makeChild()
    // What a scope asks for once may be all it ever asks for; from the second time on it is found at once.
    for _ in 0..<2 { _ = try scope.resolve((any Greeter).self) }
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
        name: ContenderName.scoped, role: .container,
        answer: {
          try await scope.resolve((any Greeter).self).answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) { consume(try scope.resolve((any Greeter).self)) }
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
