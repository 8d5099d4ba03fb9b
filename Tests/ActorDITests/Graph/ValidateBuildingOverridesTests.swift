import ActorDITestSupport
import Testing

@testable import ActorDI

/// `validate(building: true)` in an operation with overrides builds these, and never what they replace.
@Suite("Validating by building, with overrides", .timeLimit(.minutes(5)))
struct ValidateBuildingOverridesTests {
  private let built = Journal<String>()

  private func probe(_ name: String, _ scope: Scope = .singleton) -> Registration<Probe> {
    Registration(Probe.self, scope: scope) { [built] _ in
      built.note(name)
      return Probe(name)
    }
  }

  @Test(arguments: [Scope.singleton, .shared, .scoped, .scoped("request"), .graph, .transient, .pooled(max: 1)])
  func anOverrideIsBuiltInPlaceOfTheService(scope: Scope) async throws {
    let (container, built) = (Container { probe("real", scope) }, built)
    try await container.withOverrides {
      probe("fake")
    } operation: { () async throws in
      try await container.validate(building: true)
      #expect(built.entries == ["fake"])
      #expect(container.resolveIfReady(Probe.self) == nil)
    }
    try await container.withOverrides {
      probe("fake \(scope)", scope)
    } operation: { () async throws in
      _ = try await container.validate(building: true)
    }
    #expect(built.entries == ["fake", "fake \(scope)"])
  }

  @Test func dependentsAreBuiltWithTheOverride() async throws {
    let container = Container { [built] in
      probe("real")
      Registration(autowired: Root.self, scope: .singleton) { (probe: Probe) in
        built.note("root with \(probe.name)")
        return Root(probe)
      }
      Registration(Stem.self) { r async throws in
        built.note("stem with \(try await r.resolve(Probe.self).name)")
        return Stem()
      }
    }
    try await container.withOverrides {
      probe("fake")
    } operation: { () async throws in
      _ = try await container.validate(building: true)
    }
    #expect(built.entries == ["fake", "root with fake", "stem with fake"])
    #expect(container.resolveIfReady(Root.self) == nil)
  }

  @Test func keysAndAliasesAreOverridden() async throws {
    let container = Container { [built] in
      probe("real").key("key")
      Registration(Polite.self, scope: .singleton) { _ in
        built.note("real polite")
        return Polite()
      }.implements((any Greeter).self) { $0 }
    }
    try await container.withOverrides {
      probe("fake").key("key")
      Registration(Polite.self, scope: .singleton) { [built] _ in
        built.note("fake polite")
        return Polite()
      }
    } operation: { () async throws in
      _ = try await container.validate(building: true)
    }
    #expect(built.entries == ["fake", "fake polite"])
  }

  @Test func anOverriddenAliasLeavesItsTargetToTheContainer() async throws {
    let container = Container { [built] in
      Registration(Polite.self, scope: .singleton) { _ in
        built.note("real")
        return Polite()
      }.implements((any Greeter).self) { $0 }
    }
    try await container.withOverrides {
      Registration((any Greeter).self) { [built] _ in
        built.note("fake")
        return Casual()
      }
    } operation: { () async throws in
      _ = try await container.validate(building: true)
    }
    #expect(built.entries == ["real", "fake"])
  }

  @Test func theInnermostOfNestedOverridesIsBuilt() async throws {
    let container = Container { [built] in
      probe("real")
      Registration(Setting.self) { _ in
        built.note("real setting")
        return Setting()
      }
    }
    try await container.withOverrides {
      probe("outer")
      Registration(Setting.self) { [built] _ in
        built.note("outer setting")
        return Setting()
      }
    } operation: { () async throws in
      try await container.withOverrides {
        probe("inner")
      } operation: { () async throws in
        _ = try await container.validate(building: true)
      }
    }
    #expect(built.entries == ["inner", "outer setting"])
  }

  @Test func servicesOfParentsAndLinksAreOverridden() async throws {
    let parent = Container { probe("real") }
    let child = parent.makeChild {
      Registration(autowired: Root.self, scope: .singleton) { (probe: Probe) in Root(probe) }
    }
    let linking = Container {
      Registration(autowired: Stem.self, scope: .singleton) { (probe: Probe) in Stem(probe) }
    }
    linking.link(parent)
    try await parent.withOverrides {
      probe("fake")
    } operation: { () async throws in
      try await child.validate(building: true)
      try await linking.validate(building: true)
    }
    #expect(built.entries == ["fake", "fake"])
    #expect(parent.resolveIfReady(Probe.self) == nil)
  }

  @Test func aFailingOverrideIsAProblem() async throws {
    let container = Container { probe("real") }
    let error = try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in throw Boom() }
    } operation: { () async throws in
      await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
    }
    let problem = try #require(error?.problems.first)
    #expect(problem.underlying is Boom && problem.kind == .buildFailed)
    #expect(built.entries.isEmpty)
  }

  @Test func instancesOfTheOperationStayWhatTheyAre() async throws {
    let ended = Counter()
    let container = Container { probe("real") }
    try await container.withOverrides {
      probe("fake").onDispose { _ in ended.increment() }
    } operation: { () async throws in
      let probe = try await container.resolve(Probe.self)
      try await container.validate(building: true)
      #expect(ended.count == 1)
      #expect(try await container.resolve(Probe.self) === probe)
    }
    #expect(ended.count == 2 && built.entries == ["fake", "fake"])
  }
}
