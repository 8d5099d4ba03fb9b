import Testing

@testable import ActorDI

extension ScopeName {
  fileprivate static let session: Self = "session"
}

/// `.scoped("name")`: one instance for the nearest container with that name.
@Suite("Named scopes", .timeLimit(.minutes(5)))
struct NamedScopeTests {
  private static func app() -> Container {
    Container(name: "app") {
      Registration(Probe.self, scope: .scoped("session")) { r in Probe(r.container.name) }
      Registration(Leaf.self, scope: .scoped("session")) { r in
        await Task.yield()
        return Leaf(try await r.resolve(Setting.self))
      }
      Registration(Stem.self, scope: .scoped("app")) { r in Stem(r.container.name) }
    }
  }

  @Test func innerScopesShareTheInstanceOfTheNearestNamedScope() async throws {
    let app = Self.app()
    try await app.withScope("session") { session in
      let stage = try await session.withScope("request") { request in
        let probe = try sync { try request.resolve(Probe.self) }
        #expect(probe.name == "session")
        for _ in 0..<3 { #expect(try await session.resolve(Probe.self) === probe) }
        return probe
      }
      try await session.withScope("request") { request in
        try await request.withScope("inner") { inner in
          for _ in 0..<3 {
            let probe = try await inner.resolve(Probe.self)
            #expect(probe === stage)
          }
        }
      }
      try await session.withScope("session") { nested in
        let own = try await nested.resolve(Probe.self)
        #expect(own !== stage, "The nearest one of that name is the container itself")
      }
      #expect(session.resolveIfReady(Probe.self) === stage)
    }
  }

  @Test func anInstanceUsesTheNamedScopesRegistrations() async throws {
    let app = Self.app()
    try await app.withScope("session") {
      Setting(number: 1)
    } operation: { session in
      try await session.withScope("request") {
        Setting(number: 2)
      } operation: { request in
        let leaf = try await request.resolve(Leaf.self)
        #expect(leaf.next as? Setting == Setting(number: 1))
      }
    }
  }

  @Test func theRegistrationsContainerCanBeTheNamedOne() async throws {
    let app = Self.app()
    let stem = try await app.resolve(Stem.self)
    try await app.withScope { scope in
      for _ in 0..<3 {
        let found = try await scope.resolve(Stem.self)
        #expect(found === stem)
      }
      #expect(scope.resolveIfReady(Stem.self) === stem)
    }
    #expect(app.resolveIfReady(Stem.self) === stem, "The scope does not own it")
  }

  @Test func scopeNotFoundNamesTheMissingAndTheExistingScopes() async throws {
    let app = Self.app()
    try await app.withScope("request") { request in
      let error = try sync { try resolutionError { try request.resolve(Probe.self) } }
      #expect(error.code == .scopeNotFound && error.path == ["Probe"] && error.container == "request")
      #expect(error.description.contains("session") && error.description.contains("\"request\""))
      #expect(error.description.contains("\"app\""))
      let other = try await asyncResolutionError { try await request.resolve(Leaf.self) }
      #expect(other.code == .scopeNotFound && other.path == ["Leaf"])
      #expect(request.resolveIfReady(Probe.self) == nil && request.contains(Probe.self))
    }
  }

  @Test func scopeNotFoundHasTheResolutionPath() async throws {
    let app = Container(name: "app") {
      Registration(Probe.self, scope: .scoped("nowhere")) { _ in Probe() }.key(1)
      Registration(Root.self) { r in Root(try r.resolve(Probe.self, key: 1)) }
    }
    let error = try sync { try resolutionError { try app.resolve(Root.self) } }
    #expect(error.code == .scopeNotFound && error.key as? Int == 1 && error.path == ["Root", "Probe[Int(1)]"])
  }

  @Test func theEndOfTheNamedScopeDisposesOfItsInstance() async throws {
    let journal = Journal<String>()
    let app = Container {
      Registration(Connection.self, scope: .scoped("session")) { _ in Connection("c", journal) }
    }
    try await app.withScope("session") { session in
      try await session.withScope("request") { _ = try await $0.resolve(Connection.self) }
      #expect(journal.entries.isEmpty, "The session owns it")
    }
    #expect(journal.entries == ["c"])
  }

  @Test func theNamedContainerKeepsTheInstanceOfADescendantsRegistration() async throws {
    let journal = Journal<String>()
    let app = Container(name: "app")
    try await app.withScope("request") {
      Registration(Connection.self, scope: .scoped("app")) { r in Connection(r.container.name, journal) }
    } operation: { request in
      let connection = try await request.resolve(Connection.self)
      for _ in 0..<3 { #expect(try await request.resolve(Connection.self) === connection) }
    }
    #expect(journal.entries.isEmpty)
    try await app.shutdown()
    #expect(journal.entries == ["app"])
  }

  @Test func scopesOfTheSameNameAreEqual() {
    #expect(Scope.scoped("a") == .scoped("a") && Scope.scoped("a") != .scoped("b"))
    #expect(Scope.scoped != .scoped("a") && "\(Scope.scoped)" == "scoped")
    #expect("\(Scope.scoped("a"))" == "scoped(\"a\")" && "\(Scope.pooled(max: 3))" == "pooled(max: 3)")
  }

  @Test func aDeclaredNameALiteralAndATextAreTheSameName() async throws {
    let app = Self.app()
    let part = "sess"
    for name: ScopeName in [.session, "session", "\(part)ion", ScopeName(part + "ion")] {
      #expect(name == .session && "\(name)" == "session" && Scope.scoped(name) == .scoped("session"))
      try await app.withScope(name) { session async throws in
        #expect(session.name == "session")
        #expect(try await session.resolve(Probe.self).name == "session")
      }
    }
    let child = app.makeChild(name: "session")
    #expect(try await child.resolve(Probe.self).name == "session")
  }
}
