import ActorDITestSupport
import Testing

@testable import ActorDI

/// A transient that only the caller has.
private final class NonSendableService: PostInitialization {
  var steps: [String] = []
  func didInitialize() async throws {
    await Task.yield()
    steps.append("initialized")
  }
}

@MainActor private final class MainActorService: PostInitialization {
  var isReady = false
  @MainActor func didInitialize() async throws {
    await Task.yield()
    isReady = true
  }
}

private actor ActorService: PostInitialization {
  var isReady = false
  func didInitialize() async throws { isReady = true }
}

private class Base: @unchecked Sendable {}
private final class Derived: Base, PostInitialization, @unchecked Sendable {
  // `@unchecked Sendable` because only the post-initialisation writes.
  var isReady = false
  func didInitialize() async throws { isReady = true }
}

private final class Holder: Sendable {
  let warm: any Noted
  init(warm: any Noted) { self.warm = warm }
}

private final class HolderUser: PostInitialization, Sendable {
  let container: Shelf<Container?>
  init(_ container: Shelf<Container?>) { self.container = container }
  func didInitialize() async throws { _ = try await container.value?.resolve(Holder.self) }
}

private protocol Impatience: Sendable {}

/// Takes a service during its post-initialisation as synchronous code does.
private final class Impatient: Impatience, PostInitialization {
  private let container: Shelf<Container?>
  init(_ container: Shelf<Container?>) { self.container = container }
  func didInitialize() async throws { _ = try sync { try container.value?.resolve(Probe.self) } }
}

