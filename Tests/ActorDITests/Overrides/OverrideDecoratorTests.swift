import ActorDITestSupport
import Testing

@testable import ActorDI

/// Decorators among overrides wrap the service that is found without them.
@Suite(.timeLimit(.minutes(5)))
struct OverrideDecoratorTests {
  private final class Owner: Sendable {
    let stall: any Stall
    init(stall: any Stall) { self.stall = stall }
  }

  private static func container(_ scope: Scope) -> Container {
    Container {
      Registration((any Stall).self, scope: scope) { _ in PlainStall() }
      Registration((any Stall).self, scope: scope) { _ in PlainStall("keyed") }.key("k")
      Registration(autowired: Owner.self, scope: .singleton, initializer: Owner.init)
    }
  }

  @Test(arguments: allScopes) func anOverrideDecoratesTheRegistration(scope: Scope) async throws {
    let container = Self.container(scope)
    try await container.withOverrides {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      #expect(try await container.resolve((any Stall).self).name == "a(plain)")
      #expect(try sync { try container.resolve((any Stall).self, key: "k") }.name == "a(keyed)")
      #expect(try await container.resolve([any Stall].self).map(\.name) == ["a(plain)", "a(keyed)"])
      #expect(try await container.resolve(Owner.self).stall.name == "a(plain)", "Made for the operation")
    }
    #expect(try await container.resolve((any Stall).self).name == "plain")
    #expect(try await container.resolve(Owner.self).stall.name == "plain")
  }

  @Test func theDecoratedInstanceIsTheContainersOwnAndTheWrapperIsKept() async throws {
    let container = Self.container(.singleton)
    let own = try await container.resolve((any Stall).self)
    let owner = try await container.resolve(Owner.self)
    try await container.withOverrides {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      let decorated = try await container.resolve((any Stall).self) as? WrappedStall
      #expect(decorated?.inner as? PlainStall === own as? PlainStall)
      #expect(try await container.resolve((any Stall).self) as? WrappedStall === decorated)
      #expect(try await container.resolve(Owner.self) !== owner)
      #expect(try await container.resolve(Owner.self).stall as? WrappedStall === decorated)
    }
    #expect(try await container.resolve(Owner.self) === owner)
  }

