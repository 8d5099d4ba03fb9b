import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Owner: Sendable {
  let probe: Owned<Probe>
  let number: Int
  init(probe: Owned<Probe>, number: Int = 0) {
    self.probe = probe
    self.number = number
  }
  convenience init(_ probe: Owned<Probe>) { self.init(probe: probe) }
}

private final class Chicken: Sendable {
  let egg: Owned<Egg>
  init(egg: Owned<Egg>) { self.egg = egg }
}
private final class Egg: Sendable {
  let chicken: Chicken
  init(chicken: Chicken) { self.chicken = chicken }
}

/// `Owned<T>`: a service with a scope of its own.
@Suite("Owned services", .timeLimit(.minutes(5)))
struct OwnedTests {
  @Test func anOwnedBuildsItsServiceAtOnce() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Probe.self) { _ in Probe("\(counter.increment())") }
    }
    let first = try sync { try container.resolve(Owned<Probe>.self) }
    let second = try await container.resolve(Owned<Probe>.self)
    #expect(first.value.name == "1" && second.value.name == "2")
    #expect(first.value === first.value)
    await first.dispose()
    #expect(first.value.name == "1", "A disposed Owned still holds its value")
  }

  @Test func anOwnedResolvesByKey() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("plain") }
      Registration(Probe.self) { _ in
        await Task.yield()
        return Probe("keyed")
      }.key("k")
    }
    #expect(try await container.resolve(Owned<Probe>.self, key: "k").value.name == "keyed")
    #expect(try await container.resolve(ServiceKey<Owned<Probe>>("k")).value.name == "keyed")
    #expect(try sync { try container.resolve(Owned<Probe>.self) }.value.name == "plain")
    let error = try sync { try resolutionError { try container.resolve(Owned<Probe>.self, key: "k") } }
    #expect(error.code == .asyncRequired)
  }

  @Test(arguments: [true, false])
  func anOwnedResolverBeginsANewCallWithEachResolve(isSynchronous: Bool) async throws {
    let container = Container { Registration(Alpha.self, scope: .graph) { _ in Alpha() } }
    let owned =
      isSynchronous
      ? try sync { try container.resolve(Owned<Resolver>.self) } : try await container.resolve(Owned<Resolver>.self)
    let resolver = owned.value
    func alpha() async throws -> Alpha {
      isSynchronous ? try sync { try resolver.resolve(Alpha.self) } : try await resolver.resolve(Alpha.self)
    }
    let first = try await alpha()
    let second = try await alpha()
    #expect(first !== second, "Both are instances of the call that made the Owned")
    await owned.dispose()
  }

  // A regression: the error came only after 16,384 nested scopes, each of which a search visits, and so after minutes.
  @Test(arguments: [false, true]) func aScopedServiceThatOwnsItselfWithoutEndIsACycle(takesArgument: Bool) async throws
  {
    let runs = Counter()
    let container = Container {
      Registration(Owner?.self, scope: .scoped) { r in
        if runs.increment() > 2_000 { throw Boom() }
        return try await r.resolve(Owned<Owner?>.self).value
      }
      Registration(Owner?.self, scope: .scoped) { (r: Resolver, number: Int) in
        if runs.increment() > 2_000 { throw Boom() }
        return try await r.resolve(Owned<Owner?>.self, arguments: number + 1).value
      }
    }
    let error = try await asyncResolutionError {
      _ =
        takesArgument
        ? try await container.resolve(Owner?.self, arguments: 1) : try await container.resolve(Owner?.self)
    }
    #expect(error.code == .cycle)
    #expect(runs.count < 1_000)
    try await container.shutdown()
  }

  @Test func aScopedServiceMayOwnItselfUntilAConditionHolds() async throws {
    let runs = Counter()
    let container = Container {
      Registration(Int.self, scope: .scoped) { r in
        if runs.increment() == 500 { return 1 }
        return try await r.resolve(Owned<Int>.self).value + 1
      }
    }
    #expect(try await container.resolve(Int.self) == 500)
  }

  @Test func anOwnedTakesArguments() async throws {
    let container = Container {
      Registration(Probe.self) { (_, name: String) in Probe(name) }
      Registration(Probe.self) { (_, name: String) in Probe("keyed " + name) }.key(1)
    }
    #expect(try await container.resolve(Owned<Probe>.self, arguments: "a").value.name == "a")
    #expect(try sync { try container.resolve(Owned<Probe>.self, key: 1, arguments: "a") }.value.name == "keyed a")
    #expect(try await container.resolve(Owned<Probe>?.self, arguments: "a")?.value.name == "a")
    #expect(try await container.resolve(Owned<Probe>?.self, arguments: 1) == nil)
    let error = try sync { try resolutionError { try container.resolve(Owned<Probe>.self) } }
    #expect(error.code == .argumentMismatch)
  }

  @Test func eachOwnedHasAChildContainerOfItsOwn() async throws {
    let container = Container(name: "app") {
      Registration(Root.self) { r in Root(r.container) }
    }
    let owned = try await container.resolve(Owned<Root>.self)
    let scope = try #require(owned.value.next as? Container)
    #expect(scope.name == "owned" && scope.parent === container)
    let other = try sync { try container.resolve(Owned<Root>.self) }
    #expect(other.value.next as? Container !== scope, "Each Owned has its own container")
  }

  @Test func disposingAnOwnedKeepsASingletonInItsContainer() async throws {
    let container = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let owned = try await container.resolve(Owned<Probe>.self)
    #expect(try await container.resolve(Probe.self) === owned.value)
    await owned.dispose()
    #expect(container.resolveIfReady(Probe.self) === owned.value)
  }

  @Test func anOwnedCanBeAParameter() async throws {
    let container = Container {
      Probe("p")
      5
      Registration(autowired: Owner.self) { (p: Owned<Probe>, n: Int) in Owner(probe: p, number: n) }
      Registration(autowired: Leaf.self) { (o: Provider<Owned<Probe>>) in Leaf(o) }
    }
    #expect(try sync { try container.resolve(Owner.self) }.probe.value.name == "p")
    #expect(try await container.resolve(Owner.self).number == 5)
    let info = try #require(container.registrations.first { $0.service == Owner.self })
    #expect(info.dependencies.map(\.description) == ["Probe", "Int"])
    #expect(info.dependencies[0].isRequired)
    let leaf = try await container.resolve(Leaf.self)
    let provider = try #require(leaf.next as? Provider<Owned<Probe>>)
    #expect(try await provider().value !== provider().value)
  }

  @Test func anOwnedHasAGraphOfItsOwn() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Gamma.self) { (owned: Owned<Beta>, alpha: Alpha) in
        Gamma(beta: owned.value, alpha: alpha)
      }
      Registration(Gamma.self) { r in
        let owned = try await r.resolve(Owned<Gamma>.self, key: "inner")
        return Gamma(beta: owned.value.beta, alpha: try await r.resolve())
      }.key("async")
      Registration(autowired: Gamma.self, initializer: Gamma.init).key("inner")
    }
    let gamma = try sync { try container.resolve(Gamma.self) }
    #expect(gamma.beta.alpha !== gamma.alpha)
    let other = try await container.resolve(Gamma.self)
    #expect(other.beta.alpha !== other.alpha)
    let third = try await container.resolve(Gamma.self, key: "async")
    #expect(third.beta.alpha !== third.alpha)
    let inner = try await container.resolve(Owned<Gamma>.self, key: "inner")
    #expect(inner.value.beta.alpha === inner.value.alpha, "The services of an Owned share its graph")
  }

  @Test func anOwnedDoesNotBreakACycle() async throws {
    for scope in [Scope.transient, .singleton, .graph] {
      let container = Container {
        Registration(autowired: Chicken.self, scope: scope, initializer: Chicken.init)
        Registration(autowired: Egg.self, initializer: Egg.init)
      }
      let error = try sync { try resolutionError { try container.resolve(Chicken.self) } }
      let other = try await asyncResolutionError { try await container.resolve(Chicken.self) }
      let path = ["Chicken", "Egg", "Chicken"]
      #expect(error.code == .cycle && error.path == path)
      #expect(other.code == .cycle && other.path == path)
    }
  }

  @Test func anOwnedDoesNotBreakAnAsynchronousCycle() async throws {
    for scope in [Scope.transient, .singleton] {
      let container = Container {
        Registration(Chicken.self, scope: scope) { r in Chicken(egg: try await r.resolve()) }
        Registration(Egg.self, scope: scope) { r in Egg(chicken: try await r.resolve()) }
      }
      let error = try await asyncResolutionError { try await container.resolve(Chicken.self) }
      #expect(error.code == .cycle && error.path == ["Chicken", "Egg", "Chicken"])
    }
  }

  @Test func anOwnedDoesNotBreakACycleOfGraphServices() async throws {
    // Each of the two owns a scope of its own, so each would build the other again without end.
    let container = Container {
      Registration(autowired: Chicken.self, scope: .graph, initializer: Chicken.init)
      Registration(autowired: Egg.self, scope: .graph, initializer: Egg.init)
    }
    let error = try sync { try resolutionError { try container.resolve(Chicken.self) } }
    let other = try await asyncResolutionError { try await container.resolve(Chicken.self) }
    for error in [error, other] {
      #expect(error.code == .cycle && error.path == ["Chicken", "Egg", "Chicken"])
    }
  }

  @Test func theErrorNamesTheMissingServiceOfAnOwned() async throws {
    let container = Container { Registration(autowired: Owner.self) { (p: Owned<Probe>) in Owner(p) } }
    let error = try sync { try resolutionError { try container.resolve(Owner.self) } }
    #expect(error.code == .notRegistered && error.path == ["Owner", "Probe"])
    let other = try await asyncResolutionError { try await container.resolve(Owner.self) }
    #expect(other.code == .notRegistered && other.path == ["Owner", "Probe"])
    let none = try await container.resolve(Owned<Probe?>.self)
    #expect(none.value == nil)
    let optional = try await container.resolve(Owned<Probe>?.self)
    #expect(optional == nil)
    #expect(try sync { try container.resolve(Owned<Probe>?.self, key: 1) } == nil)
    try await container.register(Probe.self) { _ in throw Boom() }
    await #expect(throws: Boom()) { try await container.resolve(Owned<Probe>?.self) }
  }

  @Test func concurrentDisposalsEndTheScopeOnce() async throws {
    let container = Container { Registration(Root.self) { r in Root(r.container) } }
    var owned: Owned<Root>? = try await container.resolve()
    let copy = try #require(owned)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { await copy.dispose() } }
    }
    await owned?.dispose()
    #expect(owned?.value.next is Container)
    owned = nil
  }

  @Test func disposingAnOwnedReleasesItsContainer() async throws {
    let lifetime = ObjectLifetime()
    var container: Container? = Container {
      Registration(autowired: Owner.self, scope: .singleton) { (p: Owned<Probe>) in Owner(p) }
      Registration(Probe.self) { _ in Probe() }
      Registration(instance: lifetime.token())
    }
    // The owner is held by the container that it holds; only the disposal breaks that cycle.
    let owner = try await container?.resolve(Owner.self)
    await owner?.probe.dispose()
    weak let watched = container
    container = nil
    #expect(watched == nil)
    try await lifetime.ended.passed()
    #expect(owner?.probe.value != nil)
  }

  // MARK: Without a disposal

  /// Takes an owned service, and fails.
  private final class FailingOwner: Sendable {
    init(_: Owned<Connection>) throws { throw Boom() }
  }

  @Test func anOwnedThatNobodyHoldsIsDisposedOf() async throws {
    let (journal, outcomes) = (Journal<String>(), Journal<String>())
    let container = Container {
      Registration(Connection.self) { r in
        _ = try r.resolve(Connection.self, key: "part")
        return Connection("owned", journal)
      }
      .onDispose { _, outcome in outcomes.note(outcome.name) }
      Registration(Connection.self, scope: .scoped) { _ in Connection("part", journal) }.key("part")
    }
    var owned: Owned<Connection>? = try await container.resolve()
    var copy = owned
    owned = nil
    #expect(copy != nil && journal.entries.isEmpty)
    copy = nil
    try await until { journal.entries.count == 2 }
    #expect(journal.entries == ["owned", "part"] && outcomes.entries == ["cancelled"])
    try await until { container.child(named: "owned") == nil }
  }

  @Test func anOwnedWhoseTakerHasFailedIsDisposedOf() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Connection.self) { _ in Connection("owned", journal) }
      Registration(FailingOwner.self) { r in try FailingOwner(r.resolve()) }
      Registration(FailingOwner.self, scope: .singleton) { r in try FailingOwner(await r.resolve()) }.key("kept")
    }
    #expect(throws: Boom()) { try sync { try container.resolve(FailingOwner.self) } }
    try await until { journal.entries.count == 1 }
    await #expect(throws: Boom()) { try await container.resolve(FailingOwner.self, key: "kept") }
    try await until { journal.entries.count == 2 }
    try await container.shutdown()
    #expect(journal.entries == ["owned", "owned"])
  }

  @Test func theShutdownWaitsForAnOwnedThatNobodyHolds() async throws {
    let (journal, begun, gate) = (Journal<String>(), Gate(), Gate())
    let container = Container {
      Registration(Connection.self) { _ in Connection("owned", journal, gate: gate) }
        .onDispose { (_: Connection) async in begun.open() }
    }
    _ = try await container.resolve(Owned<Connection>.self)
    try await begun.passed()
    let stage = Stage()
    let end = await stage.start { _ in
      try await container.shutdown()
      journal.note("shut down")
    }
    #expect(journal.entries.isEmpty)
    gate.open()
    try await end.value
    #expect(journal.entries == ["owned", "shut down"])
  }

  @Test func anOwnedThatIsDisposedOfAndReleasedIsDisposedOfOnce() async throws {
    let record = DisposalRecord()
    let container = Container { Registration(RecordedService.self) { _ in RecordedService(record) } }
    for round in 0..<100 {
      var owned: Owned<RecordedService>? = try await container.resolve()
      if round.isMultiple(of: 2) { await owned?.dispose() }
      owned = nil
    }
    try await container.shutdown()
    #expect(record.made == 100 && record.mistakes.isEmpty)
  }

  @Test func anOwnedThatOutlivesItsContainerIsDisposedOfOnce() async throws {
    let record = DisposalRecord()
    let container = Container { Registration(RecordedService.self) { _ in RecordedService(record) } }
    var owned: Owned<RecordedService>? = try await container.resolve()
    try await container.shutdown()
    #expect(record.mistakes.isEmpty)
    await owned?.dispose()
    owned = nil
    #expect(record.made == 1 && record.mistakes.isEmpty)
  }

  @Test func thousandsOfReleasedOwnedLeaveNothingBehind() async throws {
    let record = DisposalRecord()
    let freed = Counter()
    let container = Container {
      Registration(RecordedService.self) { _ in RecordedService(record) }
      Registration(DeinitCounter.self) { _ in DeinitCounter(freed) }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            _ = try? await container.resolve(Owned<RecordedService>.self)
            _ = try? await container.resolve(Owned<DeinitCounter>.self)
          }
        }
      }
    }
    try await until { record.ended == 2000 && container.child(named: "owned") == nil }
    #expect(record.made == 2000 && record.mistakes.isEmpty && freed.count == 2000)
    try await container.shutdown()
    #expect(record.mistakes.isEmpty)
  }

  @Test func aCancelledBuildEndsTheScopeAsCancelled() async throws {
    let (outcomes, isWaiting) = (Journal<String>(), Gate())
    let container = Container {
      Registration(Connection.self) { r in
        _ = try await r.resolve(Connection.self, key: "part")
        isWaiting.open()
        // Ends with an error when the task is cancelled.
        try await Gate().passed()
        return Connection()
      }
      Registration(Connection.self, scope: .scoped) { _ in Connection() }.key("part")
        .onDispose { _, outcome in outcomes.note(outcome.name) }
    }
    let task = Task { _ = try await container.resolve(Owned<Connection>.self) }
    try await isWaiting.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await until { !outcomes.entries.isEmpty }
    #expect(outcomes.entries == ["cancelled"])
  }

  // A regression: the cancelled caller waited for the end of the build that it had left.
  @Test func aCancelledCallerLeavesItsBuildAtOnce() async throws {
    let (began, mayEnd, left, journal) = (Gate(), Gate(), Gate(), Journal<String>())
    defer { mayEnd.open() }
    let container = Container {
      Registration(Connection.self, scope: .scoped) { _ in
        began.open()
        await mayEnd.wait()
        return Connection("late", journal)
      }
    }
    let task = Task {
      defer { left.open() }
      _ = try await container.resolve(Owned<Connection>.self)
    }
    try await began.passed()
    task.cancel()
    try await left.passed()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(journal.entries.isEmpty)
    mayEnd.open()
    try await container.shutdown()
    #expect(journal.entries == ["late"])
  }

  @Test func aFailedBuildLeavesNoScope() async throws {
    let container = Container { Registration(Probe.self) { _ in throw Boom() } }
    for _ in 0..<3 {
      await #expect(throws: Boom()) { try await container.resolve(Owned<Probe>.self) }
      #expect(throws: Boom()) { try sync { try container.resolve(Owned<Probe>.self) } }
    }
    #expect(container.child(named: "owned") == nil)
  }
}