@Suite("Post-initialisation", .timeLimit(.minutes(5)))
struct PostInitializationTests {
  @Test(arguments: allScopes)
  func postInitialisationRunsBeforeHooks(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(PostInitialized.self, scope: scope) { _ in PostInitialized("a", journal) }
        .onCreated { warm, _ in journal.note("hook, ready: \(warm.isReady.value)") }
    }
    let warm = try await container.resolve(PostInitialized.self)
    #expect(warm.isReady.value)
    #expect(journal.entries == ["made a", "initialized a", "hook, ready: true"])
  }

  @Test(arguments: allScopes)
  func postInitialisationRunsBehindExistentials(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("a", journal) }
      Registration((any ClassBound).self, scope: scope) { _ in PostInitialized("b", journal) }
      Registration((any Sendable).self, scope: scope) { _ in PostInitialized("c", journal) }
      Registration((any ClassBound)?.self, scope: scope) { _ in PostInitialized("d", journal) }
    }
    let first = try await container.resolve((any Noted).self)
    let second = try await container.resolve((any ClassBound).self)
    let third = try await container.resolve((any Sendable).self)
    let fourth = try await container.resolve((any ClassBound)?.self)
    for service in [first, second, third, fourth] as [Any?] {
      #expect((service as? PostInitialized)?.isReady.value == true)
    }
    #expect(journal.entries.count == 8, "\(journal.entries)")
  }

  @Test(arguments: allScopes)
  func postInitialisationRunsBehindASuperclass(scope: Scope) async throws {
    let container = Container {
      Registration(Base.self, scope: scope) { _ in Derived() }
    }
    let base = try await container.resolve(Base.self)
    #expect((base as? Derived)?.isReady == true)
  }

  @Test func postInitialisationRunsForServicesOfAllKinds() async throws {
    let container = Container {
      Registration(NonSendableService.self) { _ in NonSendableService() }
      Registration(MainActorService.self) { @MainActor _ in MainActorService() }
      Registration(ActorService.self, scope: .singleton) { _ in ActorService() }
      Registration(PostInitialized.self) { (_, name: String) in PostInitialized(name) }
      Registration((any Noted).self) { (_, name: String) in PostInitialized(name) }
    }
    let mine = try await container.resolve(NonSendableService.self)
    #expect(mine.steps == ["initialized"])
    #expect(try await container.resolve(MainActorService.self).isReady)
    #expect(try await container.resolve(ActorService.self).isReady)
    #expect(try await container.resolve(PostInitialized.self, arguments: "x").isReady.value)
    let noted = try await container.resolve((any Noted).self, arguments: "y")
    #expect((noted as? PostInitialized)?.isReady.value == true)
  }

  @Test func postInitialisationRunsForDependenciesOfAutowiredServices() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in PostInitialized("a", journal) }
      Registration(autowired: Holder.self, scope: .singleton, initializer: Holder.init)
    }
    let holder = try await container.resolve(Holder.self)
    #expect((holder.warm as? PostInitialized)?.isReady.value == true)
    #expect(journal.entries == ["made a", "initialized a"])
    #expect(try sync { try container.resolve(Holder.self) } === holder)
  }

  @Test(arguments: allScopes)
  func postInitialisationRunsForEachConformingInstanceBehindAnExistential(scope: Scope) async throws {
    let turn = Counter()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in
        switch turn.increment() % 4 {
        case 0: PostInitialized()
        case 1: PlainService()
        case 2: PlainValue()
        default: Notified()
        }
      }
    }
    for _ in 0..<40 {
      let service = try await container.resolve((any Noted).self)
      if let warm = service as? PostInitialized { #expect(warm.isReady.value) }
      await container.reset()
    }
    #expect(turn.count >= 40 || scope != .transient)
  }

  @Test func postInitialisationRunsForASubclassInsideAnExistential() async throws {
    let turn = Counter()
    let container = Container {
      Registration((any Sendable).self) { _ -> any Sendable in
        let base: Base = turn.increment() > 2 ? Derived() : Base()
        return base
      }
    }
    for _ in 0..<4 {
      let service = try await container.resolve((any Sendable).self)
      if let derived = service as? Derived { #expect(derived.isReady) }
    }
  }

  @Test func postInitialisationRunsForAnOptionalThatWasNilBefore() async throws {
    let turn = Counter()
    let container = Container {
      Registration(PostInitialized?.self) { _ in turn.increment() > 1 ? PostInitialized() : nil }
      Registration((any Sendable).self) { _ in
        turn.increment() > 3 ? PostInitialized() as PostInitialized? : nil as PostInitialized?
      }
    }
    #expect(try await container.resolve(PostInitialized?.self) == nil)
    #expect(try await container.resolve(PostInitialized?.self)?.isReady.value == true)
    _ = try await container.resolve((any Sendable).self)
    let last = try await container.resolve((any Sendable).self)
    #expect((last as? PostInitialized)?.isReady.value == true)
  }

  @Test func postInitialisationDoesNotRunForARegisteredInstance() async throws {
    let warm = PostInitialized()
    let container = Container { Registration(instance: warm) }
    #expect(try sync { try container.resolve(PostInitialized.self) } === warm)
    #expect(!warm.isReady.value)
  }

  @Test(arguments: [Scope.transient, .singleton, .shared])
  func anAliasResolvesToAnInitialisedInstance(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("a", journal) }
        .implements((any Sendable).self) { $0 }
    }
    let service = try await container.resolve((any Sendable).self)
    #expect((service as? PostInitialized)?.isReady.value == true)
    #expect(journal.entries == ["made a", "initialized a"])
  }

  @Test func anAliasWaitsForPostInitialisationWhenItsTargetsTypeVaries() async throws {
    let turn = Counter()
    let container = Container {
      Registration((any Noted).self) { _ in
        turn.increment().isMultiple(of: 2) ? PostInitialized() as any Noted : PlainService()
      }
      .implements((any Sendable).self) { $0 }
    }
    for _ in 0..<8 {
      let service = try await container.resolve((any Sendable).self)
      if let warm = service as? PostInitialized { #expect(warm.isReady.value) }
    }
  }

  // MARK: Synchronous callers

  @Test(arguments: allScopes)
  func aSynchronousCallerGetsAsyncRequired(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(PostInitialized.self, scope: scope) { _ in PostInitialized("a", journal) }
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("b", journal) }
    }
    let known = try resolutionError { try container.resolve(PostInitialized.self) }
    #expect(known.code == .asyncRequired)
    #expect(journal.entries.isEmpty)
    let found = try resolutionError { try container.resolve((any Noted).self) }
    #expect(found.code == .asyncRequired)
    #expect(found.path == ["any Noted"])
    #expect(journal.entries == ["made b"])
    let service = try await container.resolve((any Noted).self)
    if scope == .singleton {
      #expect(journal.entries == ["made b", "initialized b"], "the factory runs once")
      let again = try sync { try container.resolve((any Noted).self) }
      #expect(again as? PostInitialized === service as? PostInitialized)
    }
  }

  @Test func aResetDropsAnIncompleteInstance() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in PostInitialized("a", journal) }
    }
    _ = try resolutionError { try container.resolve((any Noted).self) }
    await container.reset()
    _ = try await container.resolve((any Noted).self)
    #expect(journal.entries == ["made a", "made a", "initialized a"])
  }

  @Test func freeingTheContainerFreesAnIncompleteInstance() async throws {
    let lifetime = ObjectLifetime()
    do {
      let container = Container {
        Registration((any Sendable).self, scope: .singleton) { _ in
          (lifetime.token(), PostInitialized()).1 as any Sendable
        }
        Registration(autowired: (any ClassBound).self, scope: .singleton) { TokenHolder(lifetime.token()) }
      }
      _ = try resolutionError { try container.resolve((any ClassBound).self) }
      #expect(!lifetime.hasEnded)
    }
    try await lifetime.ended.passed()
  }

  // MARK: Failures

  @Test(arguments: allScopes)
  func aFailedPostInitialisationFailsTheResolveAndKeepsNothing(scope: Scope) async throws {
    let failure = Shelf<Boom?>(Boom(number: 1))
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("a", journal, failure: failure) }
        .onCreated { _, _ in journal.note("hook") }
    }
    await #expect(throws: Boom(number: 1)) { try await container.resolve((any Noted).self) }
    #expect(container.resolveIfReady((any Noted).self) == nil)
    #expect(journal.entries == ["made a"])
    failure.value = nil
    _ = try await container.resolve((any Noted).self)
    #expect(journal.entries == ["made a", "made a", "initialized a", "hook"])
  }

  @Test func aCycleThroughPostInitialisationThrows() async throws {
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(HolderUser.self, scope: .singleton) { _ in HolderUser(shelf) }
      Registration(Holder.self) { r in
        _ = try await r.resolve(HolderUser.self)
        return Holder(warm: PlainService())
      }
    }
    shelf.value = container
    let error = try await asyncResolutionError { try await container.resolve(HolderUser.self) }
    #expect(error.code == .cycle)
    #expect(error.path == ["HolderUser", "Holder", "HolderUser"])
    shelf.value = nil
  }
}

