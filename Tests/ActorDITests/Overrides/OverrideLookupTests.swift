import ActorDITestSupport
import Testing

@testable import ActorDI

extension ServiceKey where Service == Probe {
  fileprivate static var replaceable: Self { .init("replaceable") }
}

/// Where overrides are found, and by which calls.
@Suite("Lookup of overrides", .timeLimit(.minutes(5)))
struct OverrideLookupTests {
  private let container = Container {
    Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
    Registration(Probe.self, scope: .singleton) { _ in Probe("real keyed") }.key("key")
    Registration(.replaceable, scope: .singleton) { _ in Probe("real token") }
    Registration(Probe.self) { (_, name: String) in Probe("real \(name)") }
    Registration((any Greeter).self, scope: .singleton) { _ in Polite() }
  }

  @Test func everyFormOfResolveFindsOverrides() async throws {
    // An override also replaces instances that exist already.
    _ = try await container.resolve([Probe].self)
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake keyed") }.key("key")
      Registration(.replaceable, scope: .singleton) { _ in Probe("fake token") }
      Registration(Probe.self) { (_, name: String) in Probe("fake \(name)") }
    } operation: { () async throws in
      #expect(try await container.resolve(Probe.self).name == "fake")
      #expect(try await container.resolve(Probe.self, key: "key").name == "fake keyed")
      #expect(try await container.resolve(.replaceable).name == "fake token")
      #expect(try await container.resolve(Probe.self, arguments: "x").name == "fake x")
      #expect(try await (container.resolveAny(Probe.self) as? Probe)?.name == "fake")
      #expect(try await container.resolve(Probe?.self)?.name == "fake")
      #expect(try await container.resolve(Lazy<Probe>.self)().name == "fake")
      #expect(try await container.resolve(Provider<Probe>.self)().name == "fake")
      #expect(try await container.resolve(Provider<Probe>.self)("y").name == "fake y")
      #expect(try await container.resolve(Owned<Probe>.self).value.name == "fake")
      try sync { () throws in
        #expect(try container.resolve(Probe.self).name == "fake")
        #expect(try container.resolve(Probe.self, key: "key").name == "fake keyed")
        #expect(try container.resolve(.replaceable).name == "fake token")
        #expect(try container.resolve(Probe.self, arguments: "x").name == "fake x")
        #expect(try container.withResolved(Probe.self) { $0.name } == "fake")
        #expect(try container.withResolved(Probe.self, key: "key") { $0.name } == "fake keyed")
      }
      #expect(container.resolveIfReady(Probe.self)?.name == "fake")
    }
    #expect(try await container.resolve(Probe.self).name == "real")
    #expect(try await container.resolve(.replaceable).name == "real token")
    #expect(OverrideLayer.active == nil)
  }

  @Test func aSynchronousOperationFindsOverrides() throws {
    let real = try container.resolve(Probe.self)
    let fake = try container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: { () throws in
      let fake = try container.resolve(Probe.self)
      #expect(try container.resolve(Probe.self) === fake)
      return fake
    }
    #expect(fake.name == "fake")
    #expect(try container.resolve(Probe.self) === real)
  }

  @Test func providersMadeBeforeFindOverrides() throws {
    let handle = container.provider(for: Probe.self)
    #expect(try handle().name == "real")
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      #expect(try handle().name == "fake")
    }
    #expect(try handle().name == "real")
  }

  @Test func overridesCanAddIdentities() throws {
    try container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () throws in
      #expect(container.contains(Alpha.self))
      #expect(container.resolveIfReady(Alpha.self) == nil)
      let alpha = try container.resolve(Alpha.self)
      #expect(container.resolveIfReady(Alpha.self) === alpha)
      #expect(container.registrationCount == 5)
    }
    #expect(!container.contains(Alpha.self))
    #expect(try resolutionError { try container.resolve(Alpha.self) }.code == .notRegistered)
    #expect(try container.resolve(Alpha?.self) == nil)
  }

  @Test func collectionsContainOverrides() throws {
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
      Registration(Probe.self) { _ in Probe("more") }.key("more")
    } operation: { () throws in
      let names = try container.resolve([Probe].self).map(\.name)
      #expect(names == ["real keyed", "real token", "fake", "more"])
      #expect(try container.resolve([Probe].self).count == 4)
    }
    #expect(try container.resolve([Probe].self).map(\.name) == ["real", "real keyed", "real token"])
  }

  @Test func childrenAndLinkingContainersFindOverrides() throws {
    let child = container.makeChild {
      Registration(Probe.self, scope: .singleton) { _ in Probe("child") }
    }
    let other = Container()
    other.link(container)
    let stranger = Container { Registration(Probe.self) { _ in Probe("stranger") } }
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      // Overrides are searched first, before a child's own registrations.
      #expect(try child.resolve(Probe.self).name == "fake")
      #expect(try container.makeChild().resolve(Probe.self).name == "fake")
      #expect(try other.resolve(Probe.self).name == "fake")
      #expect(try stranger.resolve(Probe.self).name == "stranger")
    }
    #expect(try child.resolve(Probe.self).name == "child")
  }

  @Test func aParentDoesNotFindItsChildsOverrides() throws {
    let child = container.makeChild()
    try child.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      #expect(try child.resolve(Probe.self).name == "fake")
      #expect(try container.resolve(Probe.self).name == "real")
    }
  }

  @Test func anAliasOfAnOverriddenServiceFindsTheOverride() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve((any Greeter).self)) }
        .dependsOn((any Greeter).self)
    }
    let real = try await container.resolve((any Greeter).self) as AnyObject
    let root = try await container.resolve(Root.self)
    let fake = Polite()
    try await container.withOverrides {
      Registration(Polite.self, scope: .singleton) { r async throws in
        await Task.yield()
        return fake
      }
    } operation: { () async throws in
      // An alias of a replaced service resolves to the replacement.
      #expect(container.resolveIfReady((any Greeter).self) == nil)
      #expect(try await container.resolve((any Greeter).self) as AnyObject === fake)
      #expect(container.resolveIfReady((any Greeter).self) as AnyObject === fake)
      #expect(try await container.resolve(Root.self).next as AnyObject === fake)
    }
    #expect(try await container.resolve((any Greeter).self) as AnyObject === real)
    #expect(try await container.resolve(Root.self) === root)
  }

  @Test func anOverrideCanMakeAnAlternativePossible() throws {
    let container = Container {
      Registration(
        autowired: Gamma.self, initializer: { (alpha: Alpha) in Gamma(beta: Beta(alpha: alpha), alpha: alpha) })
      Registration(autowired: Gamma.self, initializer: Gamma.init).alternative()
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
    let real = try container.resolve(Gamma.self)
    #expect(real.beta.alpha === real.alpha)
    let strange = Alpha()
    try container.withOverrides {
      Registration(Beta.self) { _ in Beta(alpha: strange) }
    } operation: { () throws in
      #expect(try container.resolve(Gamma.self).beta.alpha === strange)
    }
  }

  // MARK: Tasks

  @Test func childTasksFindOverrides() async throws {
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: { () async throws in
      async let one = container.resolve(Probe.self).name
      let others = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 1...4 { group.addTask { try await container.resolve(Probe.self).name } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(try await one == "fake")
      #expect(others == ["fake", "fake", "fake", "fake"])
      let unstructured = try await Task { try await container.resolve(Probe.self).name }.value
      #expect(unstructured == "fake")
    }
  }

  @Test func otherTasksDoNotFindOverrides() async throws {
    let (begun, seen) = (Gate(), Gate())
    let sibling = Task { [container] in
      await begun.wait()
      let name = try await container.resolve(Probe.self).name
      seen.open()
      return name
    }
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: { () async throws in
      begun.open()
      await seen.wait()
      let detached = Task.detached { [container] in try await container.resolve(Probe.self).name }
      #expect(try await detached.value == "real")
      #expect(try await container.resolve(Probe.self).name == "fake")
    }
    #expect(try await sibling.value == "real")
  }

  @Test func aTaskDoesNotFindOverridesAfterTheOperation() async throws {
    let ended = Gate()
    let task = try await container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () async throws in
      let before = try await container.resolve(Probe.self).name
      return Task { [container] in
        await ended.wait()
        return [before, try await container.resolve(Probe.self).name]
      }
    }
    ended.open()
    #expect(try await task.value == ["fake", "real"])
  }

  // MARK: Nesting

  @Test func innerOverridesHideOuterOnes() throws {
    try container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("outer") }
      Registration(Probe.self, scope: .singleton) { _ in Probe("outer keyed") }.key("key")
    } operation: { () throws in
      let outer = try container.resolve(Probe.self)
      let keyed = try container.resolve(Probe.self, key: "key")
      try container.withOverrides {
        Registration(Probe.self, scope: .singleton) { _ in Probe("inner") }
      } operation: { () throws in
        #expect(try container.resolve(Probe.self).name == "inner")
        #expect(try container.resolve(Probe.self, key: "key") === keyed)
        #expect(try container.resolve(.replaceable).name == "real token")
      }
      #expect(try container.resolve(Probe.self) === outer)
    }
  }

  @Test func overridesOfTwoContainersCanNest() throws {
    let other = Container { Registration(Alpha.self) { _ in Alpha() } }
    let alpha = Alpha()
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      try other.withOverrides {
        Registration(Alpha.self) { _ in alpha }
      } operation: { () throws in
        #expect(try other.resolve(Alpha.self) === alpha)
        #expect(try container.resolve(Probe.self).name == "fake")
        #expect(try container.resolve(Alpha?.self) == nil)
      }
    }
  }

  @Test func innerOverridesReachInstancesOfOuterOnes() throws {
    let container = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    try container.withOverrides {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    } operation: { () throws in
      let (beta, probe) = (try container.resolve(Beta.self), try container.resolve(Probe.self))
      try container.withOverrides {
        Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      } operation: { () throws in
        let inner = try container.resolve(Beta.self)
        #expect(inner !== beta)
        #expect(try inner.alpha === container.resolve(Alpha.self))
        #expect(try container.resolve(Beta.self) === inner)
        #expect(try container.resolve(Probe.self) === probe)
      }
      #expect(try container.resolve(Beta.self) === beta)
      #expect(try beta.alpha === container.resolve(Alpha.self))
    }
  }
}
