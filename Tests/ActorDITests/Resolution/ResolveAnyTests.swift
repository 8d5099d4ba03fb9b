import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Mutable {
  var number = 0
}

@Suite("Resolving by a metatype value", .timeLimit(.minutes(5)))
struct ResolveAnyTests {
  private let container = Container {
    Registration(Probe.self) { _ in Probe("plain") }
    Registration(Probe.self) { _ in Probe("keyed") }.key("key")
    Registration((any Greeter).self, scope: .singleton) { _ in Polite() }
    Registration(Setting.self) { _ in
      await Task.yield()
      return Setting(number: 3)
    }
    Registration(Mutable.self) { _ in Mutable() }
    Registration((any Noted).self) { _ in PostInitialized() }
  }

  @Test func resolveAnyReturnsServicesOfAllKinds() async throws {
    let types: [any Any.Type] = [Probe.self, (any Greeter).self, Mutable.self]
    for type in types {
      let service = try sync { try container.resolveAny(type) }
      #expect(service is Probe || service is Polite || service is Mutable)
      let again = try await container.resolveAny(type)
      #expect(Swift.type(of: again) == Swift.type(of: service))
    }
    let greeter = try sync { try container.resolveAny((any Greeter).self) }
    let same = try await container.resolve((any Greeter).self)
    #expect(greeter as? Polite === same as? Polite)
    #expect(try await container.resolveAny(Setting.self) as? Setting == Setting(number: 3))
    #expect(try resolutionError { try container.resolveAny(Setting.self) }.code == .asyncRequired)
    #expect((try await container.resolveAny((any Noted).self) as? PostInitialized)?.isReady.value == true)
  }

  @Test func resolveAnyTakesKeys() async throws {
    let type: any Any.Type = Probe.self
    #expect((try sync { try container.resolveAny(type, key: "key") } as? Probe)?.name == "keyed")
    #expect((try await container.resolveAny(type, key: "key") as? Probe)?.name == "keyed")
    let error = try resolutionError { try container.resolveAny(type, key: "kei") }
    #expect(error.code == .notRegistered)
    #expect(error.description.contains("Probe[\"key\"]"))
  }

  @Test func resolveAnyTakesRelationshipTypes() async throws {
    let optional = try sync { try container.resolveAny(Probe?.self) }
    #expect((optional as? Probe)?.name == "plain")
    let none = try await container.resolveAny(Alpha?.self)
    #expect(none as? Alpha == nil)
    let all = try await container.resolveAny([Probe].self)
    #expect((all as? [Probe])?.map(\.name) == ["plain", "keyed"])
    let lazy = try sync { try container.resolveAny(Lazy<Probe>.self) }
    #expect(try (lazy as? Lazy<Probe>)?.synchronously().name == "plain")
    let provider = try await container.resolveAny(Provider<Probe>.self, key: "key")
    #expect(try await (provider as? Provider<Probe>)?().name == "keyed")
  }

  @Test func resolveAnyReturnsContainersAndResolvers() async throws {
    #expect(try await container.resolveAny(Container.self) as? Container === container)
    let resolver = try sync { try container.resolveAny(Resolver.self) }
    #expect((resolver as? Resolver)?.container === container)
  }

  @Test func resolveAnyThrowsTheErrorsOfResolve() async throws {
    let missing = try await asyncResolutionError { try await container.resolveAny(Alpha.self) }
    #expect(missing.code == .notRegistered)
    #expect(missing.service == Alpha.self)
    let failing = Container {
      Registration(Probe.self) { _ in throw Boom(number: 4) }
      Registration(Root.self) { r in Root(try r.resolveAny(Root.self) as? Root) }
    }
    await #expect(throws: Boom(number: 4)) { try await failing.resolveAny(Probe.self) }
    let cycle = try resolutionError { try failing.resolveAny(Root.self) }
    #expect(cycle.path == ["Root", "Root"])
  }
}
