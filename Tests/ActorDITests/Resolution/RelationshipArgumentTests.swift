import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Relationship types with run-time arguments")
struct RelationshipArgumentTests {
  private let container = Container {
    Registration(Probe.self) { (_, name: String) in Probe(name) }
    Registration(Probe.self) { (_, name: String) in Probe("loud " + name) }.key("loud")
    Registration(Probe.self) { (_, name: String, number: Int) async throws in
      await Task.yield()
      return Probe("\(name) \(number)")
    }
  }

  @Test func anOptionalIsNilIfNoRegistrationTakesTheArguments() async throws {
    #expect(try sync { try container.resolve(Probe?.self, arguments: "a") }?.name == "a")
    #expect(try await container.resolve(Probe?.self, arguments: "a", 1)?.name == "a 1")
    #expect(try sync { try container.resolve(Probe?.self, arguments: 1) } == nil)
    #expect(try await container.resolve(Probe?.self, key: "quiet", arguments: "a") == nil)
    #expect(try await container.resolve(Probe?.self, key: "loud", arguments: "a")?.name == "loud a")
  }

  @Test func anArrayHoldsTheRegistrationsThatTakeTheArguments() async throws {
    let sync = try sync { try container.resolve([Probe].self, arguments: "a") }
    #expect(sync.map(\.name) == ["a", "loud a"])
    let async = try await container.resolve([Probe].self, arguments: "a", 2)
    #expect(async.map(\.name) == ["a 2"])
    #expect(try await container.resolve([Probe].self, arguments: 1).isEmpty)
  }

  @Test func aLazyKeepsItsArguments() async throws {
    let lazy = try await container.resolve(Lazy<Probe>.self, arguments: "a")
    let probe = try await lazy()
    #expect(probe.name == "a")
    #expect(try lazy.synchronously() === probe)
    let keyed = try await container.resolve(Lazy<Probe>.self, key: "loud", arguments: "b")
    #expect(try keyed.synchronously().name == "loud b")
    let suspending = try await container.resolve(Lazy<Probe>.self, arguments: "a", 3)
    #expect(throws: ResolutionError.self) { try suspending.synchronously() }
    #expect(try await suspending().name == "a 3")
  }

  @Test func aProviderPassesItsArgumentsAtEachCall() async throws {
    let provider = try await container.resolve(Provider<Probe>.self, arguments: "a")
    let probe = try provider.synchronously()
    #expect(probe.name == "a")
    #expect(try await provider() !== probe)
    #expect(try await provider("b", 4).name == "b 4")
    let keyed = try await container.resolve(Provider<Probe>.self, key: "loud", arguments: "a")
    #expect(try keyed.synchronously().name == "loud a")
  }

  @Test func unmatchedArgumentsThrowAnArgumentMismatch() async throws {
    let lazy = try await container.resolve(Lazy<Probe>.self, arguments: 1.5)
    let error = await #expect(throws: ResolutionError.self) { try await lazy() }
    #expect(error?.code == .argumentMismatch)
  }

  @Test func optionalsAndProvidersCanHoldNonSendableServices() throws {
    final class Draft {
      let text: String
      init(_ text: String) { self.text = text }
    }
    let container = Container { Registration(Draft.self) { (_, text: String) in Draft(text) } }
    #expect(try container.resolve(Draft?.self, arguments: "x")?.text == "x")
    #expect(try container.resolve(Provider<Draft>.self, arguments: "y")().text == "y")
  }
}
