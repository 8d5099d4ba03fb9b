import Testing

@testable import ActorDI

/// A transient that only the caller has.
private final class Private: PostInitialization {
  var steps: [String] = []
  func didInitialize() async throws {
    await Task.yield()
    steps.append("initialized")
  }
}

@MainActor private final class OnMain: PostInitialization {
  var isReady = false
  @MainActor func didInitialize() async throws {
    await Task.yield()
    isReady = true
  }
}

private actor Isolated: PostInitialization {
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

private final class Meeter: PostInitialization, Sendable {
  let container: Shelf<Container?>
  init(_ container: Shelf<Container?>) { self.container = container }
  func didInitialize() async throws { _ = try await container.value?.resolve(Holder.self) }
}

@Suite("Initialisation after the factory", .timeLimit(.minutes(5)))
struct PostInitializationTests {
  @Test(arguments: allScopes)
  func runsBeforeTheHooks(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Warm.self, scope: scope) { _ in Warm("a", journal) }
        .onCreated { warm, _ in journal.note("hook, ready: \(warm.isReady.value)") }
    }
    let warm = try await container.resolve(Warm.self)
    #expect(warm.isReady.value)
    #expect(journal.entries == ["made a", "initialized a", "hook, ready: true"])
  }

  @Test(arguments: allScopes)
  func isFoundBehindAnExistential(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Warm("a", journal) }
      Registration((any ClassBound).self, scope: scope) { _ in Warm("b", journal) }
      Registration((any Sendable).self, scope: scope) { _ in Warm("c", journal) }
      Registration((any ClassBound)?.self, scope: scope) { _ in Warm("d", journal) }
    }
    let first = try await container.resolve((any Noted).self)
    let second = try await container.resolve((any ClassBound).self)
    let third = try await container.resolve((any Sendable).self)
    let fourth = try await container.resolve((any ClassBound)?.self)
    for service in [first, second, third, fourth] as [Any?] {
      #expect((service as? Warm)?.isReady.value == true)
    }
    #expect(journal.entries.count == 8, "\(journal.entries)")
  }

  @Test(arguments: allScopes)
  func isFoundBehindASuperclass(scope: Scope) async throws {
    let container = Container {
      Registration(Base.self, scope: scope) { _ in Derived() }
    }
    let base = try await container.resolve(Base.self)
    #expect((base as? Derived)?.isReady == true)
  }

  @Test func runsForServicesOfAllKinds() async throws {
    let container = Container {
      Registration(Private.self) { _ in Private() }
      Registration(OnMain.self) { @MainActor _ in OnMain() }
      Registration(Isolated.self, scope: .singleton) { _ in Isolated() }
      Registration(Warm.self) { (_, name: String) in Warm(name) }
      Registration((any Noted).self) { (_, name: String) in Warm(name) }
    }
    let mine = try await container.resolve(Private.self)
    #expect(mine.steps == ["initialized"])
    #expect(try await container.resolve(OnMain.self).isReady)
    #expect(try await container.resolve(Isolated.self).isReady)
    #expect(try await container.resolve(Warm.self, arguments: "x").isReady.value)
    let noted = try await container.resolve((any Noted).self, arguments: "y")
    #expect((noted as? Warm)?.isReady.value == true)
  }

  @Test func runsForAutowiredServicesAndTheirDependencies() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in Warm("a", journal) }
      Registration(autowired: Holder.self, scope: .singleton, initializer: Holder.init)
    }
    let holder = try await container.resolve(Holder.self)
    #expect((holder.warm as? Warm)?.isReady.value == true)
    #expect(journal.entries == ["made a", "initialized a"])
    #expect(try sync { try container.resolve(Holder.self) } === holder)
  }

  @Test(arguments: allScopes)
  func alternatesWithTheTypes(scope: Scope) async throws {
    let turn = Counter()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in
        switch turn.increment() % 4 {
        case 0: Warm()
        case 1: Inert()
        case 2: InertValue()
        default: Told()
        }
      }
    }
    for _ in 0..<40 {
      let service = try await container.resolve((any Noted).self)
      if let warm = service as? Warm { #expect(warm.isReady.value) }
      await container.reset()
    }
    #expect(turn.count >= 40 || scope != .transient)
  }

  @Test func aSubclassBehindABaseBehindAnExistentialIsFound() async throws {
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

  @Test func anOptionalThatWasNilBeforeIsFound() async throws {
    let turn = Counter()
    let container = Container {
      Registration(Warm?.self) { _ in turn.increment() > 1 ? Warm() : nil }
      Registration((any Sendable).self) { _ in turn.increment() > 3 ? Warm() as Warm? : nil as Warm? }
    }
    #expect(try await container.resolve(Warm?.self) == nil)
    #expect(try await container.resolve(Warm?.self)?.isReady.value == true)
    _ = try await container.resolve((any Sendable).self)
    let last = try await container.resolve((any Sendable).self)
    #expect((last as? Warm)?.isReady.value == true)
  }

  @Test func anInstanceRegisteredAsSuchIsLeftAlone() async throws {
    let warm = Warm()
    let container = Container { Registration(instance: warm) }
    #expect(try sync { try container.resolve(Warm.self) } === warm)
    #expect(!warm.isReady.value)
  }

  @Test(arguments: [Scope.transient, .singleton, .shared])
  func forwardsShowAnInitialisedInstance(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Warm("a", journal) }
        .implements((any Sendable).self) { $0 }
    }
    let service = try await container.resolve((any Sendable).self)
    #expect((service as? Warm)?.isReady.value == true)
    #expect(journal.entries == ["made a", "initialized a"])
  }

  @Test func aForwardWhosePrimaryChangesItsTypeIsAwaited() async throws {
    let turn = Counter()
    let container = Container {
      Registration((any Noted).self) { _ in turn.increment().isMultiple(of: 2) ? Warm() as any Noted : Inert() }
        .implements((any Sendable).self) { $0 }
    }
    for _ in 0..<8 {
      let service = try await container.resolve((any Sendable).self)
      if let warm = service as? Warm { #expect(warm.isReady.value) }
    }
  }

  // MARK: Synchronous callers

  @Test(arguments: allScopes)
  func synchronousCallersAreToldOf(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Warm.self, scope: scope) { _ in Warm("a", journal) }
      Registration((any Noted).self, scope: scope) { _ in Warm("b", journal) }
    }
    let known = try resolutionError { try container.resolve(Warm.self) }
    #expect(known.code == .asyncRequired)
    #expect(journal.entries.isEmpty)
    let found = try resolutionError { try container.resolve((any Noted).self) }
    #expect(found.code == .asyncRequired)
    #expect(found.path == ["Noted"])
    #expect(journal.entries == ["made b"])
    let service = try await container.resolve((any Noted).self)
    if scope == .singleton {
      #expect(journal.entries == ["made b", "initialized b"], "the factory runs once")
      let again = try sync { try container.resolve((any Noted).self) }
      #expect(again as? Warm === service as? Warm)
    }
  }

  @Test func whatIsKeptAsideIsResetToo() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in Warm("a", journal) }
    }
    _ = try resolutionError { try container.resolve((any Noted).self) }
    await container.reset()
    _ = try await container.resolve((any Noted).self)
    #expect(journal.entries == ["made a", "made a", "initialized a"])
  }

  @Test func whatIsKeptAsideGoesWithTheContainer() async throws {
    let lifetime = Lifetime()
    do {
      let container = Container {
        Registration((any Sendable).self, scope: .singleton) { _ in
          (lifetime.token(), Warm()).1 as any Sendable
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
  func aFailureIsTheResolvesAndNothingIsKept(scope: Scope) async throws {
    let failure = Shelf<Boom?>(Boom(number: 1))
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Warm("a", journal, failure: failure) }
        .onCreated { _, _ in journal.note("hook") }
    }
    await #expect(throws: Boom(number: 1)) { try await container.resolve((any Noted).self) }
    #expect(container.resolveIfReady((any Noted).self) == nil)
    #expect(journal.entries == ["made a"])
    failure.value = nil
    _ = try await container.resolve((any Noted).self)
    #expect(journal.entries == ["made a", "made a", "initialized a", "hook"])
  }

  @Test func aCycleThroughItIsAnError() async throws {
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(Meeter.self, scope: .singleton) { _ in Meeter(shelf) }
      Registration(Holder.self) { r in
        _ = try await r.resolve(Meeter.self)
        return Holder(warm: Inert())
      }
    }
    shelf.value = container
    let error = try await asyncResolutionError { try await container.resolve(Meeter.self) }
    #expect(error.code == .cycle)
    #expect(error.path == ["Meeter", "Holder", "Meeter"])
    shelf.value = nil
  }
}

