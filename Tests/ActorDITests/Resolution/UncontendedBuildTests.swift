import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// Builds that begin without a cell, and the calls that meet them.
@Suite("Uncontended builds", .timeLimit(.minutes(5)))
struct UncontendedBuildTests {
  /// A container with a factory that waits for a gate.
  private struct Setting {
    let gate = Gate()
    let builds = Counter()
    let ended = Journal<ObjectIdentifier>()
    let app: Container
    /// The container that keeps the instance.
    let container: Container
    init(
      scope: Scope = .singleton,
      _ make: @escaping @Sendable (Resolver) throws -> Probe = { _ in Probe() }
    ) async throws {
      let (gate, builds, ended) = (gate, builds, ended)
      app = Container {
        Registration(Probe.self, scope: scope) { r in
          builds.increment()
          gate.block()
          return try make(r)
        }
        .onDispose { ended.note(ObjectIdentifier($0)) }
      }
      container = scope == .scoped ? app.makeChild() : app
    }

    var holder: InstanceHolder? {
      get throws {
        let binding = try #require(app.ownBindings(of: Probe.self).first)
        return binding.existingHolder(for: container)
      }
    }

    func begin() async -> Task<Probe, any Error> {
      let task = Task { [container] in try await onThread { try container.resolve(Probe.self) } }
      await builds.wait(for: 1)
      return task
    }

    var isUncontended: Bool {
      get throws {
        let holder = try #require(try holder)
        return holder.existingCell == nil && holder.word == .building
      }
    }

    func isWaitedFor(by count: Int) throws -> Bool {
      try holder?.existingCell?.state.withLock { $0.waiters.count == count } ?? false
    }
  }

