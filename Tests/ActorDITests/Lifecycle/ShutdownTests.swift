import ActorDITestSupport
import Testing

@testable import ActorDI

extension ServiceKey where Service == Probe {
  fileprivate static var token: Self { .init("token") }
}

/// A container after `shutdown` resolves nothing.
@Suite("Shutdown", .timeLimit(.minutes(5)))
struct ShutdownTests {
  private let journal = Journal<String>()

  private func container() -> Container {
    Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.key("k")
      Registration(.token, scope: .singleton) { _ in Probe() }
      Registration(Probe.self, scope: .singleton) { (_, name: String) in Probe(name) }
      Registration(Leaf.self) { _ in Leaf() }
      Registration(Stem.self, scope: .graph) { _ in Stem() }
      Registration(Root.self, scope: .shared) { _ in Root() }
      Registration(Alpha.self, scope: .singleton) { _ async in Alpha() }
    }
  }

  @Test func resolvingAfterTheShutdownThrowsClosed() async throws {
    let app = container()
    let child = app.makeChild(name: "child")
    let held = try await app.resolve(Root.self)
    _ = try await (app.resolve(Probe.self), app.resolve(Probe.self, key: "k"), app.resolve(.token))
    _ = try await (app.resolve(Alpha.self), app.resolve(Leaf.self), app.resolve(Stem.self))
    let handle = app.provider(for: Probe.self)
    _ = try await handle()
    let (lazy, provider) = try await (app.resolve(Lazy<Probe>.self), app.resolve(Provider<Probe>.self))
    try await app.shutdown()
    for container in [app, child] {
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await container.resolve(Probe.self) }, { _ = try sync { try container.resolve(Probe.self) } },
        { _ = try await container.resolve(Probe.self, key: "k") }, { _ = try sync { try container.resolve(.token) } },
        { _ = try await container.resolve(.token) }, { _ = try await container.resolve(Probe.self, arguments: "a") },
        { _ = try await container.resolve(Leaf.self) }, { _ = try sync { try container.resolve(Leaf.self) } },
        { _ = try await container.resolve(Stem.self) }, { _ = try sync { try container.resolve(Stem.self) } },
        { _ = try await container.resolve(Root.self) }, { _ = try sync { try container.resolve(Root.self) } },
        { _ = try await container.resolve(Alpha.self) }, { _ = try sync { try container.resolve(Alpha.self) } },
        { _ = try await container.resolve([Probe].self) }, { _ = try await container.resolve(Probe?.self) },
        { _ = try sync { try container.resolve(Gamma?.self) } }, { _ = try await container.resolve([Gamma].self) },
        { _ = try await container.resolve(Lazy<Probe>.self) }, { _ = try await container.resolve(Owned<Probe>.self) },
        { _ = try await container.resolve(Gamma.self) }, { _ = try await container.resolve(Container.self) },
        { _ = try sync { try container.withResolved(Probe.self) { _ in } } },
        { _ = try await container.provider(for: Probe.self)() },
        { _ = try await container.makeChild().resolve(Leaf.self) },
      ]
      for (number, call) in calls.enumerated() {
        let error = try await asyncResolutionError { try await call() }
        #expect(error.code == .closed, "call \(number) in \(container.name)")
      }
      #expect(container.resolveIfReady(Probe.self) == nil && container.resolveIfReady(Root.self) == nil)
      #expect(!container.contains(Leaf.self))
    }
    let later: [@Sendable () async throws -> Void] = [
      { _ = try await handle() }, { _ = try handle.synchronously() }, { _ = try await lazy() },
      { _ = try await provider() }, { _ = try provider.synchronously() },
    ]
    for (number, call) in later.enumerated() {
      #expect(try await asyncResolutionError { try await call() }.code == .closed, "later call \(number)")
    }
    withExtendedLifetime(held) {}
  }

  @Test func theClosedErrorNamesContainerAndService() async throws {
    let app = container()
    try await app.shutdown()
    let error = try sync { try resolutionError { try app.resolve(Probe.self, key: "k") } }
    #expect(error.code == .closed && error.container == "app" && error.key as? String == "k")
    #expect(error.description.contains("app") && error.description.contains("Probe"))
  }

  @Test func aClosedRegistryRefusesChanges() async throws {
    let app = container()
    try await app.shutdown()
    let calls: [@Sendable () async throws -> Void] = [
      { try await app.register { Registration(Gamma?.self) { _ in nil } } },
      { try await app.register(Registration(Beta?.self) { _ in nil }) },
      { try await app.register(Setting.self) { _ in Setting() } },
      { try await app.decorate(Probe.self) { _, inner in inner } },
      { try await app.rebuild() }, { try await app.start() },
      { try await app.withScope { _ in } },
    ]
    for (number, call) in calls.enumerated() {
      let error = try await asyncResolutionError { try await call() }
      #expect(error.code == .closed && error.container == "app", "call \(number)")
    }
    #expect(await app.unregister(Probe.self) == false)
    await app.reset()
    await app.reset(Probe.self)
    await app.clear()
    await app.push()
    await app.pop()
    let link = app.link(Container { Registration(Gamma?.self) { _ in nil } })
    #expect(try await asyncResolutionError { try await app.resolve(Gamma?.self) }.code == .closed)
    link.cancel()
  }

  @Test func aChildOfAClosedContainerIsClosed() async throws {
    let app = container()
    try await app.shutdown()
    let child = app.makeChild {
      Registration(Leaf.self) { _ in Leaf() }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    #expect(try sync { try resolutionError { try child.resolve(Leaf.self) } }.code == .closed)
    #expect(try await asyncResolutionError { try await child.resolve(Leaf.self) }.code == .closed)
    #expect(try await asyncResolutionError { try await child.resolve(Probe.self) }.code == .closed)
    let error = try await asyncResolutionError { try await child.register(Registration(Leaf.self) { _ in Leaf() }) }
    #expect(error.code == .closed)
    try await child.shutdown()
    try await child.makeChild().shutdown()
  }

  @Test func shutdownClosesAnEmptyContainer() async throws {
    let empty = Container()
    try await empty.shutdown()
    #expect(try await asyncResolutionError { try await empty.resolve(Probe.self) }.code == .closed)
    #expect(try await asyncResolutionError { try await empty.resolve(Container.self) }.code == .closed)
  }

  @Test func shutdownClosesAFrozenContainer() async throws {
    let app = container()
    await app.freeze()
    _ = try await app.resolve(Connection.self)
    try await app.shutdown()
    #expect(journal.entries == ["c"])
    let error = try await asyncResolutionError { try await app.register(Registration(Leaf.self) { _ in Leaf() }) }
    #expect(error.code == .closed)
  }

  @Test func repeatedShutdownsDisposeOnce() async throws {
    let app = container()
    _ = try await app.resolve(Connection.self)
    try await app.shutdown()
    try await app.shutdown()
    try await app.shutdown(timeout: .zero)
    #expect(journal.entries == ["c"])
  }

  @Test func concurrentCallersWaitForTheSameShutdown() async throws {
    let gate = Gate()
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal, gate: gate, failure: Boom()) }
    }
    _ = try await app.resolve(Connection.self)
    let stage = Stage()
    var callers: [Task<Void, any Error>] = []
    for _ in 0..<4 {
      callers.append(
        await stage.start { [journal] _ in
          defer { journal.note("returned") }
          try await app.shutdown()
        })
    }
    #expect(journal.entries.isEmpty)
    gate.open()
    var failures = 0
    for caller in callers {
      do { try await caller.value } catch is ShutdownError { failures += 1 }
    }
    #expect(journal.entries == ["c"] + Array(repeating: "returned", count: 4))
    #expect(failures == 1, "Exactly one caller gets the failure")
  }

  @Test func shutdownReportsAllFailuresInOrder() async throws {
    let app = Container(name: "app") { [journal] in
      for number in 0..<4 {
        Registration(Connection.self, scope: .singleton) { _ in
          Connection("\(number)", journal, failure: number.isMultiple(of: 2) ? Boom(number: number) : nil)
        }.key(number)
      }
      Registration(Connection.self, scope: .scoped) { r in
        Connection(r.container.name, journal, failure: Boom(number: 9))
      }
    }
    let child = app.makeChild(name: "child")
    for number in 0..<4 { _ = try await app.resolve(Connection.self, key: number) }
    _ = try await child.resolve(Connection.self)
    let error = try #require(await #expect(throws: ShutdownError.self) { try await app.shutdown() })
    #expect(journal.entries == ["child", "3", "2", "1", "0"])
    #expect(error.container == "app" && error.failures.map { ($0.error as? Boom)?.number } == [9, 2, 0])
    #expect(error.failures.map(\.container) == ["child", "app", "app"])
    #expect(error.failures.map { $0.key as? Int } == [nil, 2, 0])
    #expect(error.failures.allSatisfy { $0.service == Connection.self })
    let text = error.description
    #expect(
      text.contains("3 failures") && text.contains("app") && text.contains("Connection[Int(2)]")
        && text.contains("Boom"))
  }

  @Test func aClosedContainerReleasesItsInstances() async throws {
    let lifetimes = (0..<4).map { _ in ObjectLifetime() }
    let app = Container {
      Registration(Root.self, scope: .singleton) { _ in Root(lifetimes[0].token()) }
      Registration(Stem.self, scope: .singleton) { _ in Stem(lifetimes[1].token()) }.onDispose { _ in }
      Registration(Leaf.self, scope: .singleton) { (_, _: Int) in Leaf(lifetimes[2].token()) }.perArguments()
      Registration(Root.self, scope: .scoped) { _ in Root(lifetimes[3].token()) }.key(1)
    }
    let child = app.makeChild()
    _ = try await (app.resolve(Root.self), app.resolve(Stem.self), app.resolve(Leaf.self, arguments: 1))
    for _ in 0..<4 { _ = try await child.resolve(Root.self, key: 1) }
    try await app.shutdown()
    for lifetime in lifetimes { try await lifetime.ended.passed() }
    #expect(child.parent === app)
  }

  @Test func shutdownBreaksAReferenceCycleOfServiceAndContainer() async throws {
    weak var dropped: Container?
    do {
      let app = Container {
        Registration(Root.self, scope: .singleton) { r in Root(r.container) }.onDispose { _ in }
      }
      _ = try await app.resolve(Root.self)
      dropped = app
      try await app.shutdown()
    }
    try await until { dropped == nil }
  }

  @Test func closingAChildDoesNotCloseItsParent() async throws {
    let app = container()
    let child = app.makeChild { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("child's", journal) }
    }
    _ = try await child.resolve(Connection.self)
    try await child.shutdown()
    #expect(journal.entries == ["child's"])
    _ = try await app.resolve(Connection.self)
    try await app.shutdown()
    #expect(journal.entries == ["child's", "c"])
  }

  @Test func shutdownDoesNotCloseALinkedContainer() async throws {
    let (app, other) = (container(), container())
    app.link(other)
    _ = try await other.resolve(Connection.self)
    try await app.shutdown()
    #expect(journal.entries.isEmpty)
    _ = try await other.resolve(Probe.self)
  }

  @Test("A resolve that needs a closed linked container throws an error that names it")
  func closedLinkedContainer() async throws {
    let (user, closed) = (Container(), container())
    user.link(closed)
    _ = try await user.resolve(Leaf.self)
    try await closed.shutdown()
    let error = try await asyncResolutionError { try await user.resolve(Leaf.self) }
    #expect(error.code == .closed && error.container == closed.name)
    #expect(try await user.resolve(Leaf?.self) == nil)
  }
}
