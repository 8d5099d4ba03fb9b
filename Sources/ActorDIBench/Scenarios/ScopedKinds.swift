import ActorDI

/// P20: a scope with one scoped service, registered in the ways that programs use besides a plain factory closure.
struct ScopedKinds: Scenario {
  static let name = "scoped-kinds"
  static let summary = "a scope with one scoped service: by alias, with a hook, with an argument, disposable, await"

  static let alias = "container, by alias"
  static let hook = "container, with a hook"
  static let argument = "container, with an argument"
  static let disposable = "container, disposable"
  static let registeredAlias = "container, instance of the scope by alias"

  let lanes = Lanes.tasks([1, 2])
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    let container = Container {
      Registration(Plain.self, scope: .scoped) { _ in Plain() }
      Registration(Worker.self, scope: .scoped) { _ in Worker() }.implements((any Working).self) { $0 }
      Registration(Hooked.self, scope: .scoped) { _ in Hooked() }.onCreated { _, _ in }
      Registration(Weighted.self, scope: .scoped) { (_, weight: Int) in Weighted(weight: weight) }
      Registration(Connection.self, scope: .scoped) { _ in Connection() }
    }
    return [
      Self.contender(ContenderName.factory, container) { try await $0.resolve(Plain.self).weight },
      Self.contender(Self.alias, container) { try await $0.resolve((any Working).self).weight },
      Self.contender(Self.hook, container) { try await $0.resolve(Hooked.self).weight },
      Self.contender(Self.argument, container) { try await $0.resolve(Weighted.self, arguments: 1).weight },
      Self.contender(Self.disposable, container) { try await $0.resolve(Connection.self).weight },
      Contender(
        name: Self.registeredAlias, role: .container, answer: { try await Self.weightOfRegisteredAlias(in: container) },
        work: .tasks { count in
          for _ in 0..<count { consume(try await Self.weightOfRegisteredAlias(in: container)) }
        }),
    ]
  }

  @inline(__always)
  private static func contender(
    _ name: String, _ container: Container, _ weight: @escaping @Sendable (Container) async throws -> Int
  ) -> Contender {
    Contender(
      name: name, role: .container,
      answer: { try await container.withScope { scope in try await weight(scope) } },
      work: .tasks { count in
        for _ in 0..<count { try await container.withScope { scope in consume(try await weight(scope)) } }
      })
  }

  private static func weightOfRegisteredAlias(in container: Container) async throws -> Int {
    let worker = Worker()
    return try await container.withScope {
      Registration(instance: worker).implements((any Working).self) { $0 }
    } operation: { scope in
      try await scope.resolve((any Working).self).weight
    }
  }
}

@inline(never) @_optimize(none)
private func consume(_ weight: Int) {}

private protocol Working: Sendable { var weight: Int { get } }
private final class Plain: Sendable { let weight = 1 }
private final class Worker: Working { let weight = 1 }
private final class Hooked: Sendable { let weight = 1 }

private final class Weighted: Sendable {
  let weight: Int
  init(weight: Int) { self.weight = weight }
}

private final class Connection: Disposable {
  let weight = 1
  func dispose() async {}
}
