import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Work: Sendable {
  let alpha: Alpha
  let beta: Beta
  init(alpha: Alpha, beta: Beta) {
    self.alpha = alpha
    self.beta = beta
  }
}

private final class Server: Sendable {
  let work: Provider<Work>
  let lazy: Lazy<Work>
  let own: Work
  init(work: Provider<Work>, lazy: Lazy<Work>, own: Work) {
    self.work = work
    self.lazy = lazy
    self.own = own
  }
}

/// A service that calls its provider in its initialiser.
private final class Caller: Sendable {
  let parts: [Work]
  init(own: Work, work: Provider<Work>) throws { parts = [own, try work(), try work()] }
  init(waiting own: Work, work: Provider<Work>) async throws {
    parts = [own, try await work(), try await work()]
  }
}

private final class Keyed: Sendable {
  let name: String
  let alpha: Alpha
  init(_ name: String, _ alpha: Alpha) {
    self.name = name
    self.alpha = alpha
  }
}

/// A service whose factory resolves the service itself.
private final class SelfResolving: Sendable {
  let other: SelfResolving?
  init(_ other: SelfResolving? = nil) { self.other = other }
}

/// A provider's call is a new resolve with its own graph, wherever the provider was made.
@Suite("The graph of a provider's call", .timeLimit(.minutes(5)))
struct ProviderGraphTests {
  private func container(_ scope: Scope, isAsynchronous: Bool = false) -> Container {
    Container {
      if isAsynchronous {
        Registration(Alpha.self, scope: .graph) { _ in
          await Task.yield()
          return Alpha()
        }
      } else {
        Registration(autowired: Alpha.self, scope: .graph, initializer: Alpha.init)
      }
      Registration(autowired: Beta.self, scope: .graph, initializer: Beta.init)
      Registration(autowired: Work.self, scope: .graph, initializer: Work.init)
      Registration(autowired: Server.self, scope: scope, initializer: Server.init)
      Registration(autowired: Caller.self, scope: scope, initializer: Caller.init(own:work:))
      Registration(autowired: Caller.self, scope: scope, initializer: Caller.init(waiting:work:)).key("async")
    }
  }

