import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Cancelled waiters", .timeLimit(.minutes(5)))
struct CancellationTests {
  @Test func aCancelledWaiterLeavesAtOnceAndTheOthersGetTheInstance() async throws {
    let (gate, stage) = (Gate(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await gate.wait()
        return Probe()
      }
    }
    var tasks: [Task<Probe, any Error>] = []
    for _ in 0..<5 {
      tasks.append(await stage.start { _ in try await container.resolve(Probe.self) })
    }
    for index in [1, 3] {
      tasks[index].cancel()
      // The factory still waits for its gate.
      await #expect(throws: CancellationError.self) { try await tasks[index].value }
    }
    gate.open()
    let probe = try await tasks[0].value
    #expect(try await tasks[2].value === probe)
    #expect(try await tasks[4].value === probe)
  }

  @Test func aCancelledWaiterLeavesAThreadsBuildAtOnce() async throws {
    let (begun, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        begun.open()
        gate.block()
        return Probe()
      }
    }
    async let built = onThread { try container.resolve(Probe.self) }
    try await begun.passed()
    let waiter = await stage.start { _ in try await container.resolve(Probe.self) }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    gate.open()
    #expect(try await built === container.resolveIfReady(Probe.self))
  }

  @Test func cancellingTheLastWaiterCancelsTheBuild() async throws {
    let (cancelled, stage) = (Gate(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
        }
        try Task.checkCancellation()
        return Probe()
      }
    }
    let first = await stage.start { _ in try await container.resolve(Probe.self) }
    let second = await stage.start { _ in try await container.resolve(Probe.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await cancelled.passed()
  }

  @Test func anAlreadyCancelledCallerDoesNotWait() async throws {
    let (gate, come, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await gate.wait()
        return Probe()
      }
    }
    let waiter = await stage.start { _ in
      await come.wait()
      return try await container.resolve(Probe.self)
    }
    waiter.cancel()
    come.open()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    gate.open()
    _ = try await container.resolve(Probe.self)
  }

  @Test func aLaterCallerGetsTheInstanceOfACancelledBuildThatCompletes() async throws {
    let (gate, builds, stage) = (Gate(), Counter(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        // Ignores cancellation.
        let number = builds.increment()
        await gate.wait()
        return Probe("\(number)")
      }
    }
    let first = await stage.start { _ in try await container.resolve(Probe.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let newcomer = await stage.start { _ in try await container.resolve(Probe.self) }
    #expect(builds.count == 1, "The later caller waits for the end of the cancelled build")
    gate.open()
    #expect(try await newcomer.value.name == "1")
    #expect(try await container.resolve(Probe.self).name == "1")
    #expect(builds.count == 1)
  }

  @Test func laterCallersBuildAgainAfterACancelledBuildEnds() async throws {
    let (gate, builds, running, stage) = (Gate(), Counter(), Shelf(0), Stage())
    let overlapped = Shelf(false)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        let number = builds.increment()
        running.value += 1
        if running.value > 1 { overlapped.value = true }
        await gate.wait()
        running.value -= 1
        try Task.checkCancellation()
        return Probe("\(number)")
      }
    }
    let first = await stage.start { _ in try await container.resolve(Probe.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    var newcomers: [Task<Probe, any Error>] = []
    for _ in 0..<5 {
      newcomers.append(await stage.start { _ in try await container.resolve(Probe.self) })
    }
    gate.open()
    for newcomer in newcomers { #expect(try await newcomer.value.name == "2") }
    #expect(builds.count == 2)
    #expect(overlapped.value == false)
  }

  @Test func aThreadDoesNotWaitForACancelledBuild() async throws {
    let (gate, stage) = (Gate(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await gate.wait()
        return Probe()
      }
    }
    let first = await stage.start { _ in try await container.resolve(Probe.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let error = try sync { try resolutionError { try container.resolve(Probe.self) } }
    #expect(error.code == .asyncRequired)
    gate.open()
  }

  @Test func cancellingABuildKeepsADependencyWithOtherWaiters() async throws {
    let (gate, begun, stage, builds) = (Gate(), Gate(), Stage(), Counter())
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ in
        builds.increment()
        begun.open()
        await gate.wait()
        try Task.checkCancellation()
        return Leaf()
      }
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Leaf.self)) }
    }
    let root = await stage.start { _ in try await container.resolve(Root.self) }
    try await begun.passed()
    let leaf = await stage.start { _ in try await container.resolve(Leaf.self) }
    root.cancel()
    await #expect(throws: CancellationError.self) { try await root.value }
    gate.open()
    _ = try await leaf.value
    #expect(builds.count == 1)
  }

  @Test func cancellingABuildCancelsADependencyWithoutOtherWaiters() async throws {
    let (begun, cancelled, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ in
        begun.open()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
        }
        return Leaf()
      }
      Registration(Stem.self, scope: .singleton) { r in Stem(try await r.resolve(Leaf.self)) }
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Stem.self)) }
    }
    let root = await stage.start { _ in try await container.resolve(Root.self) }
    try await begun.passed()
    root.cancel()
    await #expect(throws: CancellationError.self) { try await root.value }
    try await cancelled.passed()
  }

  @Test func cancellingTheCallerCancelsATransientFactory() async throws {
    let (begun, cancelled, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Probe.self) { _ in
        begun.open()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
        }
        return Probe(Task.isCancelled ? "cancelled" : "not")
      }
    }
    let task = await stage.start { _ in try await container.resolve(Probe.self) }
    try await begun.passed()
    task.cancel()
    #expect(try await task.value.name == "cancelled")
  }

  // A regression: the call's graph ended with the first caller, although the build went on for the second.
  @Test(arguments: [false, true]) func aCallersGraphLastsUntilItsBuildEnds(isCollection: Bool) async throws {
    let (started, gate) = (Gate(), Gate())
    let container = Container {
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }
      Registration(Leaf.self, scope: .graph) { _ in Leaf() }
      Registration(Root.self, scope: .singleton) { r in
        weak let alpha = try await r.resolve(Alpha.self)
        let leaf = try await r.resolve(Leaf.self)
        started.open()
        await gate.wait()
        let same = try await r.resolve(Leaf.self)
        return Root(alpha != nil && leaf === same)
      }
    }
    let first = Task {
      isCollection ? try await container.resolve([Root].self)[0] : try await container.resolve(Root.self)
    }
    try await started.passed()
    let second = Task { try await container.resolve(Root.self) }
    let binding = try #require(container.ownBindings(of: Root.self).first)
    try await until { binding.ownCell.state.withLock { $0.waiters.count } == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.next as? Bool == true)
  }

  // A regression: the build went on with the registration of a container that was gone.
  @Test(arguments: [Scope.scoped, .graph, .transient])
  func aBuildThatItsCallerHasLeftHoldsTheContainerOfItsRegistration(_ scope: Scope) async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container(name: "app")
    var linked: Container? = Container {
      Registration(Probe.self, scope: scope) { _ in
        started.open()
        await gate.wait()
        return Probe()
      }
    }
    weak let owner = linked
    let link = try app.link(#require(linked))
    let caller = Task { _ = try await app.resolve(Probe.self) }
    try await started.passed()
    caller.cancel()
    if scope != .transient { await #expect(throws: CancellationError.self) { try await caller.value } }
    link.cancel()
    linked = nil
    #expect(owner != nil)
    gate.open()
    try await app.shutdown()
    try await until { owner == nil }
  }
}
