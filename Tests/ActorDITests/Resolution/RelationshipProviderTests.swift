import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Factory: Sendable {
  let make: Provider<Probe>
  init(make: Provider<Probe>) { self.make = make }
}

/// `Provider<T>` as a service: resolves at each call.
@Suite("Providers", .timeLimit(.minutes(5)))
struct RelationshipProviderTests {
  /// Runs a closure with a provider made in each possible way. The last one belongs to a child, which must stay alive.
  private func withProviders(
    _ container: Container, _ body: ([Provider<Probe>]) async throws -> Void
  ) async throws {
    let child = Container(parent: container) { Registration(initializer: Factory.init) }
    try await body([
      container.provider(for: Probe.self),
      container.provider(),
      container.resolve(Provider<Probe>.self),
      sync { try container.resolve(Provider<Probe>.self) },
      child.resolve(Factory.self).make,
    ])
    withExtendedLifetime(child) {}
  }

  @Test func eachCallBuildsANewTransient() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe() } }
    try await withProviders(container) { all async throws in
      for provider in all {
        let first = try await provider()
        #expect(try await provider() !== first)
        #expect(try sync { try provider.synchronously() } !== first)
      }
    }
  }

  @Test(arguments: [Scope.singleton, .shared])
  func eachCallReturnsTheKeptInstance(scope: Scope) async throws {
    let container = Container { Registration(Probe.self, scope: scope) { _ in Probe() } }
    try await withProviders(container) { all async throws in
      let probe = try await container.resolve(Probe.self)
      for provider in all {
        #expect(try await provider() === probe)
        #expect(try sync { try provider.synchronously() } === probe)
      }
    }
  }

  @Test func eachCallHasAGraphOfItsOwn() async throws {
    let container = Container { Registration(Probe.self, scope: .graph) { _ in Probe() } }
    try await withProviders(container) { all async throws in
      for provider in all {
        #expect(try await provider() !== provider())
        #expect(try sync { try provider.synchronously() !== provider.synchronously() })
      }
    }
  }

  @Test func aProviderFollowsReplacementResetAndRemoval() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("first") }
    }
    try await withProviders(container) { all async throws in
      for provider in all { #expect(try await provider().name == "first") }

      let before = try await container.resolve(Probe.self)
      await container.reset()
      let after = try await all[0]()
      #expect(after !== before)
      for provider in all { #expect(try await provider() === after) }

      try await container.register(Probe.self, scope: .singleton) { _ in Probe("second") }
      let second = try await container.resolve(Probe.self)
      #expect(second.name == "second")
      for provider in all {
        #expect(try sync { try provider.synchronously() } === second)
        #expect(try await provider() === second)
      }

      await container.unregister(Probe.self)
      for provider in all {
        let error = try await asyncResolutionError { try await provider() }
        #expect(error.code == .notRegistered)
        let synchronous = try resolutionError { try provider.synchronously() }
        #expect(synchronous.code == .notRegistered)
      }
      try await container.register(Probe.self) { _ in Probe("third") }
      for provider in all { #expect(try await provider().name == "third") }
    }
  }

  @Test func aProviderFindsALaterRegistration() async throws {
    let parent = Container()
    let container = Container(parent: parent)
    let provider = container.provider(for: Probe.self)
    #expect(try resolutionError { try provider.synchronously() }.code == .notRegistered)
    try await parent.register(Probe.self, scope: .singleton) { _ in Probe("parent") }
    #expect(try await provider().name == "parent")
    try await container.register(Probe.self, scope: .singleton) { _ in Probe("own") }
    #expect(try await provider().name == "own")
    #expect(try sync { try provider.synchronously() }.name == "own")
  }

  @Test func eachCallTakesArguments() async throws {
    let container = Container {
      Registration(Probe.self) { (_, name: String) in Probe(name) }
      Registration(Probe.self) { (_, name: String, count: Int) in
        await Task.yield()
        return Probe("\(name)\(count)")
      }
      Registration(Probe.self) { (_, name: String) in Probe("keyed \(name)") }.key("k")
    }
    try await withProviders(container) { all async throws in
      for provider in all {
        #expect(try await provider("a").name == "a")
        #expect(try sync { try provider.synchronously("b") }.name == "b")
        #expect(try await provider("c", 3).name == "c3")
        #expect(try resolutionError { try provider.synchronously("c", 3) }.code == .asyncRequired)
        #expect(try resolutionError { try provider.synchronously(3, "c") }.code == .argumentMismatch)
      }
    }
    #expect(try await container.provider(for: Probe.self, key: "k")("d").name == "keyed d")
  }

  @Test func aProviderKeepsItsKey() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("plain") }
      Registration(Probe.self, scope: .singleton) { _ in Probe("keyed") }.key("k")
    }
    #expect(try await container.provider(for: Probe.self, key: "k")().name == "keyed")
    #expect(try await container.resolve(Provider<Probe>.self, key: "k")().name == "keyed")
    #expect(try await container.resolve(Provider<Probe>.self)().name == "plain")
  }

  @Test func aSynchronousCallOfAnAsynchronousServiceThrows() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        return Probe()
      }
    }
    let provider = container.provider(for: Probe.self)
    #expect(try resolutionError { try provider.synchronously() }.code == .asyncRequired)
    let probe = try await provider()
    #expect(try sync { try provider.synchronously() } === probe)
  }

  @Test func eachCallThrowsTheFactorysError() async throws {
    let container = Container { Registration(Probe.self) { _ -> Probe in throw Boom(number: 5) } }
    try await withProviders(container) { all async throws in
      for provider in all {
        await #expect(throws: Boom(number: 5)) { try await provider() }
        #expect(throws: Boom(number: 5)) { try sync { try provider.synchronously() } }
      }
    }
  }

  @Test func aProviderCanReturnRelationshipTypes() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("a") }
      Registration(Probe.self) { _ in Probe("b") }.key("b")
    }
    #expect(try await container.provider(for: [Probe].self)().map(\.name) == ["a", "b"])
    #expect(try await container.provider(for: Setting?.self)() == nil)
    #expect(try sync { try container.provider(for: Probe?.self).synchronously() }?.name == "a")
  }

  /// A call finds a kept instance without a chain. The requests of the calling factory must be known all the same.
  @Test(arguments: [true, false], [true, false])
  func aFactoryThatCallsADeferredDependencyHasRequestedIt(isAsynchronous: Bool, isLazy: Bool) async throws {
    let container = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    _ = try await container.resolve(Alpha.self)
    let (provider, lazy) = try await (container.resolve(Provider<Alpha>.self), container.resolve(Lazy<Alpha>.self))
    if isAsynchronous {
      try await container.register(Probe.self, scope: .singleton) { _ in
        _ = try await isLazy ? lazy() : provider()
        return Probe()
      }
    } else {
      try await container.register(Probe.self, scope: .singleton) { _ in
        _ = try isLazy ? lazy.synchronously() : provider.synchronously()
        return Probe()
      }
    }
    let probe = try await container.resolve(Probe.self)
    let alpha = try #require(container.ownBinding(of: ServiceIdentity(Alpha.self)))
    #expect(container.hasDependents(on: alpha))
    extendLifetime(probe)
  }

  @Test func aDeferredDependencyFollowsOverrides() async throws {
    let container = Container { Registration(Probe.self, scope: .singleton) { _ in Probe("real") } }
    _ = try await container.resolve(Probe.self)
    let (provider, lazy) = try await (container.resolve(Provider<Probe>.self), container.resolve(Lazy<Probe>.self))
    try container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: {
      #expect(try provider.synchronously().name == "fake")
      let inside = try (container.resolve(Provider<Probe>.self), container.resolve(Lazy<Probe>.self))
      #expect(try inside.0.synchronously().name == "fake")
      #expect(try inside.1.synchronously().name == "fake")
      #expect(try lazy.synchronously().name == "real")
    }
    #expect(try sync { try provider.synchronously() }.name == "real")
  }

  @Test func aDeferredDependencyOfAClosedContainerThrows() async throws {
    let container = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    _ = try await container.resolve(Probe.self)
    let (provider, lazy) = try await (container.resolve(Provider<Probe>.self), container.resolve(Lazy<Probe>.self))
    try await container.shutdown()
    #expect(try resolutionError { try provider.synchronously() }.code == .closed)
    #expect(try resolutionError { try lazy.synchronously() }.code == .closed)
    #expect(try await asyncResolutionError { try await provider() }.code == .closed)
  }
}
