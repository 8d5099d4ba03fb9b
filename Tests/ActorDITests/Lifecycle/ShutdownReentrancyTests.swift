import ActorDITestSupport
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

  // MARK: Waits of factories and for disposals

  // A regression: the factory waited for the end of its container's child, and the shutdown for the factory.
  @Test(arguments: [false, true]) func aFactoryCanCloseWhatItsClosingContainerCloses(isOwned: Bool) async throws {
    let (isBuilding, mayGoOn) = (Gate(), Gate())
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self) { _ in Connection("owned", journal) }
      Registration(Leaf.self, scope: .singleton) { r in
        let child = r.container.makeChild()
        let owned = try await r.resolve(Owned<Connection>.self)
        isBuilding.open()
        await mayGoOn.wait()
        if isOwned { await owned.dispose() } else { try await child.shutdown() }
        return Leaf()
      }
    }
    let waiter = Task { try await app.resolve(Leaf.self) }
    try await isBuilding.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    mayGoOn.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
    try await closing.value
    #expect(journal.entries == ["owned"])
  }

  // A regression: the disposer waited for the end of the container whose factory waited for the disposer.
  @Test func aDisposerThatAFactoryWaitsForCanShutDownTheFactorysContainer() async throws {
    let app = Shelf<Container?>(nil)
    let other = Container(name: "other") { [journal] in
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { _ in
        try await app.value?.shutdown()
        journal.note("leaf")
      }
    }
    _ = try await other.resolve(Leaf.self)
    let factorys = Container(name: "app") { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in
        try await other.shutdown()
        journal.note("factory")
        return Alpha()
      }
    }
    app.value = factorys
    #expect(try await asyncResolutionError { try await factorys.resolve(Alpha.self) }.code == .closed)
    try await factorys.shutdown()
    #expect(journal.entries == ["leaf", "factory"])
    app.value = nil
  }

  enum Ending: CaseIterable { case reset, invalidate, unregister, start, dispose, shutdown }

  // A regression: a wait for disposals was no wait in the graph. The operation waited for the disposer, which waited for the operation's
  // container, and thus for the operation.
  @Test(arguments: Ending.allCases)
  func aDisposerThatAnOperationWaitsForCanShutDownTheOperationsContainer(ending: Ending) async throws {
    let app = Container(name: "app")
    let period = ManagedScope()
    let scope: Scope = ending == .invalidate ? .managed(by: period) : ending == .dispose ? .transient : .singleton
    let other = Container(name: "other") { [journal] in
      Registration(Leaf.self, scope: scope) { _ in Leaf() }.onDispose { _ in
        try await app.shutdown()
        journal.note("leaf")
      }
      if ending == .start {
        Registration(Alpha.self, scope: .singleton) { r in
          _ = try await r.resolve(Leaf.self)
          throw Boom(number: 1)
        }.eager()
      }
    }
    let owned = ending == .dispose ? try await other.resolve(Owned<Leaf>.self) : nil
    if ending != .start && ending != .dispose { _ = try await other.resolve(Leaf.self) }
    try await app.withScope { [journal] _ in
      switch ending {
      case .reset: await other.reset()
      case .invalidate: await period.invalidate()
      case .unregister: _ = await other.unregister(Leaf.self)
      case .start: await #expect(throws: Boom.self) { try await other.start() }
      case .dispose: await owned?.dispose()
      case .shutdown: try await other.shutdown()
      }
      journal.note("operation")
    }
    try await app.shutdown()
    #expect(journal.entries == ["leaf", "operation"])
  }

  // A regression: the second container waited for its own instance, whose disposer was to run after the first one's.
  @Test func aDisposerCanShutDownTheContainerOfALaterOneInTheSameInvalidation() async throws {
    let period = ManagedScope()
    let later = Shelf<Container?>(nil)
    func container(_ name: String) -> Container {
      Container(name: name) { [journal] in
        Registration(Leaf.self, scope: .managed(by: period)) { _ in Leaf() }.onDispose { _ in
          try await later.value?.shutdown()
          journal.note(name)
        }
      }
    }
    let (first, second) = (container("first"), container("second"))
    _ = try await first.resolve(Leaf.self)
    _ = try await second.resolve(Leaf.self)
    // The last created instance is disposed of first.
    later.value = first
    await period.invalidate()
    try await first.shutdown()
    #expect(journal.entries == ["second", "first"])
    later.value = nil
  }

  // A regression: only the parent of the disposer's container knew of the wait, and only while it was closing.
  @Test func aDisposerCanShutDownADrainingContainerAboveTheOneThatWaitsForIt() async throws {
    let (app, other) = (Container(name: "app"), Shelf<Container?>(nil))
    let (isOpen, mayEnd, isDisposing) = (Gate(), Gate(), Gate())
    let child = app.makeChild { [journal] in
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { _ in
        try await other.value?.shutdown()
        journal.note("child")
      }
    }
    let between = Container(name: "other") { [journal] in
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { _ in
        isDisposing.open()
        try await app.shutdown()
        journal.note("other")
      }
    }
    other.value = between
    _ = try await (child.resolve(Leaf.self), between.resolve(Leaf.self))
    let operation = Task {
      try await app.withScope { _ in
        isOpen.open()
        await mayEnd.wait()
      }
    }
    try await isOpen.passed()
    let reset = Task { await child.reset() }
    try await isDisposing.passed()
    await reset.value
    mayEnd.open()
    try await operation.value
    try await app.shutdown()
    #expect(journal.entries == ["other", "child"])
    other.value = nil
  }
}