private final class TokenHolder: ClassBound, PostInitialization {
  let token: Lifetime.Token
  init(_ token: Lifetime.Token) { self.token = token }
  func didInitialize() async throws {}
}

@Suite("Initialisation behind decorators and alternatives", .timeLimit(.minutes(5)))
struct DecoratedInitializationTests {
  @Test(arguments: allScopes)
  func whatIsDecoratedIsInitialisedOnce(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Warm("a", journal) }
      Registration(Warm.self, scope: scope) { _ in Warm("b", journal) }
    }
    for _ in 0..<2 {
      try await container.decorate((any Noted).self) { _, inner in
        #expect((inner as? Warm)?.isReady.value == true)
        journal.note("decorated a")
        return inner
      }
    }
    try await container.decorate(Warm.self) { _, inner in
      #expect(inner.isReady.value)
      return inner
    }
    _ = try await container.resolve((any Noted).self)
    _ = try await container.resolve(Warm.self)
    #expect(
      journal.entries == [
        "made a", "initialized a", "decorated a", "decorated a", "made b", "initialized b",
      ])
  }

  @Test(arguments: allScopes)
  func alternativesAreInitialised(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(autowired: (any Noted).self, scope: scope) { Warm("a", journal) }
      Registration(autowired: (any Noted).self, scope: scope) { (_: Probe) in Warm("b", journal) }.alternative()
      Registration(Probe.self) { _ in Probe() }
    }
    let service = try await container.resolve((any Noted).self)
    #expect((service as? Warm)?.isReady.value == true)
    #expect(journal.entries == ["made b", "initialized b"])
  }
}
