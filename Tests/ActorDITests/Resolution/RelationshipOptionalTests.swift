import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Holder: Sendable {
  let probe: Probe?
}

/// `T?` as a service: nil if nothing is registered.
@Suite("Optional services", .timeLimit(.minutes(5)))
struct RelationshipOptionalTests {
  @Test func anOptionalIsNilWithoutRegistration() async throws {
    let container = Container()
    #expect(try await container.resolve(Probe?.self) == nil)
    #expect(try await container.resolve(Probe?.self, key: "k") == nil)
    #expect(try sync { try container.resolve(Probe?.self) } == nil)
    #expect(try sync { try container.resolve(Probe?.self, key: 1) } == nil)
  }

  @Test func anOptionalHoldsARegisteredService() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Probe.self, scope: .singleton) { _ in Probe("keyed") }.key("k")
    }
    let probe = try await container.resolve(Probe.self)
    #expect(try await container.resolve(Probe?.self) === probe)
    #expect(try sync { try container.resolve(Probe?.self) } === probe)
    #expect(try await container.resolve(Probe?.self, key: "k")?.name == "keyed")
    #expect(try await container.resolve(Probe?.self, key: "other") == nil)
  }

  @Test func anOptionalIsInferredFromItsType() throws {
    let container = Container { Registration(Probe.self) { _ in Probe("there") } }
    let probe: Probe? = try container.resolve()
    let setting: Setting? = try container.resolve()
    #expect(probe?.name == "there")
    #expect(setting == nil)
  }

  @Test func anOptionalCanBeAParameter() async throws {
    let container = Container { Registration(autowired: Holder.self, initializer: Holder.init) }
    #expect(try await container.resolve(Holder.self).probe == nil)
    try await container.register(Probe.self) { _ in Probe("later") }
    #expect(try await container.resolve(Holder.self).probe?.name == "later")
    #expect(try sync { try container.resolve(Holder.self) }.probe?.name == "later")
  }

  @Test func anOptionalThrowsTheFactorysError() async throws {
    let container = Container {
      Registration(Probe.self) { _ -> Probe in throw Boom(number: 1) }
      Registration(Setting.self) { _ async throws -> Setting in throw Boom(number: 2) }
    }
    await #expect(throws: Boom(number: 1)) { try await container.resolve(Probe?.self) }
    #expect(throws: Boom(number: 1)) { try sync { try container.resolve(Probe?.self) } }
    await #expect(throws: Boom(number: 2)) { try await container.resolve(Setting?.self) }
  }

  @Test func anOptionalThrowsIfItsServicesDependencyIsMissing() async throws {
    let container = Container { Registration(initializer: Beta.init) }
    for error in [
      try await asyncResolutionError { try await container.resolve(Beta?.self) },
      try resolutionError { try container.resolve(Beta?.self) },
    ] {
      #expect(error.code == .notRegistered)
      #expect(error.service == Alpha.self)
      #expect(error.path.suffix(2) == ["Beta", "Alpha"])
    }
  }

  @Test func anAsynchronousServiceThrowsInSynchronousCode() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        return Probe()
      }
    }
    let error = try resolutionError { try container.resolve(Probe?.self) }
    #expect(error.code == .asyncRequired)
    let probe = try await container.resolve(Probe?.self)
    #expect(probe != nil)
    #expect(try sync { try container.resolve(Probe?.self) } === probe)
  }

  @Test func aRegistrationOfTheOptionalTypeOverridesTheService() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("plain") }
      Registration(Probe?.self) { _ in Probe("optional") }
      Registration(Setting.self) { _ in Setting() }
      Registration(Setting?.self) { _ in nil }
    }
    #expect(try await container.resolve(Probe?.self)?.name == "optional")
    #expect(try await container.resolve(Probe.self).name == "plain")
    #expect(try await container.resolve(Setting?.self) == nil)
    #expect(try sync { try container.resolve(Setting?.self) } == nil)
  }

  @Test func anOptionalFindsAParentsService() async throws {
    let parent = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let child = Container(parent: parent)
    let probe = try await parent.resolve(Probe.self)
    #expect(try await child.resolve(Probe?.self) === probe)
    await parent.unregister(Probe.self)
    #expect(try await child.resolve(Probe?.self) == nil)
  }

  @Test func anOptionalIsNilForAServiceWithArguments() async throws {
    let container = Container { Registration(Probe.self) { (_, name: String) in Probe(name) } }
    #expect(try await container.resolve(Probe?.self) == nil)
  }

  @Test func anOptionalCanHoldOtherRelationships() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe("there") } }
    #expect(try await container.resolve([Probe]?.self)?.map(\.name) == ["there"])
    #expect(try await container.resolve([Setting]?.self) == [])
    let lazy = try await container.resolve(Lazy<Probe>?.self)
    #expect(try await lazy?().name == "there")
  }

  /// In a factory, the way to an optional is short: it neither searches with references nor boxes the value.
  @Test(arguments: [Scope.transient, .graph, .shared, .scoped, .singleton])
  func aFactoryGetsAnOptionalFromAnyContainer(scope: Scope) async throws {
    let token = ServiceKey<Probe>("k")
    let linked = Container { Registration(Setting.self, scope: scope) { _ in Setting(number: 7) } }
    let parent = Container {
      Registration(Probe.self, scope: scope) { _ in Probe("plain") }
      Registration(token, scope: scope) { _ in Probe("keyed") }
    }
    let child = Container(parent: parent)
    let link = child.link(linked)
    try await child.register(Gathered.self) { r in
      Gathered(
        plain: try r.resolve(), keyed: try r.resolve(Probe?.self, key: "k"),
        token: try r.resolve(token.of(Probe?.self)),
        setting: try r.resolve(), alpha: try r.resolve(), nested: try r.resolve(), container: try r.resolve())
    }
    for _ in 0..<3 {
      let gathered = try sync { try child.resolve(Gathered.self) }
      #expect(gathered.plain?.name == "plain")
      #expect(gathered.keyed?.name == "keyed")
      #expect(gathered.token?.name == "keyed")
      #expect(gathered.setting == Setting(number: 7))
      #expect(gathered.alpha == nil)
      #expect(gathered.nested??.name == "plain")
      #expect(gathered.container === child)
    }
    let first = try sync { try (child.resolve(Gathered.self), child.resolve(Gathered.self)) }
    #expect((first.0.plain === first.1.plain) == (scope != .transient && scope != .graph))
    link.cancel()
    #expect(try sync { try child.resolve(Gathered.self) }.setting == nil)
  }

  @Test func anOptionalOfAClosedFamilyThrows() async throws {
    let parent = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let child = Container(parent: parent)
    _ = try sync { try child.resolve(Probe?.self) }
    try await parent.shutdown()
    for container in [child, parent] {
      #expect(try resolutionError { try container.resolve(Probe?.self) }.code == .closed)
      #expect(try resolutionError { try container.resolve(Alpha?.self) }.code == .closed)
    }
  }

  @Test func anOptionalFollowsOverridesRegistrationAndRemoval() async throws {
    let container = Container {
      Registration(initializer: Holder.init)
      Registration(Setting.self) { _ in Setting() }
    }
    let child = container.makeChild()
    func name() throws -> String? { try sync { try child.resolve(Holder.self).probe?.name } }
    #expect(try name() == nil)
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      #expect(try name() == "fake")
    }
    #expect(try name() == nil)
    try await container.register(Probe?.self) { _ in Probe("explicit") }
    #expect(try name() == "explicit")
    await container.unregister(Probe?.self)
    try await container.register(Probe.self) { _ in Probe("registered") }
    #expect(try name() == "registered")
  }

  /// The requests of a build decide when a replaced instance may be disposed of.
  @Test(arguments: [Scope.shared, .singleton], [true, false])
  func aKeptServiceKnowsItsOptionalDependencies(scope: Scope, isRegistered: Bool) async throws {
    let container = Container {
      if isRegistered { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
      Registration(Probe.self, scope: scope) { r in
        _ = try r.resolve(Alpha?.self)
        return Probe()
      }
    }
    let probe = try sync { try container.resolve(Probe.self) }
    let requests = try #require(container.ownBinding(of: ServiceIdentity(Probe.self))?.requests)
    #expect(requests.contains { $0.service == Alpha.self })
    extendLifetime(probe)
  }

  @Test func anOptionalFollowsEachChangeWhileOthersRead() async throws {
    let container = Container { Registration(initializer: Holder.init) }
    let child = container.makeChild()
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<2_000 { _ = try sync { try child.resolve(Holder.self) } } }
      }
      group.addTask {
        for round in 0..<200 {
          try await container.register(Probe.self, scope: round.isMultiple(of: 2) ? .singleton : .transient) { _ in
            Probe()
          }
          #expect(try sync { try child.resolve(Holder.self).probe != nil })
          await container.unregister(Probe.self)
          #expect(try sync { try child.resolve(Holder.self).probe == nil })
        }
      }
      try await group.waitForAll()
    }
  }
}

private struct Gathered: Sendable {
  let plain: Probe?
  let keyed: Probe?
  let token: Probe?
  let setting: Setting?
  let alpha: Alpha?
  let nested: Probe??
  let container: Container?
}
