import Testing

@testable import ActorDI

/// Shutdowns called by code that the shutdown itself waits for.
@Suite("Shutdown from factories, disposers and operations", .timeLimit(.minutes(5)))
struct ShutdownReentrancyTests {
  private let journal = Journal<String>()

  @Test(arguments: [Scope.singleton, .transient, .graph, .scoped, .shared])
  func aFactoryCanShutDownItsContainer(scope: Scope) async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: scope) { r in
        try await r.container.shutdown()
        return Connection("c", journal)
      }
    }
    #expect(try await asyncResolutionError { try await app.resolve(Connection.self) }.code == .closed)
    try await app.shutdown()
    if scope != .shared { #expect(journal.entries == ["c"]) }
  }

  @Test func aFactorysTasksCanShutDownItsContainer() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { r in
        async let end: Void = r.container.shutdown()
        try await end
        try await Task { try await r.container.shutdown() }.value
        return Connection("c", journal)
      }
    }
    #expect(try await asyncResolutionError { try await app.resolve(Connection.self) }.code == .closed)
    try await app.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aHookAndAPostInitialisationCanShutDownTheirContainer() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
        .onCreated { _, r in try await r.container.shutdown() }
    }
    #expect(try await asyncResolutionError { try await app.resolve(Connection.self) }.code == .closed)
    try await app.shutdown()
    #expect(journal.entries == ["c"])
    let other = Container { Registration(Closer.self, scope: .singleton) { r in Closer(r.container) } }
    #expect(try await asyncResolutionError { try await other.resolve(Closer.self) }.code == .closed)
    try await other.shutdown()
  }

  @Test func aDependencysFactoryInAScopeCanShutDownTheParent() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Cellar.self, scope: .scoped) { r in
        try await r.container.parent?.shutdown()
        return Cellar(journal: journal)
      }
      Registration(Floor.self, scope: .scoped) { r in Floor(cellar: try await r.resolve()) }
    }
    try await app.withScope { _ = try await $0.resolve(Floor.self) }
    try await app.shutdown()
    #expect(journal.entries == ["floor", "cellar"])
  }

  @Test func aDisposerCanShutDownItsContainer() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.onDispose { _ in journal.note("other") }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(r.container) }
        .onDispose { leaf in
          try await (leaf.next as? Container)?.shutdown()
          try await Task { try await (leaf.next as? Container)?.shutdown() }.value
          journal.note("closer")
        }
    }
    _ = try await (app.resolve(Probe.self), app.resolve(Leaf.self))
    try await app.shutdown()
    #expect(journal.entries == ["closer", "other"])
  }

  @Test func aScopesDisposerCanShutDownTheParent() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("app's", journal) }
      Registration(Leaf.self, scope: .scoped) { r in Leaf(r.container) }
        .onDispose { leaf in
          try await (leaf.next as? Container)?.parent?.shutdown()
          journal.note("scope's")
        }
    }
    _ = try await app.resolve(Connection.self)
    try await app.withScope { _ = try await $0.resolve(Leaf.self) }
    try await app.shutdown()
    #expect(journal.entries == ["scope's", "app's"])
  }

  @Test func aDisposerRunByAResetCanShutDownItsContainer() async throws {
    let app = Container { [journal] in
      Registration(Leaf.self, scope: .singleton) { r in Leaf(r.container) }
        .onDispose { leaf in
          try await (leaf.next as? Container)?.shutdown()
          journal.note("closer")
        }
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
    }
    _ = try await (app.resolve(Leaf.self), app.resolve(Connection.self))
    await app.reset(Leaf.self)
    try await app.shutdown()
    #expect(journal.entries == ["closer", "c"])
  }

  @Test func aDisposerOfAnInstanceThatItsPoolRefusesCanShutDownThePoolsContainer() async throws {
    let owner = Container(name: "owner") { [journal] in
      Registration(Leaf.self, scope: .pooled(max: 0)) { r in Leaf(r.container) }
        .onDispose { leaf in
          let container = try #require(leaf.next as? Container)
          try await container.shutdown()
          journal.note(container.name)
        }
    }
    let app = Container(name: "app") {}
    app.link(owner)
    _ = try await app.resolve(Leaf.self)
    try await app.shutdown()
    try await owner.shutdown()
    #expect(journal.entries == ["owner"])
  }

  @Test func aDisposerCanUseAndCloseOtherContainers() async throws {
    let other = Container { Registration(Probe.self, scope: .singleton) { _ in Probe("other's") } }
    let app = Container { [journal] in
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
        .onDispose { _ in
          try await other.withScope { scope in journal.note(try await scope.resolve(Probe.self).name) }
          try await other.shutdown()
        }
    }
    _ = try await app.resolve(Leaf.self)
    try await app.shutdown()
    #expect(journal.entries == ["other's"])
  }

  @Test func aDisposerCannotResolveFromItsClosingContainer() async throws {
    let app = Container { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(r.container) }
        .onDispose { leaf in
          guard let container = leaf.next as? Container else { return }
          let error = try await asyncResolutionError { try await container.resolve(Probe.self) }
          journal.note("\(error.code)")
        }
    }
    _ = try await (app.resolve(Probe.self), app.resolve(Leaf.self))
    try await app.shutdown()
    #expect(journal.entries == ["closed"])
  }

  @Test func aScopesOperationCanShutDownTheScopeAndItsAncestors() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
    }
    try await app.withScope("outer") { outer in
      _ = try await outer.resolve(Connection.self)
      try await outer.withScope("inner") { inner in
        _ = try await inner.resolve(Connection.self)
        try await inner.shutdown()
        #expect(journal.entries == ["inner"])
        try await app.shutdown()
        #expect(journal.entries == ["inner", "outer"])
      }
    }
    #expect(journal.entries == ["inner", "outer"])
  }

  @Test func aFactoryCanRunAScope() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
      Registration(Leaf.self, scope: .singleton) { r in
        try await r.container.withScope("job") { _ = try await $0.resolve(Connection.self) }
        journal.note("after the job")
        return Leaf()
      }
    }
    _ = try await app.resolve(Leaf.self)
    #expect(journal.entries == ["job", "after the job"])
  }

  @Test func aTaskStartedByAFactoryCanShutDownTheContainerAfterTheBuild() async throws {
    let gate = Gate()
    let later = Shelf<Task<Void, any Error>?>(nil)
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { r in
        later.value = Task {
          await gate.wait()
          try await r.container.shutdown()
          journal.note("closed")
        }
        return Connection("c", journal)
      }
    }
    _ = try await app.resolve(Connection.self)
    gate.open()
    try await later.value?.value
    #expect(journal.entries == ["c", "closed"])
  }

  private final class Closer: PostInitialization, Sendable {
    let container: Container
    init(_ container: Container) { self.container = container }
    func didInitialize() async throws { try await container.shutdown() }
  }

  // A regression: the task that ran the reset's disposals did not know of the disposer that waited for it.
  @Test func aDisposerRunByAResetCanCloseTheContainerThatWaitsForIt() async throws {
    let (waiting, reset) = (Container(name: "waiting"), Container(name: "reset"))
    try await reset.register {
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { [journal] _ in
        try await waiting.shutdown()
        journal.note("inner")
      }
    }
    try await waiting.register {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { [journal] _ in
        await reset.reset()
        journal.note("outer")
      }
    }
    _ = try await (reset.resolve(Leaf.self), waiting.resolve(Alpha.self))
    try await waiting.shutdown()
    #expect(journal.entries == ["inner", "outer"])
  }
}
