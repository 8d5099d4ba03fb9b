import ActorDITestSupport
import Testing

@testable import ActorDI

/// An error that can be compared by reference.
private final class Failure: Error {}

@Suite("Failed builds", .timeLimit(.minutes(5)))
struct FailedBuildTests {
  @Test func allWaitersGetTheFactorysError() async throws {
    let (gate, stage, builds, failure) = (Gate(), Stage(), Counter(), Failure())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        if builds.increment() > 1 { return Probe() }
        await gate.wait()
        throw failure
      }
    }
    var tasks: [Task<Probe, any Error>] = []
    for _ in 0..<6 {
      tasks.append(await stage.start { _ in try await container.resolve(Probe.self) })
    }
    gate.open()
    for task in tasks {
      let error = try await #require(throws: Failure.self) { try await task.value }
      #expect(error === failure)
    }
    #expect(builds.count == 1)
    #expect(container.resolveIfReady(Probe.self) == nil)
    let probe = try await container.resolve(Probe.self)
    #expect(try await container.resolve(Probe.self) === probe)
    #expect(builds.count == 2)
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func theNextResolveRetriesAFailedBuild(scope: Scope) throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in
        let number = builds.increment()
        if number < 3 { throw Boom(number: number) }
        return Probe()
      }
    }
    #expect(throws: Boom(number: 1)) { try container.resolve(Probe.self) }
    #expect(throws: Boom(number: 2)) { try container.resolve(Probe.self) }
    let probe = try container.resolve(Probe.self)
    #expect(try container.resolve(Probe.self) === probe)
    #expect(builds.count == 3)
  }

  /// A module that a synchronous operation refuses.
  private struct Refused: Module {
    var registrations: Registrations { Registration(Leaf.self) { _ in Leaf() } }
  }

  // A regression: the error names no service, and was taken for one that names the target of an alias. So the factory ran again.
  @Test(arguments: [Scope.transient, .graph, .singleton])
  func aFactoryWhoseModuleIsRefusedRunsOnce(scope: Scope) async throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: scope) { r in
        builds.increment()
        try r.container.withOverrides {
          Refused()
        } operation: { () throws -> Void in
          Issue.record("The operation ran")
        }
        return Probe()
      }
    }
    let error = try await asyncResolutionError { try await container.resolve(Probe.self) }
    #expect(error.code == .asyncRequired && builds.count == 1)
  }

  // A regression: the instance of the build without suspension was disposed of at the shutdown only.
  @Test(arguments: [Scope.singleton, .scoped, .graph, .transient])
  func everyInstanceWhoseHookNeedsAnAsynchronousServiceIsDisposedOf(scope: Scope) async throws {
    let journal = Journal<String>()
    let numbers = Counter()
    let container = Container {
      Registration(Probe.self) { _ in
        await Task.yield()
        return Probe()
      }
      Registration(autowired: Connection.self, scope: scope) { () in Connection("\(numbers.increment())", journal) }
        .onCreated { _, r in _ = try r.resolve(Probe.self) }
    }
    let error = try await asyncResolutionError { try await container.resolve(Connection.self) }
    #expect(error.code == .asyncRequired)
    let made = (1...numbers.count).map { "\($0)" }
    try await until { journal.entries.sorted() == made }
    try await container.shutdown()
    #expect(journal.entries.sorted() == made)
  }

  @Test func aFailureOnAThreadFailsTheWaitingTasks() async throws {
    let (begun, gate, stage, failure) = (Gate(), Gate(), Stage(), Failure())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        begun.open()
        gate.block()
        throw failure
      }
    }
    let built = Task { try await onThread { try container.resolve(Probe.self) } }
    try await begun.passed()
    let waiter = await stage.start { _ in try await container.resolve(Probe.self) }
    gate.open()
    let mine = try await #require(throws: Failure.self) { try await built.value }
    let theirs = try await #require(throws: Failure.self) { try await waiter.value }
    #expect(mine === failure && theirs === failure)
  }

  @Test func aFailureInAHookKeepsNoInstance() async throws {
    let (builds, fails) = (Counter(), Shelf(true))
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        return Probe()
      }
      .onCreated { _, _ in if fails.value { throw Boom() } }
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        builds.increment()
        return Probe()
      }
      .onCreated { _, _ in if fails.value { throw Boom() } }
      .key("async")
    }
    sync { #expect(throws: Boom()) { try container.resolve(Probe.self) } }
    await #expect(throws: Boom()) { try await container.resolve(Probe.self, key: "async") }
    #expect(builds.count == 2)
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(container.resolveIfReady(Probe.self, key: "async") == nil)
    fails.value = false
    _ = try sync { try container.resolve(Probe.self) }
    _ = try await container.resolve(Probe.self, key: "async")
    #expect(builds.count == 4)
  }

  @Test func aFailingDependencyFailsItsDependentsWithItsError() async throws {
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ -> Leaf in throw Boom(number: 7) }
      Registration(Stem.self, scope: .shared) { r in Stem(try await r.resolve(Leaf.self)) }
      Registration(Root.self) { r in Root(try await r.resolve(Stem.self)) }
    }
    await #expect(throws: Boom(number: 7)) { try await container.resolve(Root.self) }
  }

  @Test func aFailureInAHookReleasesTheInstance() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
        .onCreated { _, _ in throw Boom() }
    }
    sync { #expect(throws: Boom()) { try container.resolve(ObjectLifetime.Token.self) } }
    #expect(lifetime.hasEnded)
  }
}
