import ActorDITestSupport
import ActorDITesting
import Synchronization
import Testing

@testable import ActorDI

/// Shutdowns that wait for the operations of scopes.
@Suite("Shutdown with open scopes", .timeLimit(.minutes(5)))
struct DrainingTests {
  private let journal = Journal<String>()
  private let clock = ManualClock()

  private func app() -> Container {
    Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
      // The first caller builds the singleton, here usually while the container waits.
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        return Probe("singleton")
      }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
      Registration((any Greeter).self, scope: .scoped) { r in
        _ = try await r.resolve(Probe.self)
        return try await r.resolve(Polite.self)
      }
      Registration(Root.self) { r in Root(try r.resolve(Polite.self)) }
      Registration(Stem.self, scope: .singleton) { r in
        Stem(Handles(provider: try await r.resolve(), lazy: try await r.resolve()))
      }
      Registration(Leaf.self, scope: .graph) { _ in Leaf() }
    }
  }

  private struct Handles: Sendable {
    let provider: Provider<Leaf>
    let lazy: Lazy<Polite>
  }

  @Test func shutdownDoesNotWaitForTheOperationOfAClosedScope() async throws {
    let app = app()
    try await app.withScope("request") { [journal] scope in
      _ = try await scope.resolve(Connection.self)
      try await scope.shutdown()
      #expect(!journal.entries.isEmpty)
      #expect(try resolutionError { try scope.extendScope() }.code == .closed)
      // Another task: the shutdown would wait for the operation of an open scope.
      try await Task.detached { try await app.shutdown() }.value
    }
    #expect(try resolutionError { try app.resolve(Polite.self) }.code == .closed)
  }

  @Test func shutdownWaitsForOperationsAndRefusesNewCalls() async throws {
    let app = app()
    let child = app.makeChild { Registration(Gamma.self) { _ in Gamma(beta: Beta(alpha: Alpha()), alpha: Alpha()) } }
    let stem = try await app.resolve(Stem.self)
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let request = Task { [journal] in
      try await app.withScope("request") { scope in
        isOpen.open()
        await mayGoOn.wait()
        _ = try await scope.resolve(Connection.self)
        #expect(try await scope.resolve((any Greeter).self) is Polite)
        #expect(try sync { try scope.resolve(Root.self) }.next is Polite)
        #expect(try await scope.resolve(Probe.self) === app.resolve(Probe.self), "The operation's own task")
        #expect(scope.resolveIfReady(Polite.self) != nil && scope.contains(Root.self))
        let handles = try #require(stem.next as? Handles)
        _ = try await handles.provider()
        _ = try await handles.lazy()
        try await scope.withScope("part") { _ = try await $0.resolve(Connection.self) }
        _ = try await scope.resolve(Owned<Leaf>.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 { group.addTask { _ = try await scope.resolve((any Greeter).self) } }
          try await group.waitForAll()
        }
        journal.note("operation")
      }
    }
    try await isOpen.passed()
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    try await until { app.lifecycle.isDraining }
    let refused: [@Sendable () async throws -> Void] = [
      { _ = try await app.resolve(Polite.self) }, { _ = try sync { try app.resolve(Polite.self) } },
      { _ = try sync { try app.resolve(Root.self) } }, { _ = try await app.resolve([Polite].self) },
      { _ = try sync { try app.withResolved(Polite.self) { _ in } } }, { try await app.withScope { _ in } },
      { try await app.start() }, { try await app.register(Registration(Alpha.self) { _ in Alpha() }) },
      { _ = try await child.resolve(Gamma.self) }, { _ = try await child.resolve(Polite.self) },
      { try await child.withScope { _ in } }, { _ = try await app.makeChild().resolve(Polite.self) },
    ]
    for (number, call) in refused.enumerated() {
      #expect(try await asyncResolutionError { try await call() }.code == .closed, "call \(number)")
    }
    #expect(app.resolveIfReady(Polite.self) == nil)
    #expect(journal.entries.isEmpty && !app.lifecycle.isClosed)
    mayGoOn.open()
    try await request.value
    try await closing.value
    #expect(journal.entries == ["part", "operation", "request", "closed"])
  }

  /// The drainer marks one container after the other. A child and a linked container may be asked in between.
  @Test func aContainerThatRefusesCallsAlsoRefusesThoseByOtherContainers() async throws {
    let app = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    let child = app.makeChild { Registration(Probe.self) { _ in Probe() } }
    let other = Container { Registration(Beta.self) { r in Beta(alpha: try r.resolve()) } }
    other.link(app)
    try await app.withScope { scope in
      app.lifecycle.beginDraining()
      app.withdrawRegistry()
      _ = try await child.resolve(Probe.self)
      for container in [child, other] {
        #expect(try await asyncResolutionError { try await container.resolve(Alpha.self) }.code == .closed)
        #expect(try resolutionError { try container.resolve(Alpha.self) }.code == .closed)
        #expect(container.resolveIfReady(Alpha.self) == nil)
      }
      #expect(!child.lifecycle.isDraining && !other.lifecycle.isDraining)
      // Once the child has refused a call, it refuses all later ones (L6).
      #expect(try resolutionError { try child.resolve(Probe.self) }.code == .closed)
      #expect(try await asyncResolutionError { try await child.register { Registration(instance: 1) } }.code == .closed)
      // A build in progress is served, and so is the operation of a scope.
      let alpha = try await other.resolve(Beta.self).alpha
      #expect(try await scope.resolve(Alpha.self) === alpha)
      #expect(try await scope.makeChild().resolve(Alpha.self) === alpha)
    }
  }

  @Test func aRefusedCallLeavesTheRegistrationsToBegunOperations() async throws {
    let app = Container()
    let child = app.makeChild { Registration(Probe.self) { _ in Probe() } }
    // Without a registration of the service anywhere, only the draining container refuses.
    let siblings = [app.makeChild(), app.makeChild()]
    try await child.withScope { scope in
      app.lifecycle.beginDraining()
      let refused = Task.detached { () async throws in
        for _ in 0..<2 {
          #expect(try await asyncResolutionError { try await child.resolve(Alpha.self) }.code == .closed)
          #expect(try await asyncResolutionError { try await child.resolve(Probe.self) }.code == .closed)
        }
      }
      let refusedAtOnce = Task.detached { () throws in
        #expect(try resolutionError { try siblings[0].resolve(Alpha.self) }.code == .closed)
        #expect(try resolutionError { try siblings[1].resolve(Alpha?.self) }.code == .closed)
      }
      try await refused.value
      try await refusedAtOnce.value
      _ = try await scope.resolve(Probe.self)
      _ = try sync { try scope.resolve(Probe.self) }
    }
  }

  @Test func shutdownWaitsForOperationsInScopesOfChildren() async throws {
    let app = app()
    let child = app.makeChild(name: "child")
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let request = Task {
      try await child.withScope("request") { scope in
        isOpen.open()
        await mayGoOn.wait()
        _ = try await (scope.resolve(Connection.self), scope.resolve(Probe.self))
      }
    }
    try await isOpen.passed()
    let closing = Task { try await app.shutdown() }
    try await until { child.lifecycle.isDraining }
    let other = Task { try await child.shutdown() }
    mayGoOn.open()
    try await request.value
    try await closing.value
    try await other.value
    #expect(journal.entries == ["request"] && child.lifecycle.isClosed)
  }

  @Test func shutdownDoesNotCancelABuildWhileAScopeIsOpen() async throws {
    let (isOpen, mayGoOn, started, mayEnd) = (Gate(), Gate(), Gate(), Gate())
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { r in
        started.open()
        await mayEnd.wait()
        _ = try await r.container.resolve(Alpha.self)
        journal.note("cancelled: \(Task.isCancelled)")
        return Connection("c", journal)
      }
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
    let waiter = Task { try await app.resolve(Connection.self) }
    try await started.passed()
    let request = Task {
      try await app.withScope { scope in
        isOpen.open()
        await mayGoOn.wait()
        return try await scope.resolve(Connection.self)
      }
    }
    try await isOpen.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    mayGoOn.open()
    mayEnd.open()
    #expect(try await request.value === waiter.value)
    try await closing.value
    #expect(journal.entries == ["cancelled: false", "c"])
  }

  // MARK: Time limits

  @Test func shutdownCancelsAndReportsOpenScopesAtItsTimeout() async throws {
    let app = app()
    let isOpen = Counter()
    let requests = (0..<3).map { number in
      Task { [journal] in
        try await app.withScope("request \(number)") { scope in
          _ = try await scope.resolve(Connection.self)
          isOpen.increment()
          do { try await Gate().passed() } catch { journal.note("cancelled") }
          throw Boom(number: number)
        }
      }
    }
    await isOpen.wait(for: 3)
    let closing = Task { try await app.shutdown(timeout: .seconds(10)) }
    try await clock.waitForSleepers()
    #expect(journal.entries.isEmpty)
    clock.advance(by: .seconds(10))
    do {
      try await closing.value
      Issue.record("The shutdown does not report the open scopes")
    } catch let error as ShutdownError {
      #expect(error.failures.isEmpty && Set(error.openScopes.map(\.name)) == ["request 0", "request 1", "request 2"])
      #expect(Set(error.openScopes.map(\.id)).count == 3 && error.openScopes.allSatisfy { $0.container == "app" })
      #expect(error.description.contains("3 failures") && error.description.contains("request 1"))
      #expect(error.description.contains("still open"))
    }
    for (number, request) in requests.enumerated() {
      await #expect(throws: Boom(number: number)) { try await request.value }
    }
    #expect(journal.entries.filter { $0 == "cancelled" }.count == 3)
    #expect(Set(journal.entries).isSuperset(of: ["request 0", "request 1", "request 2"]))
    #expect(journal.entries.count == 6 && app.children.isEmpty)
  }

  @Test func shutdownNeitherCancelsNorReportsAnOperationThatReturnsInTime() async throws {
    let app = app()
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let request = Task {
      try await app.withScope { _ in
        isOpen.open()
        await mayGoOn.wait()
        return Task.isCancelled
      }
    }
    try await isOpen.passed()
    let closing = Task { try await app.shutdown(timeout: .seconds(10)) }
    try await clock.waitForSleepers()
    mayGoOn.open()
    try await closing.value
    #expect(try await request.value == false)
    try await until { clock.sleeperCount == 0 }
  }

  @Test func openScopesHaveNameIdentityAndAge() async throws {
    let app = app()
    try await app.withScope("request") { scope in
      let open = try #require(app.openScopes.first)
      #expect(open.name == "request" && open.id == scope.id && open.container == "app")
      #expect(open.age >= .zero && open.age < .seconds(300))
      #expect(scope.id != app.id && scope.id == scope.id)
    }
    #expect(app.openScopes.isEmpty)
  }

  // MARK: Calls from operations and disposers

  @Test func everyOperationCanShutDownItsContainer() async throws {
    for count in [1, 2, 5] {
      let app = app()
      let isOpen = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            try await app.withScope("\(number)") { scope in
              _ = try await scope.resolve(Connection.self)
              isOpen.increment()
              await isOpen.wait(for: count)
              try await app.shutdown()
            }
          }
        }
        try await group.waitForAll()
      }
      try await app.shutdown()
      #expect(app.lifecycle.isClosed)
    }
    #expect(journal.entries.count == 8)
  }

  @Test func aChildTaskInANestedScopeCanShutDownTheContainer() async throws {
    let app = app()
    try await app.withScope("outer") { outer in
      async let inner: Void = outer.withScope("inner") { _ in try await app.shutdown() }
      try await inner
    }
    #expect(app.lifecycle.isClosed)
  }

  /// An operation in a scope of one container closes the other container, one of whose disposers closes the first container.
  @Test func aDisposerThatAnOperationWaitsForCanShutDownTheOperationsContainer() async throws {
    let (first, second) = (
      app(),
      Container(name: "second") {
        Registration(Leaf.self, scope: .singleton) { r in Leaf(try await r.resolve(Shelf<Container?>.self)) }
          .onDispose { leaf in try await (leaf.next as? Shelf<Container?>)?.value?.shutdown() }
        Registration(instance: Shelf<Container?>(nil))
      }
    )
    try await second.resolve(Shelf<Container?>.self).value = first
    _ = try await second.resolve(Leaf.self)
    try await first.withScope { _ in try await second.shutdown() }
    try await first.shutdown()
    #expect(first.lifecycle.isClosed && second.lifecycle.isClosed)
  }

  @Test func aDisposerOfAnEndingScopeCanShutDownTheContainer() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Leaf.self, scope: .scoped) { r in Leaf(r.container) }
        .onDispose { leaf in
          await Task.yield()
          try await (leaf.next as? Container)?.parent?.shutdown()
          journal.note("scope's")
        }
    }
    for _ in 0..<2 {
      try? await app.withScope { _ = try await $0.resolve(Leaf.self) }
      try await app.shutdown()
    }
    #expect(journal.entries == ["scope's"])
  }

  /// Operations that end while their tasks are being cancelled.
  @Test func shutdownCanCancelOperationsWhileTheyEnd() async throws {
    for _ in 0..<200 {
      let app = Container { Registration(Alpha.self, scope: .scoped) { _ in Alpha() } }
      let isOpen = Counter()
      let requests = (0..<4).map { _ in
        Task {
          try await app.withScope { scope in
            _ = try await scope.resolve(Alpha.self)
            isOpen.increment()
            await Task.yield()
            await withTaskCancellationHandler {
              for _ in 0..<20 { await Task.yield() }
            } onCancel: {
            }
          }
        }
      }
      await isOpen.wait(for: 2)
      do { try await app.shutdown(timeout: .zero) } catch {
        // A scope may be building just now, and there is no time left to wait for the build either.
        #expect(error.failures.allSatisfy { if case .stillBuilding = $0.reason { true } else { false } })
      }
      for request in requests { _ = await request.result }
      #expect(app.lifecycle.isClosed && app.children.isEmpty)
    }
  }

  /// L7: the end may have found no registry, and have taken the snapshot without its lock.
  @Test func aClosedContainerIsNotWithdrawn() {
    let container = Container { Registration(instance: 1) }
    #expect(container.lifecycle.beginClosing(after: .shutDown))
    container.withdrawRegistry()
    #expect(container.lastSnapshot.load(ordering: .acquiring) == Snapshot.Address.nothing.bits)
    container.closeRegistry()
    container.withdrawRegistry()
    #expect(container.publishedSnapshot == .closed)
    #expect(container.lastSnapshot.load(ordering: .acquiring) == Snapshot.Address.nothing.bits)
  }

  // A regression: a call of a provider is a resolve of its own, but the provider belongs to a service that is served.
  @Test func aProviderServesTheOperationsOfOpenScopes() async throws {
    let app = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Provider<Alpha>.self)) }
    }
    let provider = try #require(try await app.resolve(Stem.self).next as? Provider<Alpha>)
    try await app.withScope { _ in
      app.lifecycle.beginDraining()
      app.withdrawRegistry()
      _ = try await provider()
      try await Task { _ = try await provider() }.value
    }
  }

  // A regression: the container disposed of the instance while its hooks ran, and then handed it out.
  @Test func aTransientWithHooksIsNotHandedOutByAClosedContainer() async throws {
    let (hooked, gate) = (Gate(), Gate())
    let app = Container {
      Registration((any Noted).self) { _ in Connection() }.onCreated { _, _ in
        hooked.open()
        gate.block()
      }
      Registration(Root.self) { r in Root(try r.resolve((any Noted).self) as any Sendable) }
    }
    let caller = Task { try await onThread { _ = try app.resolve(Root.self) } }
    try await hooked.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    let error = try await asyncResolutionError { try await caller.value }
    #expect(error.code == .closed)
    // A regression: the path began with the service itself.
    #expect(error.path.map(\.description) == ["Root", "any Noted"])
    try await closing.value
  }

  // A regression: the search for the caller's scope was recursive.
  @Test func aDrainingContainerCanHaveADeepFamily() async throws {
    let (open, close) = (Gate(), Gate())
    let app = Container()
    var family = [app]
    for _ in 0..<20_000 { family.append(family[family.count - 1].makeChild()) }
    let user = Task {
      try await app.withScope { _ in
        open.open()
        await close.wait()
      }
    }
    try await open.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    let error = try await onThread(stackSize: 1 << 19) { try resolutionError { try app.resolve(Leaf.self) } }
    #expect(error.code == .closed)
    close.open()
    try await user.value
    try await closing.value
    withExtendedLifetime(family) {}
  }

  // MARK: Containers below a draining one

  /// Runs an operation in a scope of a container that drains, and waits until both have ended.
  private func draining(
    _ app: Container, _ operation: @escaping @Sendable (Container) async throws -> Void
  ) async throws {
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let request = Task {
      try await app.withScope("request") { scope in
        isOpen.open()
        await mayGoOn.wait()
        try await operation(scope)
      }
    }
    try await isOpen.passed()
    try await shutDown(app, during: request, opening: mayGoOn)
  }

  /// Shuts a container down, opens a gate while it drains, and waits for a request that ends then.
  private func shutDown(
    _ app: Container, during request: Task<Void, any Error>, opening mayGoOn: Gate
  ) async throws {
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    mayGoOn.open()
    try await request.value
    try await closing.value
  }

  // A regression: the call took the parent's drain for a shutdown of the child by another caller. It returned without one, and the instances
  // of a child that the operation dropped were not disposed of.
  @Test func anOperationCanShutDownAChildOfADrainingContainer() async throws {
    let app = app()
    let child = Shelf<Container?>(
      app.makeChild(name: "old") { [journal] in
        Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { _ in
          await Task.yield()
          journal.note("leaf")
          throw Boom(number: 1)
        }
      })
    _ = try await child.value?.resolve(Leaf.self)
    try await draining(app) { [journal] _ in
      await #expect(throws: ShutdownError.self) { try await child.value?.shutdown() }
      #expect(journal.entries == ["leaf"] && child.value?.lifecycle.hasEnded == true)
      child.value = nil
    }
    #expect(journal.entries == ["leaf"])
  }

  // A regression: a child that was made while its parent drained waited for the parent's end, which waited for the operation.
  @Test func anOperationCanShutDownAChildThatItMakesInADrainingContainer() async throws {
    let app = app()
    try await draining(app) { _ in
      let child = app.makeChild(name: "new")
      try await child.shutdown()
      #expect(child.lifecycle.hasEnded)
    }
  }

  // A regression: the factory waited for the end of the child, and thus of the container, which waited for the operation.
  @Test func aFactoryCanShutDownAChildOfADrainingContainer() async throws {
    let (isBuilding, mayGoOn) = (Gate(), Gate())
    let app = Container(name: "app") {
      Registration(Leaf.self, scope: .singleton) { r in
        let child = r.container.makeChild()
        isBuilding.open()
        await mayGoOn.wait()
        try await child.shutdown()
        #expect(child.lifecycle.hasEnded)
        return Leaf()
      }
    }
    let request = Task { try await app.withScope { _ = try await $0.resolve(Leaf.self) } }
    try await isBuilding.passed()
    try await shutDown(app, during: request, opening: mayGoOn)
  }

  // A regression: a container at the address of a freed child counted as that child, whose end waited for the drain.
  @Test func aContainerAtTheAddressOfAFreedChildCanBeShutDown() async throws {
    let app = app()
    let child = Shelf<Container?>(app.makeChild())
    let address = ObjectIdentifier(try #require(child.value))
    try await draining(app) { [journal] _ in
      child.value = nil
      // Most often the first one gets the address.
      var others: [Container] = []
      repeat {
        others.append(
          Container(name: "other") {
            Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { _ in
              await Task.yield()
              journal.note("leaf")
            }
          })
      } while ObjectIdentifier(others[others.count - 1]) != address && others.count < 2_000
      let other = others[others.count - 1]
      _ = try await other.resolve(Leaf.self)
      try await other.shutdown()
      #expect(journal.entries == ["leaf"])
    }
  }

  /// A container whose scoped `Leaf` has a disposer that resolves from it.
  ///
  /// - Parameter served: Must contain the container while the disposer runs.
  private func appWithAskingDisposer(_ served: Shelf<Container?>, suspends: Bool) -> Container {
    Container(name: "app") { [journal] in
      Registration(Polite.self) { _ in Polite() }
      if suspends {
        Registration(Leaf.self, scope: .scoped) { _ in Leaf() }.onDispose { _ in
          await Task.yield()
          _ = try await served.value?.resolve(Polite.self)
          journal.note("leaf")
        }
      } else {
        Registration(Leaf.self, scope: .scoped) { _ in Leaf() }.onDispose { _ in
          _ = try served.value?.resolve(Polite.self)
          journal.note("leaf")
        }
      }
    }
  }

  // A regression: a draining container served a synchronous disposer only.
  @Test(arguments: [false, true]) func aDisposerOfAScopeCanResolveFromADrainingContainer(suspends: Bool) async throws {
    let served = Shelf<Container?>(nil)
    let app = appWithAskingDisposer(served, suspends: suspends)
    served.value = app
    try await draining(app) { _ = try await $0.resolve(Leaf.self) }
    #expect(journal.entries == ["leaf"])
    served.value = nil
  }

  // A regression: a draining container did not serve the synchronous disposers of an extended scope.
  @Test(arguments: [false, true])
  func aDisposerOfAnExtendedScopeCanResolveFromADrainingContainer(suspends: Bool) async throws {
    let served = Shelf<Container?>(nil)
    let app = appWithAskingDisposer(served, suspends: suspends)
    served.value = app
    let lease = try await app.withScope { scope in
      _ = try await scope.resolve(Leaf.self)
      return try scope.extendScope()
    }
    let ending = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    try await lease.end()
    try await ending.value
    #expect(journal.entries == ["leaf"])
    served.value = nil
  }

  // A regression: the draining container registered nothing any more, so the first request for a default was refused.
  @Test(arguments: [false, true]) func anOperationGetsTheDefaultOfATokenWhileItsContainerDrains(isAsync: Bool)
    async throws
  {
    let token = ServiceKey<Probe>("probe") { [journal] in
      Registration(scope: .singleton) { _ in Probe("default") }.onDispose { _ in journal.note("disposed") }
    }
    let app = Container(name: "app") {
      Decorator(Probe.self) { _, inner in Probe("decorated \(inner.name)") }
    }
    let probe = Shelf<Probe?>(nil)
    try await draining(app) { scope in
      let first = isAsync ? try await scope.resolve(token) : try sync { try scope.resolve(token) }
      #expect(try await scope.resolve(token) === first && first.name == "decorated default")
      probe.value = first
    }
    #expect(probe.value != nil && journal.entries == ["disposed"])
  }
}
