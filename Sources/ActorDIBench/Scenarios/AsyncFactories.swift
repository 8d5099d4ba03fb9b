import ActorDI

/// P20: services made by asynchronous factories, which do not suspend here: a transient that takes a singleton or two transients, and a
/// scoped service in a scope for each request.
struct AsyncFactories: Scenario {
  static let name = "async-factories"
  static let summary = "services made by asynchronous factories, await"

  static let task = "a task, by hand (floor)"
  static let transient = "container, transient"
  static let transientOfTransients = "container, transient of two transients"
  static let scoped = "container, scoped, in a scope"

  let lanes = Lanes.tasks([1, 2])
  let expectedAnswer = Answers.leaf

  func contenders() -> [Contender] {
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
      Registration(Loaded.self) { r in Loaded(leaf: try await r.resolve()) }
      Registration(autowired: Twig.self, initializer: Twig.init)
      Registration(Branch.self) { r in Branch(left: try await r.resolve(), right: try await r.resolve()) }
      Registration(Visit.self, scope: .scoped) { r in Visit(twig: try await r.resolve()) }
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
    return [
      Contender(
        name: Self.task, role: .floor,
        answer: { await Task.detached { Floors.leaf() }.value.weight },
        work: .tasks { count in
          for _ in 0..<count { consume(await Task.detached { Floors.leaf() }.value) }
        }),
      Contender(
        name: Self.transient, role: .container,
        answer: { try await container.resolve(Loaded.self).leaf.weight },
        work: .tasks { count in
          for _ in 0..<count { consume(try await container.resolve(Loaded.self).leaf) }
        }),
      Contender(
        name: Self.transientOfTransients, role: .container,
        answer: { try await container.resolve(Branch.self).left.leaf.weight },
        work: .tasks { count in
          for _ in 0..<count { consume(try await container.resolve(Branch.self).left.leaf) }
        }),
      Contender(
        name: Self.scoped, role: .container,
        answer: { try await container.withScope { scope in try await scope.resolve(Visit.self).twig.leaf.weight } },
        work: .tasks { count in
          for _ in 0..<count {
            try await container.withScope { scope in consume(try await scope.resolve(Visit.self).twig.leaf) }
          }
        }),
    ]
  }
}

private final class Loaded: Sendable {
  let leaf: Leaf
  init(leaf: Leaf) { self.leaf = leaf }
}

private final class Twig: Sendable {
  let leaf: Leaf
  init(leaf: Leaf) { self.leaf = leaf }
}

private final class Branch: Sendable {
  let left: Twig
  let right: Twig
  init(left: Twig, right: Twig) { (self.left, self.right) = (left, right) }
}

private final class Visit: Sendable {
  let twig: Twig
  init(twig: Twig) { self.twig = twig }
}
