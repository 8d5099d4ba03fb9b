import ActorDITestSupport
import Testing

@testable import ActorDI

private enum Caller {
  @TaskLocal static var name: String?
}

@Suite("The task of an asynchronous build", .timeLimit(.minutes(5)))
struct BuildTaskTests {
  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func aKeptInstancesBuildDoesNotInheritTaskLocals(scope: Scope) async throws {
    let seen = Shelf<String?>("not run")
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in
        await Task.yield()
        seen.value = Caller.name
        return Probe()
      }
    }
    try await Caller.$name.withValue("caller") { _ = try await container.resolve(Probe.self) }
    #expect(seen.value == nil)
  }

  @Test(arguments: [
    Scope.scoped, .scoped("unnamed"), .managed(by: ManagedScope()), .pooled(max: 1), .graph, .transient,
  ])
  func aCallersOwnInstanceIsBuiltWithItsTaskLocals(scope: Scope) async throws {
    let seen = Shelf<[String?]>([])
    let container = Container {
      Registration(Probe.self, scope: scope) { r in
        await Task.yield()
        seen.value.append(Caller.name)
        _ = try await r.resolve(Leaf.self)
        return Probe()
      }
      Registration(Leaf.self, scope: .singleton) { r in
        await Task.yield()
        seen.value.append(Caller.name)
        return Leaf()
      }
      Registration(Stem.self) { r in Stem(try await r.resolve(Lazy<Probe>.self)) }
    }
    try await Caller.$name.withValue("caller") { _ = try await container.resolve(Probe.self) }
    #expect(seen.value == ["caller", nil])
    await container.reset()
    try await Caller.$name.withValue("another") {
      _ = try await (container.resolve(Stem.self).next as? Lazy<Probe>)?()
    }
    #expect(seen.value == ["caller", nil, "another", nil])
  }

  @Test(arguments: [Scope.scoped, .graph, .pooled(max: 1)])
  @concurrent func aBuildBeginsOnItsCallersThread(scope: Scope) async throws {
    let threads = Shelf<[UInt]>([])
    @Sendable func noteThread() { threads.value.append(ThreadRecordPointer.current.address) }
    let container = Container {
      Registration(Probe.self, scope: scope) { r in
        noteThread()
        _ = try await r.resolve(Leaf.self)
        noteThread()
        return Probe()
      }
      Registration(Leaf.self, scope: .scoped) { _ in await immediate(Leaf()) }
    }
    noteThread()
    _ = try await container.resolve(Probe.self)
    noteThread()
    #expect(Set(threads.value).count == 1 && threads.value.count == 4)
  }

  /// Returns a value from an asynchronous function that does not suspend.
  private func immediate<Value: Sendable>(_ value: Value) async -> Value { value }

  @MainActor @Test func aBuildForTheMainActorRunsElsewhere() async throws {
    let isOnMain = Shelf<Bool?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        isOnMain.value = MainExecutor.isCurrent
        await Task.yield()
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    #expect(isOnMain.value == false)
    #expect(MainExecutor.isCurrent)
  }

  /// The library's own task-locals are not copied into the build task: neither overrides that do not affect the service, nor
  /// the caller's factory.
  @Test func theBuildTaskDoesNotInheritTheLibrarysTaskLocals() async throws {
    let period = ManagedScope()
    let seen = Journal<String>()
    let container = Container {
      Registration(Probe.self, scope: .managed(by: period)) { _ in
        await Task.yield()
        seen.note("overridden: \(OverrideLayer.active != nil)")
        return Probe()
      }
      .dependsOn(Setting.self)
      Registration(Stem.self, scope: .managed(by: period)) { r in Stem(try await r.resolve(Alpha.self)) }
      Registration(Alpha.self) { _ in Alpha() }
      Registration(instance: Setting())
    }
    try await container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () async throws in
      let probe = try await container.resolve(Probe.self)
      _ = try await container.resolve(Stem.self)
      #expect(container.resolveIfReady(Probe.self) === probe)
    }
    #expect(seen.entries == ["overridden: false"])
    #expect(container.resolveIfReady(Probe.self) != nil && container.resolveIfReady(Stem.self) == nil)
  }

  /// A `.graph` service is built for one call, so it sees that call's overrides.
  @Test func aGraphServicesBuildUsesTheCallsOverrides() async throws {
    let container = Container {
      Registration(Stem.self, scope: .graph) { r in
        await Task.yield()
        return Stem(try await r.resolve((any Greeter).self))
      }
      Registration((any Greeter).self) { _ -> any Greeter in Polite() }
    }
    try await container.withOverrides {
      Registration((any Greeter).self) { _ -> any Greeter in Casual() }
    } operation: { () async throws in
      #expect(try await container.resolve(Stem.self).next is Casual)
    }
  }

  @Test func theBuildContinuesWhenTheFirstCallerIsCancelled() async throws {
    let (gate, builds, stage) = (Gate(), Counter(), Stage())
    let wasCancelled = Shelf<Bool?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        await gate.wait()
        wasCancelled.value = Task.isCancelled
        return Probe()
      }
    }
    let first = await stage.start { _ in try await container.resolve(Probe.self) }
    let second = await stage.start { _ in try await container.resolve(Probe.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    let probe = try await second.value
    #expect(wasCancelled.value == false)
    #expect(builds.count == 1)
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func theBuildRunsAtTheFirstCallersPriority() async throws {
    let seen = Shelf<TaskPriority?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        seen.value = Task.currentPriority
        return Probe()
      }
    }
    _ = try await Task(priority: .high) { try await container.resolve(Probe.self) }.value
    #expect(try #require(seen.value) >= .high)
  }

  @Test func aMoreUrgentWaiterRaisesTheBuildsPriority() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (begun, gate) = (Gate(), Gate())
    let seen = Shelf<[TaskPriority]>([])
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        seen.value.append(Task.currentPriority)
        begun.open()
        await gate.wait()
        seen.value.append(Task.currentPriority)
        return Probe()
      }
    }
    let stage = Stage()
    // The test awaits the idle task only at the end, since waiting for a task raises its priority.
    let idle = Task.detached(priority: .background) { try await container.resolve(Probe.self) }
    try await begun.passed()
    let urgent = Task.detached(priority: .high) {
      await stage.start { _ in try await container.resolve(Probe.self) }
    }
    let waiter = await urgent.value
    gate.open()
    #expect(try await waiter.value === idle.value)
    let priorities = seen.value
    try #require(priorities.count == 2)
    #expect(priorities[0] < .high)
    #expect(priorities[1] >= .high)
  }

  @Test func aTransientFactoryRunsInTheCallersTask() async throws {
    let seen = Shelf<String?>(nil)
    let container = Container {
      Registration(Probe.self) { _ in
        await Task.yield()
        seen.value = Caller.name
        return Probe()
      }
    }
    try await Caller.$name.withValue("caller") { _ = try await container.resolve(Probe.self) }
    #expect(seen.value == "caller")
  }

  // A regression: the build began on the caller's thread, where the caller's cancellation did not reach it.
  @Test func aCancellationReachesAFactoryBeforeItsFirstSuspension() async throws {
    // One after the other: each factory occupies a thread of the pool, which it blocks until the cancellation reaches it.
    for scope in [Scope.singleton, .scoped] {
      let started = Gate()
      let container = Container {
        Registration(Probe.self, scope: scope) { (_) async throws -> Probe in
          let cancelled = Gate()
          try await withTaskCancellationHandler {
            started.open()
            cancelled.block()
            try Task.checkCancellation()
          } onCancel: {
            cancelled.open()
          }
          return Probe()
        }
      }
      let caller = Task.detached { _ = try await container.resolve(Probe.self) }
      try await started.passed()
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      let other = Task.detached { _ = try await container.resolve(Probe.self) }
      try await until { !container.servicesInFlight.isEmpty }
      try await container.shutdown()
      _ = await other.result
    }
  }

  // A regression: a build that began on the thread of a synchronous factory did not know that factory.
  @Test func aBuildBegunInAFactorysImmediateTaskDoesNotWaitForThatFactory() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let task = Shelf<Task<Probe, any Error>?>(nil)
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { r in
        let container = r.container
        task.value = Task.immediate { try await container.resolve(Probe.self) }
        return Alpha()
      }
      Registration(Probe.self, scope: .scoped) { (r) async throws -> Probe in
        _ = try sync { try r.resolve(Alpha.self) }
        return Probe()
      }
    }
    _ = try await onThread { try container.resolve(Alpha.self) }
    _ = try await task.value?.value
  }
}
