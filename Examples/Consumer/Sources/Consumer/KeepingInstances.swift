import ActorDI
import Checks

/// The scopes: how long instances live, and that each is built once.
func keepingInstances(_ checks: Checks) async throws {
  let container = Container(configuration: .init(defaultScope: .singleton)) {
    Registration(autowired: Font.self) { Font(size: 1) }
    Registration(autowired: Mailer.self, scope: .transient) { Mailer() }
    Registration(autowired: Member.self, scope: .shared) { Member() }
    Registration(autowired: Metrics.self, scope: .graph) { Metrics() }
    Registration(Pair.self, scope: .transient) { r in
      Pair(first: try r.resolve(), second: try r.resolve())
    }
    Registration(autowired: (any Database).self, scope: .singleton) {
      try await PostgresDatabase(url: DatabaseURL(text: "once"))
    }
    Registration(Owner.self) { r in try await Owner(port: r.resolve(Remote.self).port) }
    Registration(Remote.self) { r in try await Remote(port: r.resolve(Owner.self).port) }
  }
  checks.expect(
    try await container.resolve(Font.self) === container.resolve(Font.self), "default scope")
  checks.expect(
    try await container.resolve(Mailer.self) !== container.resolve(Mailer.self), "transient")
  let pair = try await container.resolve(Pair.self)
  checks.expect(pair.first === pair.second, "one for the call tree")
  checks.expect(try await container.resolve(Metrics.self) !== pair.first, "one for each call")

  var member: Member? = try await container.resolve(Member.self)
  weak let weakMember = member
  checks.expect(try await container.resolve(Member.self) === member, "shared while it is held")
  member = nil
  checks.expect(weakMember == nil, "and freed with the last reference")

  await checks.expectError(.asyncRequired) { try resolveNow(from: container) }
  let databases = try await withThrowingTaskGroup(of: (any Database).self) { group in
    for _ in 0..<100 { group.addTask { try await container.resolve((any Database).self) } }
    return try await group.reduce(into: Set()) {
      $0.insert(ObjectIdentifier($1 as AnyObject))
    }
  }
  checks.expect(databases.count == 1, "a hundred tasks, one instance")
  try resolveNow(from: container)

  do {
    _ = try await container.resolve(Owner.self)
    checks.expect(false, "a cycle was built")
  } catch let error as ResolutionError {
    checks.expect(error.code == .cycle, "a cycle")
    checks.expect(error.path == ["Owner", "Remote", "Owner"], "its path: \(error.path)")
    let text = error.description
    checks.expect(
      text.hasPrefix("Dependency cycle detected: Owner -> Remote -> Owner"), text)
  }
}

final class Pair: Sendable {
  let first: Metrics
  let second: Metrics

  init(first: Metrics, second: Metrics) {
    self.first = first
    self.second = second
  }
}

private func resolveNow(from container: Container) throws {
  _ = try container.resolve((any Database).self)
}
