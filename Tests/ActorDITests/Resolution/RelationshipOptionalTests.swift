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
}
