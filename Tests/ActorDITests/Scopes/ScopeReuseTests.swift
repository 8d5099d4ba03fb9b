import Testing

@testable import ActorDI

/// The container of a scope is used for the next one where nobody can tell, and never where somebody could.
@Suite("Containers of ended scopes", .timeLimit(.minutes(5)))
struct ScopeReuseTests {
  private let app = Container(name: "app") {
    Registration(Leaf.self, scope: .scoped) { _ in Leaf() }
  }

  /// How many wait for a scope to come.
  private var spareCount: Int { app.lifecycle.state.withLock { $0.spares.count } }

  private func expectError<Value>(
    _ code: ResolutionError.Code, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
  ) async throws {
    let error = try await asyncResolutionError(sourceLocation: sourceLocation, body)
    #expect(error.code == code, sourceLocation: sourceLocation)
  }

  /// Keeps something of a scope, which is closed then.
  private func endedScope<Kept: Sendable>(
    _ keep: @Sendable (Container) -> Kept
  ) async throws -> Kept {
    try await app.withScope("kept") { scope in
      _ = try await scope.resolve(Leaf.self)
      return keep(scope)
    }
  }

  @Test func oneThatNobodyHoldsIsKept() async throws {
    for _ in 0..<3 {
      try await app.withScope { _ = try await $0.resolve(Leaf.self) }
      #expect(spareCount == 1)
    }
  }

  @Test func asManyAsWereOpenAtOnceAreKept() async throws {
    try await app.withScope { first in
      try await app.withScope { second in
        #expect(first !== second && first.name == second.name)
        let (outer, inner) = try await (first.resolve(Leaf.self), second.resolve(Leaf.self))
        #expect(outer !== inner)
      }
      #expect(spareCount == 1)
    }
    #expect(spareCount == 2)
  }

  @Test func noMoreAreKeptThanAFew() async throws {
    func open(_ depth: Int) async throws {
      if depth > 0 { try await app.withScope { _ in try await open(depth - 1) } }
    }
    try await open(40)
    #expect((1...16).contains(spareCount))
  }

  @Test func oneThatSomebodyHoldsStaysClosed() async throws {
    let old = try await endedScope { $0 }
    #expect(spareCount == 0)
    try await app.withScope { scope in
      #expect(scope !== old)
      try await expectError(.closed) { try await old.resolve(Leaf.self) }
      #expect(old.name == "kept" && old.parent === app)
    }
  }

  @Test func oneThatAResolverHoldsStaysClosed() async throws {
    let old = try await endedScope(\.resolver)
    #expect(spareCount == 0)
    try await expectError(.closed) { try await old.resolve(Leaf.self) }
  }

  @Test func oneWithAWeakReferenceGoes() async throws {
    final class Holder: Sendable {
      weak let scope: Container?
      init(_ scope: Container) { self.scope = scope }
    }
    let holder = try await endedScope { Holder($0) }
    #expect(spareCount == 0)
    try await app.withScope { scope in
      _ = try await scope.resolve(Leaf.self)
      #expect(holder.scope == nil)
    }
  }

  @Test func oneWithAnUnownedReferenceGoes() async throws {
    let holder = try await endedScope { scope in { @Sendable [unowned scope] in scope.name } }
    #expect(spareCount == 0)
    withExtendedLifetime(holder) {}
  }

  @Test func oneThatWasHeldForAWhileIsKept() async throws {
    try await app.withScope { scope in
      let task = Task { try await scope.resolve(Leaf.self) }
      _ = try await task.value
    }
    try await app.withScope { scope in
      weak let weakly = scope
      #expect(weakly === scope)
      // Now the object is marked for good.
    }
    #expect(spareCount <= 1)
    try await app.withScope { scope in
      let (one, again) = try await (scope.resolve(Leaf.self), scope.resolve(Leaf.self))
      #expect(one === again)
    }
  }

  @Test func eachScopeIsOpenedAnew() async throws {
    for name in ["one", "another", "a name that is too long to stand in the string itself"] {
      try await app.withScope(name) { scope in
        #expect(scope.name == name && scope.parent === app && "\(scope)".contains(name))
        #expect(app.children.count == 1 && app.child(named: name) === scope)
      }
    }
  }

  @Test func instancesAreThoseOfTheScope() async throws {
    var seen: [Leaf] = []
    for _ in 0..<4 { seen.append(try await app.withScope { try await $0.resolve(Leaf.self) }) }
    #expect(Set(seen.map(ObjectIdentifier.init)).count == 4)
  }

