import ActorDITestSupport
import Testing

@testable import ActorDI

/// A container with a singleton whose first build waits at a gate. Its instances are numbered.
private struct Slow: Sendable {
  let begun = Gate()
  let gate = Gate()
  let builds = Counter()
  let container = Container()

  func register() async throws {
    try await container.register(Probe.self, scope: .singleton) { [begun, gate, builds] _ in
      let number = builds.increment()
      begun.open()
      if number == 1 { await gate.wait() }
      return Probe("\(number)")
    }
  }
}

@Suite("Changes during a build", .timeLimit(.minutes(5)))
struct ResetInFlightTests {
  @Test func afterAResetOnlyTheEarlierWaitersGetTheOldInstance() async throws {
    let slow = Slow()
    try await slow.register()
    let stage = Stage()
    let waiters = [
      await stage.start { _ in try await slow.container.resolve(Probe.self) },
      await stage.start { _ in try await slow.container.resolve(Probe.self) },
    ]
    try await slow.begun.passed()
    await slow.container.reset()
    let newcomer = await stage.start { _ in try await slow.container.resolve(Probe.self) }
    #expect(slow.builds.count == 1, "The builds do not overlap")
    slow.gate.open()
    for waiter in waiters { #expect(try await waiter.value.name == "1") }
    #expect(try await newcomer.value.name == "2")
    #expect(try await slow.container.resolve(Probe.self).name == "2")
    #expect(slow.builds.count == 2)
  }

  @Test func afterAReplacementOnlyTheEarlierWaitersGetTheOldInstance() async throws {
    let slow = Slow()
    try await slow.register()
    let stage = Stage()
    let waiter = await stage.start { _ in try await slow.container.resolve(Probe.self) }
    try await slow.begun.passed()
    try await slow.container.register(Probe.self, scope: .singleton) { _ in Probe("new") }
    let new = try await slow.container.resolve(Probe.self)
    #expect(new.name == "new", "The new registration does not wait for the old build")
    slow.gate.open()
    #expect(try await waiter.value.name == "1")
    #expect(try await slow.container.resolve(Probe.self) === new)
    #expect(slow.container.resolveIfReady(Probe.self) === new)
  }

  @Test func afterAnUnregistrationEarlierWaitersGetTheInstanceAndLaterCallersAnError() async throws {
    let slow = Slow()
    try await slow.register()
    let stage = Stage()
    let waiter = await stage.start { _ in try await slow.container.resolve(Probe.self) }
    try await slow.begun.passed()
    #expect(await slow.container.unregister(Probe.self))
    let error = try await asyncResolutionError {
      try await slow.container.resolve(Probe.self)
    }
    #expect(error.code == .notRegistered)
    slow.gate.open()
    #expect(try await waiter.value.name == "1")
    #expect(slow.container.resolveIfReady(Probe.self) == nil)
  }

  @Test func aResetDuringAThreadsBuildReturnsTheInstanceToItsCallerOnly() async throws {
    let (begun, gate, builds) = (Gate(), Gate(), Counter())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        let number = builds.increment()
        begun.open()
        if number == 1 { gate.block() }
        return Probe("\(number)")
      }
    }
    async let old = onThread { try container.resolve(Probe.self) }
    try await begun.passed()
    await container.reset(Probe.self)
    gate.open()
    #expect(try await old.name == "1")
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(try await container.resolve(Probe.self).name == "2")
  }

  @Test func aFactoryCanResetItsOwnService() async throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        let number = builds.increment()
        await r.container.reset()
        return Probe("\(number)")
      }
    }
    #expect(try await container.resolve(Probe.self).name == "1")
    #expect(container.resolveIfReady(Probe.self) == nil)
  }

  @Test func aFactoryCanReplaceItsOwnRegistration() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        try await r.container.register(Probe.self, scope: .singleton) { _ in Probe("successor") }
        return Probe("first")
      }
    }
    #expect(try await container.resolve(Probe.self).name == "first")
    #expect(try await container.resolve(Probe.self).name == "successor")
  }
}

/// An object whose `deinit` resolves from its container.
private final class ResolvesInDeinit: Sendable {
  let container: Shelf<Container?>
  let resolved: Journal<String>
  init(_ container: Shelf<Container?>, _ resolved: Journal<String>) {
    self.container = container
    self.resolved = resolved
  }
  deinit {
    let name = try? container.value?.resolve(Probe.self).name
    resolved.note(name ?? "nothing")
  }
}

@Suite("User code runs without a lock", .timeLimit(.minutes(5)))
struct NoLockTests {
  @Test func aDeinitCanResolve() async throws {
    let (shelf, resolved) = (Shelf<Container?>(nil), Journal<String>())
    let container = Container {
      Registration(ResolvesInDeinit.self, scope: .singleton) { _ in ResolvesInDeinit(shelf, resolved) }
      Registration(Probe.self, scope: .singleton) { _ in Probe("probe") }
    }
    shelf.value = container
    _ = try await container.resolve(ResolvesInDeinit.self)
    await container.reset(ResolvesInDeinit.self)
    _ = try await container.resolve(ResolvesInDeinit.self)
    #expect(await container.unregister(ResolvesInDeinit.self))
    while resolved.entries.count < 2 {
      // A reader that is pinned just now may delay the release.
      Reclaimer.shared.collect()
      await Task.yield()
    }
    #expect(resolved.entries == ["probe", "probe"])
    shelf.value = nil
  }

  @Test func factoriesAndHooksCanChangeTheRegistry() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        try await r.container.register(Leaf.self, scope: .singleton) { _ in Leaf() }
        return Root(try await r.resolve(Leaf.self))
      }
      .onCreated { (_: Root, r: Resolver) async throws in
        await r.container.unregister(Leaf.self)
        await r.container.reset(.singleton)
      }
    }
    let root = try await container.resolve(Root.self)
    #expect(root.next is Leaf)
    #expect(container.contains(Leaf.self) == false)
  }
}
