import ActorDI

/// P14: ways to an existing instance other than `resolve`, and scopes other than the singleton's. The subjects are a provider of a built
/// singleton, `resolveIfReady` of the same, a child's scoped service that is registered in its parent, and a shared service in use.
struct Handles: Scenario {
  static let name = "handles"
  static let summary = "warm services by provider, by resolveIfReady and by scope, sync, any Greeter"

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
    // A scope may request a service only once, so the fast path finds a scoped instance only from the second resolve on.
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
        name: ContenderName.ready, role: .container,
        answer: { container.resolveIfReady((any Greeter).self).map { $0.answer(Answers.question) } ?? 0 },
        work: .threads { count in
          repeating(count) {
            if let greeter = container.resolveIfReady((any Greeter).self) { consume(greeter) }
          }
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
