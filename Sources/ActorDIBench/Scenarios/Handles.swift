import ActorDI

/// P14: ways to an existing instance other than `resolve`, and scopes other than the singleton's. The subjects are a provider of a built
/// singleton, an injected property, a child's scoped service that is registered in its parent, and a shared service in use.
struct Handles: Scenario {
  static let name = "handles"
  static let summary = "existing instance by provider, by injected property and by scope, sync, any Greeter"

  static let provider = "container, provider"
  static let injected = "container, injected property"
  static let scoped = "container, scoped"
  static let shared = "container, shared"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let provider = container.provider(for: (any Greeter).self)
    let injected = Injected<any Greeter>(from: container)
    let app = Container {
      Registration((any Greeter).self, scope: .scoped) { _ in PoliteGreeter() }
    }
    let scope = app.makeChild()
    // A scope may request a service only once, so the fast path finds a scoped instance only from the second resolve on.
    for _ in 0..<2 { _ = try scope.resolve((any Greeter).self) }
    let weak = Container {
      Registration((any Greeter).self, scope: .shared) { _ in PoliteGreeter() }
    }
    let holder = try weak.resolve((any Greeter).self)
    return [
      Floors.staticLet,
      Contender(
        name: Self.provider, role: .container,
        answer: { try provider().answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try provider()) }
        }),
      Contender(
        name: Self.injected, role: .container,
        answer: { injected.wrappedValue.answer(Answers.question) },
        work: .threads { count in
          repeating(count) { consume(injected.wrappedValue) }
        }),
      Contender(
        name: Self.scoped, role: .container,
        answer: {
          try await scope.resolve((any Greeter).self).answer(Answers.question)
        },
        work: .threads { count in
          try repeating(count) { consume(try scope.resolve((any Greeter).self)) }
        }),
      Contender(
        name: Self.shared, role: .container,
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