private final class TokenHolder: ClassBound, PostInitialization {
  let token: ObjectLifetime.Token
  init(_ token: ObjectLifetime.Token) { self.token = token }
  func didInitialize() async throws {}
}

@Suite("Post-initialisation of decorated services and alternatives", .timeLimit(.minutes(5)))
struct DecoratedInitializationTests {
  @Test(arguments: allScopes)
  func aPostInitialisationThatNeedsAnAsynchronousCallerFailsAfterOneCallOfTheFactory(scope: Scope) async throws {
    let journal = Journal<String>()
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(Probe.self) { _ in
        await Task.yield()
        return Probe()
      }
      Registration((any Impatience).self, scope: scope) { _ in
        journal.note("made")
        return Impatient(shelf)
      }
    }
    shelf.value = container
    let error = try await asyncResolutionError { try await container.resolve((any Impatience).self) }
    #expect(error.code == .asyncRequired && error.is(Probe.self))
    #expect(journal.entries == ["made"])
    shelf.value = nil
  }

  @Test(arguments: allScopes)
  func postInitialisationRunsOnceBeforeDecorators(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("a", journal) }
      Registration(PostInitialized.self, scope: scope) { _ in PostInitialized("b", journal) }
    }
    for _ in 0..<2 {
      try await container.decorate((any Noted).self) { _, inner in
        #expect((inner as? PostInitialized)?.isReady.value == true)
        journal.note("decorated a")
        return inner
      }
    }
    try await container.decorate(PostInitialized.self) { _, inner in
      #expect(inner.isReady.value)
      return inner
    }
    _ = try await container.resolve((any Noted).self)
    _ = try await container.resolve(PostInitialized.self)
    #expect(
      journal.entries == [
        "made a", "initialized a", "decorated a", "decorated a", "made b", "initialized b",
      ])
  }

  @Test(arguments: allScopes)
  func postInitialisationRunsForTheChosenAlternative(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(autowired: (any Noted).self, scope: scope) { PostInitialized("a", journal) }
      Registration(autowired: (any Noted).self, scope: scope) { (_: Probe) in PostInitialized("b", journal) }
        .alternative()
      Registration(Probe.self) { _ in Probe() }
    }
    let service = try await container.resolve((any Noted).self)
    #expect((service as? PostInitialized)?.isReady.value == true)
    #expect(journal.entries == ["made b", "initialized b"])
  }
}