  @Test func nothingIsLeftOfRegistrations() async throws {
    let lifetime = Lifetime()
    do {
      let token = lifetime.token()
      try await app.withScope("filled") {
        Registration(Probe.self) { _ in Probe("own") }
        Registration(Lifetime.Token.self, scope: .singleton) { _ in token }
      } operation: { scope in
        try await scope.register(Probe.self, key: 1, scope: .singleton) { _ in Probe("later") }
        #expect(try await scope.resolve(Probe.self).name == "own")
        #expect(try await scope.resolve(Probe.self, key: 1).name == "later")
        _ = try await scope.resolve(Lifetime.Token.self)
      }
    }
    await lifetime.ended.wait()
    #expect(spareCount == 1)
    try await app.withScope { scope in
      #expect(scope.registrationCount == 0 && scope.registrations.isEmpty)
      try await expectError(.notRegistered) { try await scope.resolve(Probe.self) }
      try await expectError(.notRegistered) { try await scope.resolve(Probe.self, key: 1) }
      try await scope.register(Probe.self) { _ in Probe("new") }
      #expect(try await scope.resolve(Probe.self).name == "new")
    }
  }

  @Test func nothingIsLeftOfLinksAndChildren() async throws {
    let other = Container(name: "other") { Registration(Probe.self) { _ in Probe("linked") } }
    try await app.withScope { scope in
      scope.link(other)
      let child = scope.makeChild(name: "child")
      let linked = try await child.resolve(Probe.self)
      #expect(linked.name == "linked")
    }
    try await app.withScope { scope in
      #expect(scope.links.isEmpty && scope.children.isEmpty)
      try await expectError(.notRegistered) { try await scope.resolve(Probe.self) }
    }
  }

  @Test func streamsEndWithTheScope() async throws {
    let (events, changes) = try await app.withScope { scope in (scope.events(), scope.changes) }
    try await app.withScope { scope in
      try await scope.register(Probe.self) { _ in Probe("new") }
      _ = try await scope.resolve(Leaf.self)
    }
    for await event in events {
      if case .registered = event.kind { Issue.record("told of another scope: \(event)") }
    }
    for await _ in changes { Issue.record("told of another scope's change") }
  }

  @Test func rebuildingIsThatOfTheScope() async throws {
    try await app.withScope {
      Registration(Probe.self) { _ in Probe("first") }
    } operation: {
      try await $0.rebuild()
    }
    try await app.withScope { scope in
      try await scope.rebuild()
      #expect(scope.registrationCount == 0)
    }
  }

  @Test func oneWithModulesIsNotUsedAgain() async throws {
    struct Loading: Module {
      var registrations: Registrations { Registration(Probe.self) { _ in Probe("module") } }
      func didLoad(_ container: Container) async throws {}
    }
    try await app.withScope("modules") {
      Loading()
    } operation: {
      try await $0.waitUntilLoaded()
    }
    #expect(spareCount == 0)
  }

  @Test func oneThatCouldNotBeClosedAtOnceIsUsedAgainOnlyClosed() async throws {
    let journal = Journal<String>()
    let app = Container(name: "app") {
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
    }
    for number in 0..<8 {
      try await app.withScope("\(number)") { scope in
        #expect(!scope.lifecycle.isClosed)
        _ = try await scope.resolve(Connection.self)
      }
    }
    #expect(journal.entries == (0..<8).map { "\($0)" })
  }

  @Test func thoseThatWaitDoNotKeepTheirParent() async throws {
    let lifetime = Lifetime()
    do {
      let token = lifetime.token()
      let app = Container {
        Registration(Leaf.self, scope: .scoped) { _ in Leaf() }
        Registration(Lifetime.Token.self, scope: .singleton) { _ in token }
      }
      _ = try await app.resolve(Lifetime.Token.self)
      try await app.withScope { _ = try await $0.resolve(Leaf.self) }
    }
    await lifetime.ended.wait()
  }

  @Test func thoseOfAClosedParentGo() async throws {
    try await app.withScope { _ in }
    try await app.shutdown()
    #expect(spareCount == 0)
    try await expectError(.closed) { try await app.withScope { _ in } }
  }

  private static func isAlive(_ token: Lifetime.Token) -> Bool { true }

  @Test func whatTheClosureOfRegistrationsHoldsGoes() async throws {
    let lifetime = Lifetime()
    do {
      let token = lifetime.token()
      try await app.withScope {
        if !Self.isAlive(token) { Registration(Probe.self) { _ in Probe("never") } }
      } operation: { _ in
      }
    }
    await lifetime.ended.wait()
  }
}
