import ActorDITestSupport
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
      #expect(app.instances.count == 1 && journal.entries.isEmpty)
    }
    #expect(app.instances.isEmpty && journal.entries == ["app"], "Nobody can ask for it any more")
    try await app.shutdown()
    #expect(journal.entries == ["app"])
  }

  /// A way in which a container that registered a service for a named ancestor ends.
  enum End: CaseIterable {
    case scope, shutdown, shutdownOfItsParent, release
  }

  @Test(arguments: End.allCases, [false, true])
  func instancesOfShortContainersDoNotStayInTheNamedOne(end: End, isSynchronous: Bool) async throws {
    let disposed = Counter()
    let app = Container(name: "app")
    @Sendable func registrations() -> Registrations {
      let service = Registration(Probe.self, scope: .scoped("app")) { _ in Probe() }
      let disposable =
        isSynchronous
        ? service.onDispose { _ in _ = disposed.increment() }
        : service.onDispose { _ in
          await Task.yield()
          disposed.increment()
        }
      return Registrations {
        disposable
        Registration(String.self, scope: .scoped("app")) { (_, text: String) in text }.perArguments()
      }
    }
    func use(_ child: Container) async throws {
      let probe = try await child.makeChild().resolve(Probe.self)
      #expect(try await child.resolve(Probe.self) === probe)
      #expect(try await child.resolve(String.self, arguments: "a") == "a")
      #expect(app.instances.count == 2)
    }
    for number in 1...20 {
      switch end {
      case .scope:
        try await app.withScope("request") {
          registrations()
        } operation: {
          try await use($0)
        }
      case .shutdown:
        let child = app.makeChild { registrations() }
        try await use(child)
        try await child.shutdown()
      case .shutdownOfItsParent:
        let middle = app.makeChild(name: "middle")
        let child = middle.makeChild { registrations() }
        try await use(child)
        try await middle.shutdown()
      case .release:
        let child = app.makeChild { registrations() }
        try await use(child)
        // An optimised build may release the child before.
        withExtendedLifetime(child) {}
      }
      if end == .release { await disposed.wait(for: number) }
      #expect(disposed.count == number && app.instances.isEmpty)
    }
    try await app.shutdown()
    #expect(disposed.count == 20)
  }

  @Test func aDecoratorOfAShortContainerDoesNotStayInTheNamedOne() async throws {
    let app = Self.app()
    for _ in 0..<3 {
      try await app.withScope("request") { request in
        try await request.decorate(Stem.self) { _, stem in Stem(stem) }
        #expect(try await request.resolve(Stem.self).next is Stem)
        #expect(app.instances.count == 2)
      }
      #expect(app.instances.count == 1, "The decorated service itself stays")
    }
  }

  @Test(arguments: [false, true])
  func aDisposerCanCloseTheContainerThatRegisteredItsService(closesParent: Bool) async throws {
    let journal = Journal<String>()
    let app = Container(name: "app")
    let child = app.makeChild()
    try await child.register(
      Registration(Probe.self, scope: .scoped("app")) { _ in Probe() }.onDispose { _ in
        try await (closesParent ? app : child).shutdown()
        journal.note("disposed")
      })
    _ = try await child.resolve(Probe.self)
    try await child.shutdown()
    #expect(journal.entries == ["disposed"])
    try await app.shutdown()
  }

  @Test func aBuildThatOutlivesItsContainerKeepsNothing() async throws {
    let (began, gate) = (Gate(), Gate())
    let journal = Journal<String>()
    let app = Container(name: "app")
    let child = app.makeChild {
      Registration(Connection.self, scope: .scoped("app")) { _ in
        began.open()
        await gate.wait()
        return Connection("late", journal)
      }
    }
    let build = Task { try await child.resolve(Connection.self) }
    await began.wait()
    try await child.shutdown()
    gate.open()
    _ = try? await build.value
    #expect(app.instances.isEmpty)
    try await app.shutdown()
    #expect(journal.entries == ["late"])
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

  // A regression: the named container kept the instance until its own end.
  @Test(arguments: [false, true]) func aRemovedRegistrationLeavesNothingInTheNamedContainer(isReplaced: Bool)
    async throws
  {
    let disposed = Counter()
    let app = Container(name: "app")
    let child = app.makeChild(name: "child") {
      Registration(Probe.self, scope: .scoped("app")) { _ in Probe() }.onDispose { _ in _ = disposed.increment() }
    }
    _ = try await child.resolve(Probe.self)
    #expect(app.instances.count == 1)
    if isReplaced {
      try await child.register(Probe.self, scope: .transient) { _ in Probe() }
    } else {
      await child.unregister(Probe.self)
    }
    await disposed.wait(for: 1)
    #expect(app.instances.isEmpty)
    try await child.shutdown()
    try await app.shutdown()
    #expect(disposed.count == 1)
  }

  @Test func aReplacedInstanceInTheNamedContainerStaysForTheServicesMadeFromIt() async throws {
    let (disposed, captured) = (Counter(), Shelf<Container?>(nil))
    let app = Container(name: "app")
    let child = app.makeChild(name: "child") {
      Registration(Alpha.self, scope: .scoped("app")) { _ in Alpha() }.onDispose { _ in _ = disposed.increment() }
      // The named container builds it, and has no registration of its dependency.
      Registration(Root.self, scope: .scoped("app")) { _ in Root(try captured.value?.resolve(Alpha.self)) }
    }
    captured.value = child
    defer { captured.value = nil }
    #expect(try await child.resolve(Root.self).next is Alpha)
    try await child.register(Alpha.self, scope: .transient) { _ in Alpha() }
    #expect(disposed.count == 0)
    try await child.shutdown()
    try await app.shutdown()
    #expect(disposed.count == 1)
  }
}
