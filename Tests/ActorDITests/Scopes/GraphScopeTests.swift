import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private final class First: Sendable {
  let second: Second
  let shared: Probe
  init(_ second: Second, _ shared: Probe) { (self.second, self.shared) = (second, shared) }
}
private final class Second: Sendable {
  let shared: Probe
  init(_ shared: Probe) { self.shared = shared }
}
private final class Keeper: Sendable {
  let second: Second
  init(_ second: Second) { self.second = second }
}

private final class LazyOwner: Sendable {
  /// Not used, so it retains the graph of the call that made it.
  let lazy: Lazy<Probe>
  init(_ lazy: Lazy<Probe>) { self.lazy = lazy }
}

/// `.graph` instances. Their builds are uncontended until another thread, or the slow path, needs an attempt.
@Suite("Graph scope", .timeLimit(.minutes(5)))
struct GraphScopeTests {
  @Test func eachCallRunsEachFactoryOnce() async throws {
    let (firsts, seconds, probes) = (Counter(), Counter(), Counter())
    let container = Container {
      Registration(First.self, scope: .graph) { r in
        firsts.increment()
        return First(try r.resolve(), try r.resolve())
      }
      Registration(Second.self, scope: .graph) { r in
        seconds.increment()
        return Second(try r.resolve())
      }
      Registration(Probe.self, scope: .graph) { _ in
        probes.increment()
        return Probe()
      }
    }
    for call in 1...6 {
      let isAsync = call.isMultiple(of: 2)
      let first = isAsync ? try await container.resolve(First.self) : try sync { try container.resolve() }
      #expect(first.shared === first.second.shared)
      #expect([firsts.count, seconds.count, probes.count] == [call, call, call])
    }
  }

  /// The call's few slots are searched in order, and its many ones in a table.
  @Test(arguments: [1, 15, 16, 17, 18, 40])
  func aCallKeepsOneInstanceOfEachService(count: Int) throws {
    let container = Container {
      for key in 0..<count { Registration(Probe.self, scope: .graph) { _ in Probe() }.key(key) }
      Registration([ObjectIdentifier].self) { r in
        let first = try (0..<count).map { try r.resolve(Probe.self, key: $0) }
        let second = try (0..<count).reversed().map { try r.resolve(Probe.self, key: $0) }
        #expect(zip(first, second.reversed()).allSatisfy { $0 === $1 })
        return first.map { ObjectIdentifier($0) }
      }
    }
    let instances = try container.resolve([ObjectIdentifier].self)
    #expect(Set(instances).count == count)
  }

  @Test func buildsOfACallAreUncontended() async throws {
    let found = Shelf<[Bool]>([])
    let app = Shelf<Container?>(nil)
    let container = Container {
      Registration(Second.self, scope: .graph) { r in
        let slot = try #require(app.value).graphSlot(of: Second.self)
        found.value = [slot.existingCell == nil, slot.word == .building]
        return Second(try r.resolve())
      }
      Registration(Probe.self, scope: .graph) { _ in Probe() }
    }
    app.value = container
    defer { app.value = nil }
    _ = try sync { try container.resolve(Second.self) }
    #expect(found.value == [true, true])
    _ = try await container.resolve(Second.self)
    #expect(found.value == [true, true])
  }

  @Test func instancesEndWithTheirCall() async throws {
    let freed = Counter()
    let container = Container {
      Registration(Keeper.self, scope: .graph) { r in Keeper(try r.resolve()) }
      Registration(Second.self, scope: .graph) { r in
        _ = try r.resolve(DeinitCounter.self)
        return Second(Probe())
      }
      Registration(DeinitCounter.self, scope: .graph) { _ in DeinitCounter(freed) }
    }
    for call in 1...3 {
      let keeper = try sync { try container.resolve(Keeper.self) }
      #expect(freed.count == call)
      withExtendedLifetime(keeper) {}
    }
    for call in 4...6 {
      let keeper = try await container.resolve(Keeper.self)
      await freed.wait(for: call)
      withExtendedLifetime(keeper) {}
    }
  }

