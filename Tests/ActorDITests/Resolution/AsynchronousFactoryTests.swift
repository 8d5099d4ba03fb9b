import ActorDITestSupport
import Testing

@testable import ActorDI

/// Synchronous services that asynchronous factories take. Most are made in place: their factories continue the asynchronous chain.
@Suite("Dependencies of asynchronous factories", .timeLimit(.minutes(5)))
struct AsynchronousFactoryTests {
  /// The ways in which an asynchronous factory can ask for a transient.
  enum Form: CaseIterable, Sendable { case await, sync, task }

  private static func take<Service: Sendable>(_ type: Service.Type, _ r: Resolver, _ form: Form) async throws -> Service
  {
    switch form {
    case .await: return try await r.resolve(type)
    case .sync: return try sync { try r.resolve(type) }
    case .task:
      async let service = r.resolve(type)
      return try await service
    }
  }

  @Test(arguments: Form.allCases, [Scope.transient, .scoped, .graph, .singleton])
  func anErrorNamesTheWholePath(form: Form, scope: Scope) async throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try await Self.take(Stem.self, r, form)) }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Probe.self)) }
    }
    for _ in 0..<2 {
      let error = try await asyncResolutionError { try await container.resolve(Root.self) }
      #expect(error.code == .notRegistered)
      #expect(error.path == ["Root", "Stem", "Leaf", "Probe"])
    }
  }

  @Test(arguments: Form.allCases)
  func transientsShareTheGraphOfTheCall(form: Form) async throws {
    let container = Container {
      Registration(Root.self) { r in
        let stem = try await Self.take(Stem.self, r, form)
        await Task.yield()
        let leaf = try await Self.take(Leaf.self, r, form)
        #expect(stem.next as? Probe === leaf.next as? Probe)
        return Root(stem)
      }
      Registration(Stem.self) { r in Stem(try r.resolve(Probe.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Probe.self)) }
      Registration(Probe.self, scope: .graph) { _ in Probe() }
    }
    let (first, second) = (try await container.resolve(Root.self), try await container.resolve(Root.self))
    let probes = [first, second].compactMap { ($0.next as? Stem)?.next as? Probe }
    #expect(probes.count == 2 && probes[0] !== probes[1])
  }

  /// The transient is under construction in the asynchronous chain, and is needed again by a service that it needs.
  @Test func aTransientThatNeedsItselfIsACycle() async throws {
    let container = Container {
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(Alpha.self) { r in
        await Task.yield()
        _ = try await r.resolve(Beta.self)
        return Alpha()
      }
    }
    for _ in 0..<3 {
      let error = try await asyncResolutionError { try await container.resolve(Beta.self) }
      #expect(error.code == .cycle)
      #expect(error.path == ["Beta", "Alpha", "Beta"])
    }
  }

  @Test(arguments: Form.allCases)
  func aKeptServiceKnowsTheRequestsOfItsTransients(form: Form) async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try await Self.take(Stem.self, r, form)) }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Probe.self)) }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    _ = try await container.resolve(Root.self)
    let binding = try #require(container.locate(ServiceIdentity(Root.self))).binding
    #expect(binding.requests?.map(\.description).sorted() == ["Leaf", "Probe", "Stem"])
  }

  @Test(arguments: Form.allCases)
  func aTransientIsCompletedOnce(form: Form) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Root.self) { r in
        let service = try await Self.take((any Noted).self, r, form)
        #expect((service as? PostInitialized)?.isReady.value == true)
        return Root(service)
      }
      Registration((any Noted).self) { _ in PostInitialized("warm", journal) }
    }
    guard form != .sync else {
      let error = try await asyncResolutionError { try await container.resolve(Root.self) }
      #expect(error.code == .asyncRequired)
      #expect(error.path == ["Root", "any Noted"])
      return
    }
    for _ in 0..<3 { _ = try await container.resolve(Root.self) }
    let once = ["made warm", "initialized warm"]
    #expect(journal.entries == once + once + once)
  }

  @Test func aTransientIsNotifiedAtTheEndOfTheOutermostCall() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Root.self) { r in
        let service = try await r.resolve((any Noted).self)
        await Task.yield()
        journal.note("factory ends")
        return Root(service)
      }
      Registration((any Noted).self) { _ in Notified("aware", journal) }
    }
    for _ in 0..<3 { _ = try await container.resolve(Root.self) }
    #expect(journal.entries == ["factory ends", "aware", "factory ends", "aware", "factory ends", "aware"])
  }

  /// A dependency that has become asynchronous is found at the next resolve.
  @Test func aDependencyCanBecomeAsynchronous() async throws {
    let made = Counter()
    let container = Container {
      Registration(Root.self) { r in Root(try await r.resolve(Beta.self)) }
      Registration(autowired: Beta.self) { (alpha: Alpha) in
        made.increment()
        return Beta(alpha: alpha)
      }
      Registration(Alpha.self) { _ in Alpha() }
    }
    for _ in 0..<3 { _ = try await container.resolve(Root.self) }
    try await container.register {
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    for _ in 0..<3 { _ = try await container.resolve(Root.self) }
    #expect(made.count == 6)
  }

  /// They are built without once cells, as for a synchronous caller.
  @Test(arguments: Form.allCases, [Scope.singleton, .scoped, .shared, .graph])
  func keptServicesAreBuiltInPlace(form: Form, inner: Scope) async throws {
    for scope in [Scope.transient, .scoped, .singleton] { try await keptServiceIsBuiltInPlace(form, scope, inner) }
  }

  private func keptServiceIsBuiltInPlace(_ form: Form, _ scope: Scope, _ inner: Scope) async throws {
    let (made, ready) = (Counter(), Counter())
    let container = Container {
      Registration(Root.self, scope: scope) { r in
        let (stem, again) = (try await Self.take(Stem.self, r, form), try await Self.take(Stem.self, r, form))
        #expect(stem === again)
        return Root(stem)
      }
      Registration(Stem.self, scope: inner) { r in
        made.increment()
        return Stem(try r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: inner) { r in
        ready.increment()
        return Leaf(try r.resolve(Probe.self))
      }
      Registration(Probe.self) { _ in Probe() }
    }
    let root = try await container.resolve(Root.self)
    #expect((root.next as? Stem)?.next is Leaf)
    #expect(made.count == 1 && ready.count == 1)
    let binding = try #require(container.locate(ServiceIdentity(Stem.self))).binding
    guard inner == .singleton && form != .task else { return }
    #expect(binding.existingCell == nil)
    #expect(binding.requests?.map(\.description).sorted() == ["Leaf"])
  }

  @Test func aResolverThatOutlivesItsFactoryBeginsNewChains() async throws {
    let resolver = Shelf<Resolver?>(nil)
    let container = Container {
      Registration(Root.self) { r in
        resolver.value = r
        await Task.yield()
        return Root()
      }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self)) }
    }
    _ = try await container.resolve(Root.self)
    let late = try #require(resolver.value)
    let error = try await asyncResolutionError { try await late.resolve(Stem.self) }
    #expect(error.path == ["Stem", "Leaf"])
  }

  /// Uncontended builds know the asynchronous factory that the call is part of.
  @Test(arguments: [Scope.transient, .scoped, .singleton])
  func aKeptServiceCannotWaitForTheFactory(scope: Scope) async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Stem.self)) }
      Registration(Stem.self, scope: scope) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Root.self)) }
    }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .asyncRequired)
    #expect(error.path == ["Root", "Stem", "Leaf", "Root"])
  }

  // A regression: a synchronous call of a captured container began a call tree of its own.
  @Test func aSynchronousCallOfACapturedContainerSharesTheGraphOfTheFactory() async throws {
    let captured = Shelf<Container?>(nil)
    let container = Container {
      Registration(Root.self) { r in
        let leaf = try await r.resolve(Leaf.self)
        let other = try sync { try captured.value?.resolve(Leaf.self) }
        #expect(leaf === other)
        return Root(leaf)
      }
      Registration(Leaf.self, scope: .graph) { _ in Leaf() }
    }
    captured.value = container
    defer { captured.value = nil }
    _ = try await container.resolve(Root.self)
  }

  // A regression: a transient that was made in place had a graph of its own, unless it was the first one.
  @Test func eachCallOfACapturedContainerSharesTheGraphOfTheFactory() async throws {
    let captured = Shelf<Container?>(nil)
    let container = Container {
      Registration(Root.self) { r in
        let leaf = try await r.resolve(Leaf.self)
        for _ in 0..<3 {
          let asynchronous = try #require(try await captured.value?.resolve(Stem.self))
          let synchronous = try #require(try sync { try captured.value?.resolve(Stem.self) })
          #expect(asynchronous.next as? Leaf === leaf && synchronous.next as? Leaf === leaf)
        }
        return Root(leaf)
      }
      Registration(autowired: Stem.self) { (leaf: Leaf) in Stem(leaf) }
      Registration(Leaf.self, scope: .graph) { _ in Leaf() }
    }
    captured.value = container
    defer { captured.value = nil }
    for _ in 0..<2 { _ = try await container.resolve(Root.self) }
  }

  // A regression: the path lacked the asynchronous factory.
  @Test(arguments: [Scope.graph, .scoped, .singleton])
  func aSynchronousCallOfACapturedContainerCannotWaitForTheFactory(scope: Scope) async throws {
    let captured = Shelf<Container?>(nil)
    let container = Container {
      Registration(Root.self, scope: .singleton) { _ async throws in
        Root(try sync { try captured.value?.resolve(Stem.self) })
      }
      Registration(Stem.self, scope: scope) { r in Stem(try r.resolve(Root.self)) }
    }
    captured.value = container
    defer { captured.value = nil }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .asyncRequired && error.path == ["Root", "Stem", "Root"])
  }

  // A regression: the factory and the hooks ran in place, failed, and ran again on the slow path.
  @Test(arguments: [false, true])
  func theHooksOfATransientRunOnceForAnAsynchronousFactory(usesCapturedContainer: Bool) async throws {
    let (made, runs, captured) = (Counter(), Counter(), Shelf<Container?>(nil))
    let container = Container {
      Registration(Stem.self, scope: .singleton) { _ async throws in Stem() }
      Registration(Leaf.self) { _ in
        made.increment()
        return Leaf()
      }
      .onCreated { _, r in
        runs.increment()
        _ = try r.resolve(Stem.self)
      }
      Registration(Root.self) { r async throws in
        if let container = captured.value { return Root(try await container.resolve(Leaf.self)) }
        return Root(try await r.resolve(Leaf.self))
      }
    }
    if usesCapturedContainer { captured.value = container }
    defer { captured.value = nil }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .asyncRequired && error.path == ["Root", "Leaf", "Stem"])
    #expect(made.count == 1 && runs.count == 1)
  }
}
