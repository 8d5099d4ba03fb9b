import ActorDITestSupport
import Testing

@testable import ActorDI

extension ServiceKey where Service == any Stall {
  fileprivate static var k: Self { .init("k") }
}

/// Decorators in a builder: `decorated` of one registration, and `Decorator` of a batch.
struct DecoratedTests {
  @Test(arguments: allScopes) func aRegistrationHasItsOwnDecoratorsTheLastOneOutermost(scope: Scope) async throws {
    let container = Container {
      Registration((any Stall).self, scope: scope) { _ in PlainStall() }
        .decorated { _, inner in WrappedStall(inner, "a") }
        .decorated { _, inner in WrappedStall(inner, "b") }
      Registration((any Stall).self, scope: scope) { _ in PlainStall("other") }.key("k")
    }
    #expect(try sync { try container.resolve((any Stall).self) }.name == "b(a(plain))")
    #expect(try await container.resolve((any Stall).self).name == "b(a(plain))")
    #expect(try await container.resolve(.k).name == "other")
    #expect(container.registrationCount == 2)
    #expect(container.registrations.map(\.scope) == [scope, scope])
  }

  @Test func aRegistrationsOwnDecoratorsAreInsideTheBuildersAndThoseOfDecorate() async throws {
    let container = Container {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "builder") }
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
        .decorated { _, inner in WrappedStall(inner, "own") }
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "next") }
    }
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "late") }
    #expect(try await container.resolve((any Stall).self).name == "late(next(builder(own(plain))))")
  }

  @Test func aDecoratorOfABuilderIsForOneKeyOrToken() async throws {
    let container = Container {
      Registration((any Stall).self) { _ in PlainStall("none") }
      Registration((any Stall).self) { _ in PlainStall("k") }.key("k")
      Registration((any Stall).self) { _ in PlainStall("n") }.key(1)
      Decorator((any Stall).self, key: 1) { _, inner in WrappedStall(inner, "key") }
      Decorator(.k) { _, inner in WrappedStall(inner, "token") }
    }
    #expect(try await container.resolve([any Stall].self).map(\.name) == ["none", "token(k)", "key(n)"])
  }

  @Test func decoratorsResolveAndMaySuspend() async throws {
    let container = Container {
      Registration(String.self) { _ in "resolved" }
      Registration((any Stall).self, scope: .shared) { _ in PlainStall() }
        .decorated { r, inner in WrappedStall(inner, try r.resolve(String.self)) }
        .decorated { r, inner in
          await Task.yield()
          return WrappedStall(inner, try await r.resolve(String.self))
        }
    }
    #expect(try await container.resolve((any Stall).self).name == "resolved(resolved(plain))")
    let other = Container {
      Registration((any Stall).self) { _ in PlainStall() }
      Decorator((any Stall).self) { _, inner in
        await Task.yield()
        return WrappedStall(inner, "late")
      }
    }
    let error = try resolutionError { try other.resolve((any Stall).self) }
    #expect(error.code == .asyncRequired)
    #expect(try await other.resolve((any Stall).self).name == "late(plain)")
  }

  @Test(arguments: allScopes) func aMainActorDecoratorRunsOnTheMainActor(scope: Scope) async throws {
    let container = Container {
      Registration((any Stall).self, scope: scope) { _ in PlainStall() }
        .decorated { @MainActor _, inner in
          MainActor.assertIsolated()
          return WrappedStall(inner, "own")
        }
      Registration((any Stall).self, scope: scope) { _ in PlainStall("k") }.key("k")
      Registration((any Stall).self, scope: scope) { _ in
        await Task.yield()
        return PlainStall("n")
      }
      .key(1)
      Decorator((any Stall).self) { @MainActor _, inner in WrappedStall(inner, "all") }
      Decorator((any Stall).self, key: 1) { @MainActor _, inner in WrappedStall(inner, "key") }
      Decorator(.k) { @MainActor _, inner in WrappedStall(inner, "token") }
    }
    try await container.decorate((any Stall).self) { @MainActor _, inner in WrappedStall(inner, "late") }
    try await container.decorate((any Stall).self, key: 1) { @MainActor _, inner in WrappedStall(inner, "later") }
    try await container.decorate(.k) { @MainActor _, inner in WrappedStall(inner, "later") }
    // Elsewhere, only asynchronous callers can have the service built.
    #expect(try sync { try resolutionError { try container.resolve(.k) } }.code == .asyncRequired)
    let names = try await MainActor.run {
      #expect(try resolutionError { try container.resolve((any Stall).self, key: 1) }.code == .asyncRequired)
      return try [container.resolve((any Stall).self), container.resolve(.k)].map(\.name)
    }
    #expect(names == ["late(all(own(plain)))", "later(late(token(all(k))))"])
    #expect(try await container.resolve((any Stall).self).name == "late(all(own(plain)))")
    #expect(try await container.resolve(.k).name == "later(late(token(all(k))))")
    #expect(try await container.resolve((any Stall).self, key: 1).name == "later(late(key(all(n))))")
  }

  @Test func anAutowiredServiceTakesOneWithAMainActorDecorator() async throws {
    struct Market: Sendable { let stall: any Stall }
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
        .decorated { @MainActor _, inner in WrappedStall(inner, "a") }
      Registration(autowired: Market.self, scope: .singleton) { (stall: any Stall) in Market(stall: stall) }
    }
    #expect(try await container.resolve(Market.self).stall.name == "a(plain)")
    _ = try await container.validate()
  }

  @Test func theErrorOfADecoratorFailsTheResolve() async throws {
    struct Failure: Error {}
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
        .decorated { _, inner in if true { throw Failure() } else { inner } }
    }
    await #expect(throws: Failure.self) { try await container.resolve((any Stall).self) }
  }

  @Test func hooksSeeTheInnerInstanceAndDisposersToo() async throws {
    let seen = Lock<[String]>([])
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
        .decorated { _, inner in WrappedStall(inner, "a") }
        .onCreated { stall, _ in seen.withLock { $0.append("created \(stall.name)") } }
        .onDispose { stall in seen.withLock { $0.append("disposed \(stall.name)") } }
    }
    #expect(try await container.resolve((any Stall).self).name == "a(plain)")
    try await container.shutdown()
    #expect(seen.withLock { $0 } == ["created plain", "disposed plain"])
  }

  @Test func anAliasShowsTheDecoratedInstance() async throws {
    let container = Container {
      Registration(WrappedStall.self, scope: .singleton) { _ in WrappedStall(PlainStall(), "inner") }
        .implements((any Stall).self) { $0 }
        .decorated { _, inner in WrappedStall(inner, "outer") }
    }
    let alias = try await container.resolve((any Stall).self)
    #expect(alias.name == "outer(inner(plain))")
    #expect(try await container.resolve(WrappedStall.self) === alias as? WrappedStall)
  }

  @Test func aDecoratedAlternativeIsChosenByItsOwnParameters() async throws {
    struct Number: Sendable {}
    let container = Container {
      Registration(autowired: (any Stall).self) { PlainStall("none") }.decorated { _, inner in WrappedStall(inner, "a")
      }
      Registration(autowired: (any Stall).self) { (_: Number) in PlainStall("number") }
        .decorated { _, inner in WrappedStall(inner, "b") }
        .alternative()
    }
    #expect(try await container.resolve((any Stall).self).name == "a(none)")
    try await container.register(Registration(instance: Number()))
    #expect(try await container.resolve((any Stall).self).name == "b(number)")
  }

  @Test func argumentsReachADecoratedFactory() async throws {
    let container = Container {
      Registration((any Stall).self) { (_, name: String) in PlainStall(name) }
        .decorated { _, inner in WrappedStall(inner, "a") }
    }
    #expect(try await container.resolve((any Stall).self, arguments: "x").name == "a(x)")
  }

  @Test func aScopeAndAChildDecorateTheServicesOfTheirParents() async throws {
    let container = Container { Registration((any Stall).self, scope: .singleton) { _ in PlainStall() } }
    let child = container.makeChild { Decorator((any Stall).self) { _, inner in WrappedStall(inner, "child") } }
    #expect(try await child.resolve((any Stall).self).name == "child(plain)")
    try await container.withScope("request") {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "scope") }
      Registration((any Stall).self) { _ in PlainStall("own") }.key("k").decorated { _, inner in
        WrappedStall(inner, "a")
      }
    } operation: { scope async throws in
      #expect(try await scope.resolve((any Stall).self).name == "scope(plain)")
      #expect(try await scope.resolve(.k).name == "scope(a(own))")
    }
    #expect(try await container.resolve((any Stall).self).name == "plain")
  }

  @Test func aLaterBatchDecoratesWhatIsRegistered() async throws {
    let container = Container { Registration((any Stall).self) { _ in PlainStall() } }
    try await container.register { Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") } }
    #expect(try await container.resolve((any Stall).self).name == "a(plain)")
    await container.freeze()
    await #expect(throws: ResolutionError.self) {
      try await container.register { Decorator((any Stall).self) { _, inner in WrappedStall(inner, "b") } }
    }
    #expect(try await container.resolve((any Stall).self).name == "a(plain)")
  }

  @Test func groupsAndConditionsMayContainDecorators() async throws {
    let container = Container {
      RegistrationGroup(scope: .singleton, key: "k") {
        Registration((any Stall).self) { _ in PlainStall() }
        Decorator((any Stall).self) { _, inner in WrappedStall(inner, "group") }
      }
      if false { Decorator((any Stall).self) { _, inner in WrappedStall(inner, "no") } }
      for name in ["x", "y"] { Decorator((any Stall).self) { _, inner in WrappedStall(inner, name) } }
    }
    #expect(try await container.resolve(.k).name == "y(x(group(plain)))")
  }

  @Test func aRefusedBatchDecoratesNothing() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration((any Stall).self) { _ in PlainStall() }
    }
    let stall = Registration((any Stall).self) { _ in PlainStall("new") }.decorated { _, inner in
      WrappedStall(inner, "a")
    }
    for _ in 0..<2 {
      await #expect(throws: ResolutionError.self) {
        try await container.register {
          Decorator((any Stall).self) { _, inner in WrappedStall(inner, "b") }
          stall
        }
      }
    }
    #expect(try await container.resolve((any Stall).self).name == "plain")
    await container.unregister((any Stall).self)
    try await container.register(stall)
    #expect(try await container.resolve((any Stall).self).name == "a(new)")
  }

  @Test func anInitialDuplicateFailsOnResolveAndTheOthersAreDecorated() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Int.self) { _ in 1 }
      Registration(Int.self) { _ in 2 }
      Registration((any Stall).self) { _ in PlainStall() }.decorated { _, inner in WrappedStall(inner, "own") }
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    }
    #expect(try await container.resolve((any Stall).self).name == "a(own(plain))")
    await #expect(throws: ResolutionError.self) { try await container.resolve(Int.self) }
  }

  @Test func theGraphShowsDecorators() async throws {
    let container = Container {
      Registration(autowired: (any Stall).self, scope: .singleton) { PlainStall() }
        .decorated { _, inner in WrappedStall(inner, "a") }
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "b") }
    }
    #expect(try await container.validate().opaque.isEmpty)
    let kinds = container.dependencyGraph().nodes.map(\.kind)
    #expect(kinds.count { $0 == .decorator } == 2 && kinds.count { $0 == .registration } == 1)
  }

  @Test func aResetDropsBothInstancesAndARemovedRegistrationTakesItsDecorator() async throws {
    let (made, wrapped) = (Counter(), Counter())
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall("\(made.increment())") }
        .decorated { _, inner in WrappedStall(inner, "\(wrapped.increment())") }
    }
    #expect(try await container.resolve((any Stall).self).name == "1(1)")
    await container.reset((any Stall).self)
    #expect(try await container.resolve((any Stall).self).name == "2(2)")
    await container.push()
    try await container.register((any Stall).self) { _ in PlainStall("new") }
    #expect(try await container.resolve((any Stall).self).name == "new")
    await container.pop()
    #expect(try await container.resolve((any Stall).self).name == "2(2)", "It kept its instance")
    await container.unregister((any Stall).self)
    #expect(!container.contains((any Stall).self) && container.registrationCount == 0)
  }

  @Test func rebuildingKeepsDecoratorsOfTheSameLinesAndReplacesOthers() async throws {
    let isSecond = Lock(false)
    let parent = Container { Registration((any Stall).self, scope: .singleton) { _ in PlainStall("parent") }.key("p") }
    let container = Container(parent: parent) {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
      if isSecond.withLock({ $0 }) {
        Decorator((any Stall).self) { _, inner in WrappedStall(inner, "second") }
      } else {
        Decorator((any Stall).self) { _, inner in WrappedStall(inner, "first") }
      }
    }
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "late") }
    let first = try await container.resolve((any Stall).self) as? WrappedStall
    #expect(first?.name == "late(first(plain))")
    try await container.rebuild()
    #expect(try await container.resolve((any Stall).self) as? WrappedStall === first)
    #expect(try await container.resolve((any Stall).self, key: "p").name == "late(first(parent))")

    isSecond.withLock { $0 = true }
    try await container.rebuild()
    let second = try await container.resolve((any Stall).self) as? WrappedStall
    #expect(second?.name == "late(second(plain))")
    let plain = { (stall: WrappedStall?) in
      ((stall?.inner as? WrappedStall)?.inner as? PlainStall).map(ObjectIdentifier.init)
    }
    #expect(plain(second) == plain(first), "The decorated instance is the same one")
    #expect(try await container.resolve((any Stall).self, key: "p").name == "late(second(parent))")
    #expect(container.registrationCount == 1)
  }

  @Test func rebuildingRemovesADecoratorAndOneOfARegistration() async throws {
    let isDecorated = Lock(true)
    let container = Container {
      if isDecorated.withLock({ $0 }) {
        Decorator((any Stall).self) { _, inner in WrappedStall(inner, "batch") }
        Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
          .decorated { _, inner in WrappedStall(inner, "own") }
      } else {
        Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
      }
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall("keyed") }.key("k")
    }
    let keyed = try await container.resolve(.k) as? WrappedStall
    #expect(try await container.resolve((any Stall).self).name == "batch(own(plain))" && keyed?.name == "batch(keyed)")
    isDecorated.withLock { $0 = false }
    try await container.rebuild()
    #expect(try await container.resolve((any Stall).self).name == "plain")
    #expect(try await container.resolve(.k) as? PlainStall === keyed?.inner as? PlainStall)
    isDecorated.withLock { $0 = true }
    try await container.rebuild()
    #expect(try await container.resolve([any Stall].self).map(\.name) == ["batch(own(plain))", "batch(keyed)"])
  }
}