  @Test func aLazyFindsTheInstancesThatOthersStillHold() throws {
    let container = Container {
      Registration((Second, Lazy<Probe>).self) { r in (try r.resolve(), try r.resolve()) }
      Registration(Second.self, scope: .graph) { r in Second(try r.resolve()) }
      Registration(Probe.self, scope: .graph) { _ in Probe() }
    }
    let (second, lazy) = try container.resolve((Second, Lazy<Probe>).self)
    #expect(try lazy.synchronously() === second.shared)
    // The first call's instance is gone, so the lazy builds another one.
    weak var old: Probe?
    let later: Lazy<Probe>
    do {
      let (second, lazy) = try container.resolve((Second, Lazy<Probe>).self)
      old = second.shared
      later = lazy
    }
    #expect(old == nil)
    #expect(try later.synchronously() === later.synchronously())
  }

  /// An owner of an unused lazy, whose graph keeps an object that counts its end.
  @RegistrationBuilder private static func lazyOwner(_ freed: Counter) -> Registrations {
    Registration(DeinitCounter.self, scope: .graph) { _ in DeinitCounter(freed) }
    Registration(Probe.self, scope: .graph) { _ in Probe() }
    Registration(LazyOwner.self, scope: .graph) { r in
      _ = try r.resolve(DeinitCounter.self)
      return LazyOwner(try r.resolve())
    }
  }

  /// The call that created the lazy has ended, and the call that uses it has a graph of its own.
  @Test(arguments: [true, false])
  func theInstancesOfALazyEndWithItsUseInAnotherCall(isSynchronous: Bool) async throws {
    let freed = Counter()
    let container = Container {
      Self.lazyOwner(freed)
    }
    let lazy = try await container.resolve(Lazy<LazyOwner>.self)
    try await container.register(
      isSynchronous
        ? Registration(Second.self) { _ in
          _ = try lazy()
          return Second(Probe())
        }
        : Registration(Second.self) { _ async throws in
          _ = try await lazy()
          return Second(Probe())
        })
    _ = try await container.resolve(Second.self)
    await freed.wait(for: 1)
  }

  // A regression: the use of a lazy on another thread, or in another task, ended the call that had made the lazy.
  @Test(arguments: [false, true])
  func aLazyUsedElsewhereDoesNotEndTheCallThatMadeIt(inTask: Bool) async throws {
    let builds = Counter()
    let container = Container {
      Registration(Setting.self, scope: .graph) { _ in Setting(number: builds.increment()) }
      if inTask {
        Registration(Probe.self) { _ async throws in Probe() }
      } else {
        Registration(Probe.self) { _ in Probe() }
      }
      Registration([Setting].self) { r async throws in
        let first: Setting = try await r.resolve()
        let lazy: Lazy<Probe> = try await r.resolve()
        if inTask {
          _ = try await Task.detached { try await lazy() }.value
        } else {
          _ = try await onThread { try lazy.synchronously() }
        }
        return [first, try await r.resolve(Setting.self)]
      }
    }
    let both = try await container.resolve([Setting].self)
    #expect(both.map(\.number) == [1, 1])
  }

  // A regression: the graph of a property's load within a factory did not end.
  @Test func theGraphOfAPropertyEndsWithItsLoadInAFactory() async throws {
    let freed = Counter()
    let container = Container {
      Self.lazyOwner(freed)
      Registration(Second.self) { r in
        let property = Injected<LazyOwner>(from: try r.resolve(Container.self))
        _ = try property.callAsFunction()
        return Second(Probe())
      }
    }
    _ = try sync { try container.resolve(Second.self) }
    await freed.wait(for: 1)
  }

  // A regression: the instance came into a graph that had ended, which its lazy held.
  @Test func theInstanceOfAnAbandonedBuildIsFreed() async throws {
    let (freed, begun, gate) = (Counter(), Gate(), Gate())
    let container = Container {
      Registration(Probe.self, scope: .graph) { _ in Probe() }
      Registration(Root.self, scope: .graph) { r async throws in
        let parts: [any Sendable] = [DeinitCounter(freed), try await r.resolve(Lazy<Probe>.self)]
        begun.open()
        await gate.wait()
        return Root(parts)
      }
    }
    let call = Task { try await container.resolve(Root.self) }
    try await begun.passed()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    gate.open()
    await freed.wait(for: 1)
  }

  // A regression: the once cell in the graph held the disposal, which held the instance and its lazy.
  @Test func aDisposableInstanceWithAnUnusedLazyIsFreed() async throws {
    let (freed, disposed) = (Counter(), Counter())
    let container = Container {
      Registration(Probe.self, scope: .graph) { _ in Probe() }
      Registration(Root.self, scope: .graph) { r async throws in
        Root([DeinitCounter(freed), try await r.resolve(Lazy<Probe>.self)] as [any Sendable])
      }.onDispose { _ in _ = disposed.increment() }
    }
    try await container.withScope { _ = try await $0.resolve(Root.self) }
    await freed.wait(for: 1)
    #expect(disposed.count == 1)
  }