  @Test func nestedOverridesDecorateOneAnother() async throws {
    let container = Self.container(.transient)
    try await container.withOverrides {
      Registration((any Stall).self) { _ in PlainStall("fake") }
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "outer") }
    } operation: { () async throws in
      #expect(try await container.resolve((any Stall).self).name == "outer(fake)")
      try await container.withOverrides {
        Decorator((any Stall).self, key: "k") { _, inner in WrappedStall(inner, "key") }
        Decorator((any Stall).self) { _, inner in WrappedStall(inner, "inner") }
      } operation: { () async throws in
        #expect(try await container.resolve((any Stall).self).name == "inner(outer(fake))")
        #expect(try await container.resolve((any Stall).self, key: "k").name == "inner(key(outer(keyed)))")
        let names = try await container.resolve([any Stall].self).map(\.name)
        #expect(Set(names) == ["inner(outer(fake))", "inner(key(outer(keyed)))"])
      }
    }
  }

  @Test func servicesOfParentsScopesAndLinksAreDecorated() async throws {
    let parent = Container { Registration((any Stall).self, scope: .singleton) { _ in PlainStall("parent") } }
    let linked = Container { Registration((any Stall).self) { _ in PlainStall("linked") }.key("l") }
    let container = parent.makeChild()
    container.link(linked)
    try await container.withOverrides {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      #expect(try await container.resolve((any Stall).self).name == "a(parent)")
      #expect(try await container.resolve((any Stall).self, key: "l").name == "a(linked)")
      #expect(try await parent.resolve((any Stall).self).name == "parent", "Not overridden")
      try await container.withScope {
        Registration((any Stall).self, scope: .scoped) { _ in PlainStall("scope") }
      } operation: { scope async throws in
        #expect(try await scope.resolve((any Stall).self).name == "a(scope)")
      }
    }
  }

  /// A container with a service that is kept under an alias, too.
  private static func containerWithAlias(_ scope: Scope) -> Container {
    Container {
      Registration(WrappedStall.self, scope: scope) { _ in WrappedStall(PlainStall(), "inner") }
        .implements((any Stall).self) { $0 }
      Decorator(WrappedStall.self) { _, inner in WrappedStall(inner, "own") }
      Registration(autowired: Owner.self, scope: .singleton, initializer: Owner.init)
    }
  }

  @Test(arguments: allScopes) func anAliasShowsTheServiceWithoutDecorators(scope: Scope) async throws {
    let container = Self.containerWithAlias(scope)
    let owner = try await container.resolve(Owner.self)
    try await container.withOverrides {
      Decorator(WrappedStall.self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      #expect(try await container.resolve(WrappedStall.self).name == "a(own(inner(plain)))")
      #expect(try await container.resolve((any Stall).self).name == "inner(plain)")
      #expect(try sync { try container.resolve([any Stall].self) }.map(\.name) == ["inner(plain)"])
      #expect(try await container.resolve(Owner.self) === owner, "No override reaches it")
    }
    #expect(try await container.resolve((any Stall).self).name == "inner(plain)")
  }

  @Test(arguments: allScopes) func anAliasShowsTheOverrideWithoutDecorators(scope: Scope) async throws {
    let container = Self.containerWithAlias(scope)
    try await container.withOverrides {
      Registration(WrappedStall.self) { _ in WrappedStall(PlainStall(), "fake") }
      Decorator(WrappedStall.self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      #expect(try await container.resolve(WrappedStall.self).name == "a(fake(plain))")
      #expect(try await container.resolve((any Stall).self).name == "fake(plain)")
      try await container.withOverrides {
        Decorator(WrappedStall.self) { _, inner in WrappedStall(inner, "b") }
      } operation: { () async throws in
        #expect(try await container.resolve((any Stall).self).name == "fake(plain)")
        #expect(try await container.resolve(Owner.self).stall.name == "fake(plain)")
      }
    }
  }

  @Test func startBuildsTheDecoratedService() async throws {
    let container = Container {
      Registration(WrappedStall.self, scope: .singleton) { _ in WrappedStall(PlainStall(), "inner") }.eager()
    }
    try await container.withOverrides {
      Decorator(WrappedStall.self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      try await container.start()
      #expect(container.resolveIfReady(WrappedStall.self)?.name == "a(inner(plain))")
    }
  }

  @Test func aDecoratorOfAMissingServiceDecoratesNothing() async throws {
    let container = Container()
    try await container.withOverrides {
      Decorator((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    } operation: { () async throws in
      let error = try await asyncResolutionError { try await container.resolve((any Stall).self) }
      #expect(error.code == .notRegistered)
      #expect(try await container.resolve([any Stall].self).isEmpty)
    }
  }

  /// A regression: the overridden container built the wrapper, so the service that it wraps saw no override of the child.
  @Test(arguments: [Scope.singleton, .shared, .scoped, .transient])
  func aDecoratedServiceOfAChildSeesTheOverridesOfTheChild(scope: Scope) async throws {
    let parent = Container { Registration((any Stall).self) { _ in PlainStall() } }
    let child = parent.makeChild {
      Registration(autowired: Owner.self, scope: scope, initializer: Owner.init)
      Registration(autowired: String.self) { "child" }
    }
    try await parent.withOverrides {
      Decorator(Owner.self) { r, inner in
        Owner(stall: WrappedStall(inner.stall, try r.resolve(String?.self) ?? "parent"))
      }
    } operation: { () async throws in
      #expect(try await child.resolve(Owner.self).stall.name == "child(plain)")
      try await child.withOverrides {
        Registration((any Stall).self) { _ in PlainStall("fake") }
      } operation: { () async throws in
        #expect(try await child.resolve(Owner.self).stall.name == "child(fake)")
        #expect(try sync { try child.resolve([Owner].self) }.map(\.stall.name) == ["child(fake)"])
      }
    }
    #expect(try await child.resolve(Owner.self).stall.name == "plain")
  }

  /// A regression, as above: neither the overridden container nor the linked one searches the other.
  @Test func aDecoratedServiceOfALinkedContainerSeesTheOverridesOfThatContainer() async throws {
    let linked = Container {
      Registration((any Stall).self) { _ in PlainStall() }
      Registration(autowired: Owner.self, scope: .singleton, initializer: Owner.init)
    }
    let parent = Container()
    let child = parent.makeChild()
    let link = child.link(linked)
    defer { withExtendedLifetime(link) {} }
    try await parent.withOverrides {
      Decorator(Owner.self) { _, inner in Owner(stall: WrappedStall(inner.stall, "a")) }
    } operation: { () async throws in
      try await linked.withOverrides {
        Registration((any Stall).self) { _ in PlainStall("fake") }
      } operation: { () async throws in
        #expect(try await child.resolve(Owner.self).stall.name == "a(fake)")
      }
    }
  }
}
