import ActorDI

/// P14: ways to an existing instance other than `resolve`, and scopes other than the singleton's. The subjects are a provider of a built
/// singleton, `resolveIfReady` of the same, an injected property, a token with an argument, a child's scoped service that is registered in
/// its parent, and a shared service in use.
struct Handles: Scenario {
  static let name = "handles"
  static let summary = "warm services by provider, by resolveIfReady and by scope, sync, any Greeter"

  static let injected = "container, injected property"
  static let argument = "container, token with an argument"

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
    let injected = Injected<any Greeter>(from: container)
    let token = ServiceKey<any Greeter>("greeter")
    let parameterised = Container {
      Registration(token, scope: .singleton) { (_, _: Int) in PoliteGreeter() as any Greeter }
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
        name: ContenderName.ready, role: .container,
        answer: { container.resolveIfReady((any Greeter).self).map { $0.answer(Answers.question) } ?? 0 },
        work: .threads { count in
          repeating(count) {
            if let greeter = container.resolveIfReady((any Greeter).self) { consume(greeter) }
          }
        }),
      Contender(
        name: Self.injected, role: .container,
        answer: { injected.wrappedValue.answer(Answers.question) },
        work: .threads { count in
          repeating(count) { consume(injected.wrappedValue) }
        }),
      Contender(
        name: Self.argument, role: .container,
        answer: { try await parameterised.resolve(token, arguments: 1).answer(Answers.question) },
        work: .threads { count in
          try repeating(count) { consume(try parameterised.resolve(token, arguments: 1)) }
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