  @Test(arguments: [Scope.singleton, .scoped, .shared])
  func callersDuringTheBuildGetItsInstance(scope: Scope) async throws {
    let setting = try await Setting(scope: scope)
    let first = await setting.begin()
    #expect(try setting.isUncontended)
    let container = setting.container
    let others = (0..<3).map { _ in Task { try await container.resolve(Probe.self) } }
    let thread = Task { try await onThread { try container.resolve(Probe.self) } }
    try await until { (try? setting.isWaitedFor(by: 4)) == true }
    #expect(try !setting.isUncontended)
    setting.gate.open()
    let probe = try await first.value
    for other in others + [thread] { #expect(try await other.value === probe) }
    #expect(try await container.resolve(Probe.self) === probe)
    #expect(setting.builds.count == 1)
    try await setting.app.shutdown()
    #expect(setting.ended.entries.filter { $0 == ObjectIdentifier(probe) }.count == 1)
  }

  @Test(arguments: [Scope.singleton, .scoped, .shared])
  func aResetDuringTheBuildReturnsTheInstanceToItsCallerOnly(scope: Scope) async throws {
    let setting = try await Setting(scope: scope)
    let first = await setting.begin()
    await setting.container.reset()
    setting.gate.open()
    let probe = try await first.value
    let next = try await setting.container.resolve(Probe.self)
    #expect(next !== probe)
    try await setting.app.shutdown()
    #expect(Set(setting.ended.entries).isSuperset(of: [ObjectIdentifier(probe), ObjectIdentifier(next)]))
    #expect(setting.ended.entries.count == 2)
  }

  @Test func unregisteringDuringTheBuildKeepsNoInstance() async throws {
    let setting = try await Setting()
    let first = await setting.begin()
    await setting.app.unregister(Probe.self)
    let waiter = try await asyncResolutionError { try await setting.app.resolve(Probe.self) }
    #expect(waiter.code == .notRegistered)
    setting.gate.open()
    _ = try await first.value
    try await setting.app.shutdown()
    #expect(setting.ended.entries.count == 1)
  }

  // A regression: the caller got the factory's error, unlike a caller of the slow path.
  @Test(arguments: [Scope.singleton, .scoped], [false, true])
  func aBuildThatEndsAfterTheCloseThrows(scope: Scope, fails: Bool) async throws {
    let setting = try await Setting(scope: scope) { _ in
      if fails { throw Boom() }
      return Probe()
    }
    let first = await setting.begin()
    let shutdown = Task { try await setting.app.shutdown() }
    try await until { setting.container.lifecycle.isClosed }
    setting.gate.open()
    let error = try await asyncResolutionError { try await first.value }
    #expect(error.code == .closed)
    try await shutdown.value
    #expect(setting.ended.entries.count == (fails ? 0 : 1))
  }

  @Test func allWaitersGetAFailureAndTheNextResolveRetries() async throws {
    let fails = Shelf(false)
    let setting = try await Setting { _ in
      if fails.value { throw Boom(number: 7) }
      return Probe()
    }
    fails.value = true
    let first = await setting.begin()
    let other = Task { try await setting.app.resolve(Probe.self) }
    try await until { (try? setting.isWaitedFor(by: 1)) == true }
    setting.gate.open()
    await #expect(throws: Boom(number: 7)) { try await first.value }
    await #expect(throws: Boom(number: 7)) { try await other.value }
    fails.value = false
    _ = try await setting.app.resolve(Probe.self)
    #expect(setting.builds.count == 2)
  }

  @Test func theNextResolveRetriesAnUncontendedFailure() async throws {
    let fails = Shelf(false)
    let setting = try await Setting { _ in
      if fails.value { throw Boom(number: 8) }
      return Probe()
    }
    setting.gate.open()
    fails.value = true
    await #expect(throws: Boom(number: 8)) { try await setting.app.resolve(Probe.self) }
    #expect(throws: Boom(number: 8)) { try sync { try setting.app.resolve(Probe.self) } }
    fails.value = false
    _ = try await setting.app.resolve(Probe.self)
    #expect(setting.builds.count == 3)
  }

  @Test func theHolderRecordsTheFactorysDependencies() async throws {
    let takesMore = Shelf(false)
    let setting = try await Setting { r in
      if takesMore.value { _ = try r.resolve(Alpha.self) }
      return Probe()
    }
    #expect(try setting.holder?.requests == nil)
    takesMore.value = true
    try await setting.app.register { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    setting.gate.open()
    _ = try await setting.app.resolve(Probe.self)
    #expect(try setting.holder?.requests?.map(\.service).contains { $0 == Alpha.self } == true)
    let alpha = try #require(setting.app.ownBindings(of: Alpha.self).first)
    #expect(setting.app.hasDependents(on: alpha))
  }

  @Test func aFactoryThatNeedsItsOwnServiceIsACycle() async throws {
    let hasCycle = Shelf(false)
    let setting = try await Setting { r in
      if hasCycle.value { _ = try r.resolve(Alpha.self) }
      return Probe()
    }
    try await setting.app.register {
      Registration(Alpha.self, scope: .singleton) { r in
        _ = try r.resolve(Probe.self)
        return Alpha()
      }
    }
    setting.gate.open()
    hasCycle.value = true
    let error = try await asyncResolutionError { try await setting.app.resolve(Probe.self) }
    #expect((error.code, error.path) == (.cycle, ["Probe", "Alpha", "Probe"]))
    hasCycle.value = false
    _ = try await setting.app.resolve(Alpha.self)
  }

  @Test func threadsThatWaitForEachOtherAreACycle() async throws {
    let bothBuild = Counter()
    let gates = (Gate(), Gate())
    let hasCycle = Shelf(false)
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { r in
        if hasCycle.value {
          bothBuild.increment()
          gates.0.block()
          _ = try r.resolve(Probe.self)
        }
        return Alpha()
      }
      Registration(Probe.self, scope: .singleton) { r in
        if hasCycle.value {
          bothBuild.increment()
          gates.1.block()
          _ = try r.resolve(Alpha.self)
        }
        return Probe()
      }
    }
    _ = try await (container.resolve(Alpha.self), container.resolve(Probe.self))
    await container.reset()
    hasCycle.value = true
    let first = Task { _ = try await onThread { try container.resolve(Alpha.self) } }
    let second = Task { _ = try await onThread { try container.resolve(Probe.self) } }
    await bothBuild.wait(for: 2)
    gates.0.open()
    gates.1.open()
    var codes: [ResolutionError.Code] = []
    for task in [first, second] {
      if case .failure(let error as ResolutionError) = await task.result { codes.append(error.code) }
    }
    #expect(codes.contains(.cycle))
  }
}
