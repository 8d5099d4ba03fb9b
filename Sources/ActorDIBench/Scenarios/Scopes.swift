import ActorDI

/// P12 and P21: a scope for each request. It is opened, resolves one scoped object, disposes of it, and closes.
struct Scopes: Scenario {
  static let name = "scopes"
  static let summary = "withScope, one scoped object and its disposal"

  let lanes = Lanes.tasks([])
  let expectedAnswer = Answers.leaf

  func contenders() throws -> [Contender] {
    let container = Self.container()
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.leaf().weight },
        work: .tasks { count in
          repeating(count) { consume(Floors.leaf()) }
        }),
      Floors.arithmeticFromTasks(answer: Answers.leaf),
      Contender(
        name: ContenderName.container, role: .container,
        answer: {
          try await container.withScope { scope in try await scope.resolve(Leaf.self).weight }
        },
        work: .tasks { count in
          for _ in 0..<count {
            try await container.withScope { scope in consume(try await scope.resolve(Leaf.self)) }
          }
        }),
    ]
  }

  static func container() -> Container {
    Container {
      Registration(Leaf.self, scope: .scoped) { _ in Leaf() }.onDispose { consume($0) }
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }
}