  // The call that has created the lazy has ended. A build that ends within the lazy's call does not end the graph.
  @Test func aPartOfALazysCallLastsUntilThatCallEnds() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }
      Registration(Stem.self, scope: .singleton) { _ async throws in
        await Task.yield()
        return Stem()
      }
      Registration(Root.self) { r async throws in
        weak let alpha = try await r.resolve(Alpha.self)
        _ = try await r.resolve(Stem.self)
        return Root(alpha != nil)
      }
    }
    let lazy = try await container.resolve(Lazy<Root>.self)
    #expect(try await lazy().next as? Bool == true)
  }

  // A regression: the graph of the first attempt, which could not suspend, did not end.
  @Test func aLoadThatFailsEndsItsGraphs() async throws {
    let freed = Counter()
    let container = Container {
      Self.lazyOwner(freed)
      Registration(Stem.self, scope: .singleton) { _ async throws in throw Boom(number: 1) }
      Registration(Second.self) { r in
        let owner = try r.resolve(LazyOwner.self)
        return Second(try r.resolve(Stem.self).next == nil ? Probe() : owner.lazy())
      }
    }
    let property = Injected<Second>(from: container)
    await #expect(throws: (any Error).self) { try await property.loadIfNeeded() }
    // Once on the thread, and once in a task.
    await freed.wait(for: 2)
  }

  // A regression: the end of the build ended the graph of the provider's call.
  @Test func aCancelledCallEndsItsGraphWithTheBuildOfAProvider() async throws {
    let (freed, begun, gate) = (Counter(), Counter(), Gate())
    let container = Container {
      Self.lazyOwner(freed)
      Registration(Stem.self, scope: .singleton) { _ async throws in
        begun.increment()
        await gate.wait()
        return Stem()
      }
      Registration(Root.self) { r async throws in
        _ = try await r.resolve(LazyOwner.self)
        let provider: Provider<Stem> = try await r.resolve()
        return Root(try await provider())
      }
    }
    let call = Task { try await container.resolve(Root.self) }
    await begun.wait(for: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    gate.open()
    await freed.wait(for: 1)
  }

  @Test func aFailedBuildRunsAgainInTheSameCall() throws {
    let runs = Counter()
    let container = Container {
      Registration(Second.self) { r in
        #expect(throws: Boom(number: 1)) { try r.resolve(Probe.self) }
        return Second(try r.resolve())
      }
      Registration(Probe.self, scope: .graph) { _ in
        if runs.increment() == 1 { throw Boom(number: 1) }
        return Probe()
      }
    }
    _ = try container.resolve(Second.self)
    #expect(runs.count == 2)
  }

  @Test(arguments: [Scope.graph, .singleton])
  func aCycleIsAnErrorWithItsPath(scope: Scope) async throws {
    let container = Container {
      Registration(First.self, scope: .graph) { r in First(try r.resolve(), Probe()) }
      Registration(Second.self, scope: scope) { r in Second(try r.resolve(First.self).shared) }
    }
    for _ in 0..<2 {
      let error = try resolutionError { try container.resolve(First.self) }
      #expect(error.code == .cycle)
      #expect(error.path == ["First", "Second", "First"])
      let other = try await asyncResolutionError { try await container.resolve(First.self) }
      #expect(other.code == .cycle)
      #expect(other.path == ["First", "Second", "First"])
    }
  }

  /// A ``Lazy`` of the call, resolved by another thread while the service is under construction.
  @Test func anotherThreadOfTheCallWaitsForTheBuild() async throws {
    let (gate, builds) = (Gate(), Counter())
    let shelf = Shelf<(lazy: Lazy<Probe>, slot: GraphSlot)?>(nil)
    let app = Shelf<Container?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .graph) { r in
        shelf.value = (try r.resolve(), try #require(app.value).graphSlot(of: Probe.self))
        builds.increment()
        gate.block()
        return Probe()
      }
    }
    app.value = container
    defer { (app.value, shelf.value) = (nil, nil) }
    let first = Task { try await onThread { try container.resolve(Probe.self) } }
    await builds.wait(for: 1)
    let (lazy, slot) = try #require(shelf.value)
    let other = Task { try await onThread { try lazy.synchronously() } }
    try await until { slot.ownCell.state.withLock { $0.waiters.count == 1 } }
    gate.open()
    #expect(try await first.value === other.value)
    #expect(builds.count == 1)
  }

  @Test func aBuildThatEndsAfterTheCloseThrows() async throws {
    let (gate, builds) = (Gate(), Counter())
    let container = Container {
      Registration(Second.self, scope: .graph) { r in Second(try r.resolve()) }
      Registration(Probe.self, scope: .graph) { _ in
        builds.increment()
        gate.block()
        return Probe()
      }
    }
    let first = Task { try await onThread { try container.resolve(Second.self) } }
    await builds.wait(for: 1)
    let shutdown = Task { try await container.shutdown() }
    try await until { container.lifecycle.isClosed }
    gate.open()
    #expect(try await asyncResolutionError { try await first.value }.code == .closed)
    try await shutdown.value
    let isIdle = container.lifecycle.activity.isIdle
    #expect(isIdle)
  }

  /// The requests of an instance that is built for a singleton are noted. Those of an instance that the call has built before are unknown.
  @Test func aSingletonKnowsTheRequestsOfInstancesThatAreBuiltForIt() async throws {
    let container = Container {
      Registration(First.self) { r in First(try r.resolve(), try r.resolve(Keeper.self).second.shared) }
      Registration(Keeper.self, scope: .singleton) { r in Keeper(try r.resolve()) }
      Registration(Second.self, scope: .graph) { r in Second(try r.resolve()) }
      Registration(Probe.self) { _ in Probe() }
    }
    let binding = try #require(container.locate(ServiceIdentity(Keeper.self))).binding
    _ = try sync { try container.resolve(First.self) }
    #expect(binding.existing() != nil)
    #expect(binding.requests == nil)
    await container.reset()
    _ = try sync { try container.resolve(Keeper.self) }
    #expect(binding.requests?.map(\.description).sorted() == ["Probe", "Second"])
  }

  // A regression: a parent's singleton took the instance that the child's call had made with the child's registrations.
  @Test(arguments: [false, true])
  func aKeptServiceOfAParentSharesNoInstanceWithTheChildThatAsks(isSynchronous: Bool) async throws {
    let parent = Container {
      Registration(Probe.self) { _ in Probe("parent") }
      Registration(Stem.self, scope: .graph) { r in Stem(try r.resolve(Probe.self)) }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Stem.self)) }
      Registration(Root.self) { r in
        let parts: [any Sendable] = [try r.resolve(Stem.self), try r.resolve(Leaf.self), try r.resolve(Stem.self)]
        return Root(parts)
      }
    }
    let child = parent.makeChild { Registration(Probe.self) { _ in Probe("child") } }
    let root = try await isSynchronous ? sync { try child.resolve(Root.self) } : child.resolve(Root.self)
    let parts = try #require(root.next as? [any Sendable])
    let (stem, leaf) = (try #require(parts[0] as? Stem), try #require(parts[1] as? Leaf))
    #expect(stem === parts[2] as? Stem && (stem.next as? Probe)?.name == "child")
    #expect(((leaf.next as? Stem)?.next as? Probe)?.name == "parent")
    #expect(try await parent.resolve(Leaf.self) === leaf)
  }

  // A regression: the second build of the service, for the parent, was a cycle.
  @Test(arguments: [false, true])
  func aServiceMayBeUnderConstructionForAChildAndForItsParent(isSynchronous: Bool) async throws {
    let ofHook = Shelf<Stem?>(nil)
    let parent = Container {
      Registration(Stem.self, scope: .graph) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onCreated { _, r in ofHook.value = try r.resolve() }
    }
    let child = parent.makeChild()
    let stem = try await isSynchronous ? sync { try child.resolve(Stem.self) } : child.resolve(Stem.self)
    let other = try #require(ofHook.value)
    #expect(other !== stem)
    #expect((other.next as? Leaf) === (stem.next as? Leaf))
  }
}

extension Container {
  /// The slot in the graph of the call that is running on this thread.
  fileprivate nonisolated func graphSlot<Service>(of service: Service.Type) throws -> GraphSlot {
    let binding = try #require(ownBindings(of: service).first)
    return try ThreadRecordPointer.current.graph.slot(for: binding, in: lifecycle) { _ in }
  }
}
