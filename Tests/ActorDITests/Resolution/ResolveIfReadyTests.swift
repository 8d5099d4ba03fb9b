import ActorDITestSupport
import Testing

@testable import ActorDI

/// `resolveIfReady` returns existing instances, and builds none.
@Suite("Resolve if ready", .timeLimit(.minutes(5)))
struct ResolveIfReadyTests {
  @Test func resolveIfReadyNeverBuilds() async throws {
    let builds = Counter()
    let container = Container {
      for (index, scope) in [Scope.transient, .graph, .shared, .singleton, .automatic].enumerated() {
        Registration(Probe.self, scope: scope) { _ in
          builds.increment()
          return Probe()
        }.key(index)
      }
    }
    for index in 0..<5 { #expect(container.resolveIfReady(Probe.self, key: index) == nil) }
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(builds.count == 0)
  }

  // A regression: the instance was read as an optional, whose mark lies beyond the end of the value.
  @Test func resolveIfReadyReturnsAKeptNumber() throws {
    let container = Container {
      for number in 0..<64 {
        Registration(UInt32.self, scope: .singleton) { _ in UInt32(number) }.key(number)
          .implements(Int.self) { Int($0) }
      }
    }
    for number in 0..<64 {
      fillFreeMemory()
      #expect(try container.resolve(UInt32.self, key: number) == number)
      #expect(container.resolveIfReady(UInt32.self, key: number) == UInt32(number))
      fillFreeMemory()
      #expect(container.resolveIfReady(Int.self, key: number) == number)
    }
  }

  @Test func resolveIfReadyReturnsAKeptInstance() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        return Probe()
      }.key("k")
    }
    let probe = try await container.resolve(Probe.self)
    #expect(container.resolveIfReady(Probe.self) === probe)
    #expect(container.resolveIfReady(Probe.self, key: "k") == nil)
    let keyed = try await container.resolve(Probe.self, key: "k")
    #expect(container.resolveIfReady(Probe.self, key: "k") === keyed)
    let inferred: Probe? = container.resolveIfReady()
    #expect(inferred === probe)
    await container.reset()
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(container.resolveIfReady(Probe.self, key: "k") == nil)
  }

  @Test(arguments: [Scope.shared, .automatic])
  func resolveIfReadyReturnsAWeaklyKeptInstanceUntilItsRelease(scope: Scope) async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: scope) { _ in lifetime.token() }
    }
    var token: ObjectLifetime.Token? = try await container.resolve(ObjectLifetime.Token.self)
    #expect(token != nil && container.resolveIfReady(ObjectLifetime.Token.self) === token)
    token = nil
    await lifetime.ended.wait()
    #expect(container.resolveIfReady(ObjectLifetime.Token.self) == nil)
  }

  @Test(arguments: [Scope.transient, .graph])
  func resolveIfReadyReturnsNilForAnInstanceThatIsNotKept(scope: Scope) async throws {
    let container = Container { Registration(Probe.self, scope: scope) { _ in Probe() } }
    let probe = try await container.resolve(Probe.self)
    #expect(container.resolveIfReady(Probe.self) == nil)
    withExtendedLifetime(probe) {}
  }

  @Test(arguments: [Scope.singleton, .shared])
  func resolveIfReadyReturnsAnInstanceByItsAlias(scope: Scope) async throws {
    let container = Container {
      Registration(Polite.self, scope: scope) { _ in Polite() }
        .implements((any Greeter).self, key: 1) { $0 }
    }
    #expect(container.resolveIfReady((any Greeter).self, key: 1) == nil)
    let polite = try await container.resolve(Polite.self)
    #expect(container.resolveIfReady((any Greeter).self, key: 1) as? Polite === polite)
    #expect(container.resolveIfReady(Polite.self) === polite)
  }

  // A regression: an alias of alternatives never had an instance.
  @Test func resolveIfReadyReturnsTheInstanceOfTheChosenAlternative() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(autowired: Polite.self, scope: .singleton) { (_: Alpha) in Polite() }.alternative()
        .implements((any Greeter).self) { $0 }
      Registration(Alpha.self) { _ in Alpha() }
    }
    #expect(container.resolveIfReady((any Greeter).self) == nil)
    let polite = try await container.resolve(Polite.self)
    #expect(container.resolveIfReady(Polite.self) === polite)
    #expect(container.resolveIfReady((any Greeter).self) as? Polite === polite)
    try await container.withOverrides {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
      Registration(autowired: Polite.self, scope: .singleton) { (_: Alpha) in Polite() }.alternative()
    } operation: { () async throws in
      #expect(container.resolveIfReady((any Greeter).self) == nil)
      let fake = try await container.resolve(Polite.self)
      #expect(fake !== polite && container.resolveIfReady((any Greeter).self) as? Polite === fake)
    }
  }

  @Test func resolveIfReadyReturnsAParentsInstance() async throws {
    let parent = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let child = Container(parent: parent)
    #expect(child.resolveIfReady(Probe.self) == nil)
    let probe = try await parent.resolve(Probe.self)
    #expect(child.resolveIfReady(Probe.self) === probe)
    let own = Container(parent: parent) {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    #expect(own.resolveIfReady(Probe.self) == nil)
  }

  @Test func resolveIfReadyReturnsNilUntilTheBuildIsComplete() async throws {
    let began = Gate()
    let mayEnd = Gate()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onCreated { _, _ in
          began.open()
          await mayEnd.wait()
        }
    }
    async let probe = container.resolve(Probe.self)
    await began.wait()
    #expect(container.resolveIfReady(Probe.self) == nil)
    mayEnd.open()
    let built = try await probe
    #expect(container.resolveIfReady(Probe.self) === built)
  }
}