  /// Checks that instances of one call share a graph, and that those of different calls share nothing.
  private func expectSeparate(_ all: [Work], _ location: SourceLocation = #_sourceLocation) {
    for work in all { #expect(work.beta.alpha === work.alpha, sourceLocation: location) }
    let distinct = Set(all.flatMap { [ObjectIdentifier($0), ObjectIdentifier($0.alpha), ObjectIdentifier($0.beta)] })
    #expect(distinct.count == 3 * all.count, sourceLocation: location)
  }

  static let scopes = [Scope.transient, .graph, .shared, .singleton, .scoped]

  @Test(arguments: scopes)
  func eachProviderCallHasAGraphOfItsOwn(scope: Scope) async throws {
    let container = container(scope)
    let server = try await container.resolve(Server.self)
    let other = try sync { try container.makeChild().resolve(Server.self) }
    expectSeparate([
      server.own, try await server.work(), try sync { try server.work.synchronously() },
      try await server.work(), try await container.resolve(Provider<Work>.self)(),
      try sync { try container.resolve(Provider<Work>.self).synchronously() },
    ])
    #expect(try await server.lazy() === server.own)
    #expect(try sync { try other.lazy.synchronously() } === other.own)
  }

  @Test(arguments: scopes)
  func eachAsynchronousProviderCallHasAGraphOfItsOwn(scope: Scope) async throws {
    let container = container(scope, isAsynchronous: true)
    let server = try await container.resolve(Server.self)
    expectSeparate([server.own, try await server.work(), try await server.work()])
    #expect(try await server.lazy() === server.own)
    #expect(try resolutionError { try server.work.synchronously() }.code == .asyncRequired)
  }

  @Test(arguments: scopes)
  func eachProviderCallDuringABuildHasAGraphOfItsOwn(scope: Scope) async throws {
    for container in [container(scope), container(scope, isAsynchronous: true)] {
      expectSeparate(try await container.resolve(Caller.self, key: "async").parts)
    }
    expectSeparate(try sync { try container(scope).resolve(Caller.self) }.parts)
    expectSeparate(try await container(scope).resolve(Caller.self).parts)
  }

  // A regression: a lazy that was made in the call had the graph of the asynchronous factory around it.
  @Test func aLazySharesTheGraphOfTheCallThatMakesIt() async throws {
    final class Job: Sendable {
      let alpha: Alpha
      let lazy: Lazy<Alpha>
      init(alpha: Alpha, lazy: Lazy<Alpha>) {
        self.alpha = alpha
        self.lazy = lazy
      }
    }
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(Job.self) { r in Job(alpha: try r.resolve(), lazy: try r.resolve()) }
      Registration(Root.self) { r in
        let provider = try await r.resolve(Provider<Job>.self)
        return Root([try await provider(), try await provider(), try provider.synchronously()])
      }
      Registration(Root.self) { r in Root(try await r.resolve(Owned<Job>.self)) }.key("owned")
    }
    let owned = try #require(try await container.resolve(Root.self, key: "owned").next as? Owned<Job>)
    let jobs = try #require(try await container.resolve(Root.self).next as? [Job]) + [owned.value]
    for job in jobs { #expect(try await job.lazy() === job.alpha) }
    #expect(Set(jobs.map { ObjectIdentifier($0.alpha) }).count == jobs.count)
    await owned.dispose()
  }

  @Test func concurrentCallsOfASingletonsProviderShareNothing() async throws {
    let container = container(.singleton)
    let server = try await container.resolve(Server.self)
    let works = try await withThrowingTaskGroup(of: Work.self) { group in
      for index in 0..<200 {
        group.addTask { index.isMultiple(of: 2) ? try await server.work() : try server.work.synchronously() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(works.count == 200)
    expectSeparate(works)
  }

  @Test func callsWithKeysAndArgumentsHaveSeparateGraphs() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(Keyed.self, scope: .graph) { r in Keyed("keyed", try r.resolve()) }.key("k")
      Registration(Keyed.self, scope: .graph) { (r, name: String) in Keyed(name, try r.resolve()) }
    }
    let keyed = try await container.resolve(Provider<Keyed>.self, key: "k")
    let (first, second) = (try await keyed(), try sync { try keyed.synchronously() })
    #expect(first !== second && first.alpha !== second.alpha)
    let named = try await container.resolve(Provider<Keyed>.self)
    let (a, b) = (try await named("a"), try await named("b"))
    #expect(a.name == "a" && b.name == "b" && a.alpha !== b.alpha)
    let bound = try await container.resolve(Provider<Keyed>.self, arguments: "bound")
    #expect(try await bound() !== bound())
  }

  @Test(arguments: [Scope.graph, .transient, .shared, .singleton])
  func aFactoryThatCallsAProviderOfItsServiceIsACycle(scope: Scope) async throws {
    let container = Container {
      Registration(SelfResolving.self, scope: scope) { r in SelfResolving(try r.resolve(Provider<SelfResolving>.self)())
      }
      Registration(SelfResolving.self, scope: scope) { r in
        let provider = try await r.resolve(Provider<SelfResolving>.self, key: "async")
        return SelfResolving(try await provider())
      }.key("async")
    }
    for error in [
      try resolutionError { try container.resolve(SelfResolving.self) },
      try await asyncResolutionError { try await container.resolve(SelfResolving.self) },
    ] {
      #expect((error.code, error.path) == (.cycle, ["SelfResolving", "SelfResolving"]))
    }
    let error = try await asyncResolutionError { try await container.resolve(SelfResolving.self, key: "async") }
    #expect((error.code, error.path) == (.cycle, [#"SelfResolving["async"]"#, #"SelfResolving["async"]"#]))
  }

  @Test func aFactoryThatResolvesAnOwnedOfItsServiceIsACycle() async throws {
    let container = Container {
      Registration(SelfResolving.self, scope: .graph) { r in
        SelfResolving(try r.resolve(Owned<SelfResolving>.self).value)
      }
    }
    #expect(try resolutionError { try container.resolve(SelfResolving.self) }.code == .cycle)
    #expect(try await asyncResolutionError { try await container.resolve(SelfResolving.self) }.code == .cycle)
  }

  @Test func aFactoryCanCatchTheCycleError() async throws {
    let container = Container {
      Registration(SelfResolving.self, scope: .graph) { r in
        SelfResolving(try? r.resolve(Provider<SelfResolving>.self)())
      }
    }
    #expect(try sync { try container.resolve(SelfResolving.self) }.other?.other == nil)
    #expect(try await container.resolve(SelfResolving.self).other?.other == nil)
  }

  // MARK: The end of the call

  /// A call inside a factory releases the instances held for the call when it ends, even if a `Lazy` keeps its graph.
  @Test(arguments: [true, false])
  func theEndOfACallReleasesTheInstancesHeldForIt(synchronously: Bool) async throws {
    final class Holder: Sendable {
      let lazy: Lazy<Alpha>
      init(_ lazy: Lazy<Alpha>) { self.lazy = lazy }
    }
    let lifetime = ObjectLifetime()
    let wasFreed = Shelf(false)
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .shared) { _ in lifetime.token() }
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Holder.self) { r in
        _ = try r.resolve(ObjectLifetime.Token.self)
        return Holder(try r.resolve())
      }
      Registration(Root.self) { r in
        let holder = try r.resolve(Provider<Holder>.self)()
        wasFreed.value = lifetime.hasEnded
        return Root(holder)
      }
      Registration(Root.self) { r in
        let holder = try await r.resolve(Provider<Holder>.self)()
        wasFreed.value = lifetime.hasEnded
        return Root(holder)
      }.key("async")
    }
    if synchronously {
      try sync { _ = try container.resolve(Root.self) }
    } else {
      _ = try await container.resolve(Root.self, key: "async")
    }
    #expect(wasFreed.value)
  }

  @Test func aCallOutsideAFactoryNotifiesItsInstancesAtItsEnd() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .graph) { _ in Notified("told", journal) }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Provider<Notified>.self)) }
    }
    let root = try await container.resolve(Root.self)
    let provider = try #require(root.next as? Provider<Notified>)
    #expect(journal.entries.isEmpty)
    let first = try await provider()
    #expect(journal.entries == ["told"])
    let second = try await provider()
    #expect(first !== second)
    #expect(journal.entries == ["told", "told"])
    #expect(try resolutionError { try provider.synchronously() }.code == .asyncRequired)
  }

  @Test func aCallInsideAFactoryNotifiesItsInstancesAtTheEndOfTheResolve() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .graph) { _ in Notified("told", journal) }
      Registration(Root.self, scope: .singleton) { r in
        let told = try await r.resolve(Provider<Notified>.self)()
        journal.note("root")
        return Root(told)
      }
    }
    _ = try await container.resolve(Root.self)
    #expect(journal.entries == ["root", "told"])
  }

  // MARK: Overrides

  @Test func aProviderUsesTheOverridesOfItsCreationAndOfItsCall() async throws {
    let container = Container {
      Registration(Probe.self, scope: .graph) { _ in Probe("real") }
      Registration(Root.self) { r in Root(try r.resolve(Provider<Probe>.self)) }
    }
    let before = try #require(try await container.resolve(Root.self).next as? Provider<Probe>)
    try await container.withOverrides {
      Registration(Probe.self, scope: .graph) { _ in Probe("fake") }
    } operation: {
      let provider = try #require(try await container.resolve(Root.self).next as? Provider<Probe>)
      #expect(try await provider() !== provider())
      #expect(try await provider().name == "fake")
      #expect(try await before().name == "fake")
      #expect(try await Task.detached { try await provider().name }.value == "fake")
      #expect(try await Task.detached { try await before().name }.value == "real")
    }
    #expect(try await before().name == "real")
  }
}
