import ActorDI

/// P12 and P21: a scope for each request. It is opened, resolves one scoped object, disposes of it, and closes.
struct Scopes: Scenario {
  static let name = "scopes"
  static let summary = "withScope, one scoped object and its disposal"

  let lanes = Lanes.tasks([1, 2])
  let expectedAnswer = Answers.leaf

  static let suspending = "container, suspending disposal"

  func contenders() throws -> [Contender] {
    let container = Self.container { $0.onDispose { consume($0) } }
    let suspending = Self.container { $0.onDispose { (leaf: Leaf) async in consume(leaf) } }
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.leaf().weight },
        work: .tasks { count in
          repeating(count) { consume(Floors.leaf()) }
        }),
      Floors.arithmeticFromTasks(answer: Answers.leaf),
      Self.contender(ContenderName.container, container),
      Self.contender(Self.suspending, suspending),
    ]
  }

  static func container(
    _ disposing: @escaping @Sendable (Registration<Leaf>) -> Registration<Leaf>
  ) -> Container {
    Container {
      disposing(Registration(Leaf.self, scope: .scoped) { _ in Leaf() })
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }

  private static func contender(_ name: String, _ container: Container) -> Contender {
    Contender(
      name: name, role: .container,
      answer: {
        try await container.withScope { scope in try await scope.resolve(Leaf.self).weight }
      },
      work: .tasks { count in
        for _ in 0..<count {
          try await container.withScope { scope in consume(try await scope.resolve(Leaf.self)) }
        }
      })
  }
}
