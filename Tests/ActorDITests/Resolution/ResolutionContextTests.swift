import ActorDITestSupport
import Testing

@testable import ActorDI

private typealias Contexts = Journal<ResolutionContext?>

@Suite("Resolution contexts", .timeLimit(.minutes(5)))
struct ResolutionContextTests {
  @Test func aResolverHasNoContextOutsideFactories() async throws {
    let kept = Shelf<Resolver?>(nil)
    let container = Container {
      Registration(Probe.self) { r in
        kept.value = r
        return Probe()
      }
      Registration(Alpha.self) { r in
        await Task.yield()
        kept.value = r
        return Alpha()
      }
    }
    #expect(container.resolver.context == nil)
    _ = try sync { try container.resolve(Probe.self) }
    #expect(kept.value?.context == nil)
    _ = try await container.resolve(Alpha.self)
    #expect(kept.value?.context == nil)
  }

  @Test func aContextComparesItsServiceWithATypeByIs() async throws {
    let contexts = Contexts()
    let container = Container {
      Registration((any Greeter).self) { r in
        contexts.note(r.context)
        return Polite()
      }
      Registration(Probe.self) { r in Probe(try r.resolve((any Greeter).self).greet()) }
    }
    _ = try await container.resolve(Probe.self)
    let context = try #require(contexts.entries.first ?? nil)
    #expect(context.is((any Greeter).self) && !context.is(Polite.self) && !context.is(Probe.self))
    #expect(context.requester?.is(Probe.self) == true && context.requester?.is((any Greeter).self) == false)
    let error = try await asyncResolutionError { try await container.resolve(Alpha.self) }
    #expect(error.is(Alpha.self) && !error.is(Probe.self))
  }

  @Test(arguments: allScopes)
  func synchronousFactoriesAndHooksGetAContext(scope: Scope) throws {
    let contexts = Contexts()
    let container = Container {
      Registration(Alpha.self, scope: scope) { r in
        contexts.note(r.context)
        return Alpha()
      }.key("inner").onCreated { _, r in contexts.note(r.context) }
      Registration(Probe.self, scope: scope) { r in
        contexts.note(r.context)
        _ = try r.resolve(Alpha.self, key: "inner")
        contexts.note(r.context)
        return Probe()
      }.key(7)
    }
    _ = try container.resolve(Probe.self, key: 7)
    let found = contexts.entries.map { $0 }
    try #require(found.count == 4)
    for context in [found[0], found[3]] {
      #expect(context?.service == Probe.self)
      #expect(context?.key as? Int == 7)
      #expect(context?.requester == nil)
      #expect(context?.path == ["Probe[Int(7)]"])
    }
    for context in [found[1], found[2]] {
      #expect(context?.service == Alpha.self)
      #expect(context?.key as? String == "inner")
      #expect(context?.requester?.type == Probe.self)
      #expect(context?.requester?.key as? Int == 7)
      #expect(context?.path == ["Probe[Int(7)]", "Alpha[\"inner\"]"])
    }
  }

  @Test(arguments: allScopes)
  func asynchronousFactoriesAndTheirChildTasksGetAContext(scope: Scope) async throws {
    let contexts = Contexts()
    let container = Container {
      Registration(Alpha.self, scope: scope) { r in
        await Task.yield()
        contexts.note(r.context)
        return Alpha()
      }.onCreated { _, r in
        await Task.yield()
        contexts.note(r.context)
      }
      Registration(Probe.self, scope: scope) { r in
        async let inTask = r.context
        async let alpha = r.resolve(Alpha.self)
        _ = try await alpha
        contexts.note(await inTask)
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    let found = contexts.entries
    try #require(found.count == 3)
    #expect(found.prefix(2).allSatisfy { $0?.path == ["Probe", "Alpha"] })
    #expect(found.prefix(2).allSatisfy { $0?.requester?.type == Probe.self })
    #expect(found[2]?.service == Probe.self)
    #expect(found[2]?.requester == nil)
  }

  @Test func thePathSpansAsynchronousAndSynchronousFactories() async throws {
    let contexts = Contexts()
    let container = Container {
      Registration(Alpha.self) { r in
        contexts.note(r.context)
        return Alpha()
      }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Probe.self, scope: .singleton) { r in
        await Task.yield()
        _ = try await r.resolve(Beta.self)
        _ = try await r.resolve(Alpha.self)
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    #expect(contexts.entries.map { $0?.path } == [["Probe", "Beta", "Alpha"], ["Probe", "Alpha"]])
    #expect(contexts.entries.map { $0?.requester?.description } == ["Beta", "Probe"])
  }

  @Test func aContextNamesTheArguments() async throws {
    let contexts = Contexts()
    let container = Container {
      Registration(Probe.self) { (r, name: String, count: Int) in
        contexts.note(r.context)
        return Probe(name)
      }
      Registration(Alpha.self) { r in
        _ = try r.resolve(Probe.self, arguments: "a", 1)
        return Alpha()
      }
    }
    _ = try sync { try container.resolve(Alpha.self) }
    _ = try await container.resolve(Alpha.self)
    for context in contexts.entries {
      #expect(
        context?.arguments.map { ObjectIdentifier($0) } == [ObjectIdentifier(String.self), ObjectIdentifier(Int.self)])
      #expect(context?.requester?.type == Alpha.self)
      #expect(context?.requester?.arguments.isEmpty == true)
    }
    #expect(contexts.entries.count == 2)
  }

  @Test(arguments: [Scope.transient, .singleton])
  func anAliasIsNoRequester(scope: Scope) async throws {
    let contexts = Contexts()
    let container = Container {
      Registration(Polite.self, scope: scope) { r in
        contexts.note(r.context)
        return Polite()
      }.implements((any Greeter).self) { $0 }
      Registration(Probe.self) { r in
        _ = try r.resolve((any Greeter).self)
        return Probe()
      }
      Registration(Alpha.self) { r in
        _ = try await r.resolve((any Greeter).self)
        return Alpha()
      }
    }
    _ = try sync { try container.resolve(Probe.self) }
    await container.reset()
    _ = try await container.resolve(Alpha.self)
    #expect(contexts.entries.map { $0?.requester?.description } == ["Probe", "Alpha"])
    #expect(contexts.entries.allSatisfy { $0?.service == Polite.self })
  }

  @Test func thePathIncludesAnInitialisingService() async throws {
    let contexts = Contexts()
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration((any ClassBound).self) { _ in ResolvesInDidInitialize(shelf) }
      Registration(Probe.self) { r in
        contexts.note(r.context)
        return Probe()
      }
    }
    shelf.value = container
    _ = try await container.resolve((any ClassBound).self)
    #expect(contexts.entries.map { $0?.path } == [["any ClassBound", "Probe"]])
    shelf.value = nil
  }
}

private final class ResolvesInDidInitialize: ClassBound, PostInitialization {
  let container: Shelf<Container?>
  init(_ container: Shelf<Container?>) { self.container = container }
  func didInitialize() async throws { _ = try await container.value?.resolve(Probe.self) }
}
