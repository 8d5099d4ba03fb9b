import ActorDI
import ActorDITestSupport
import Testing

/// Injected properties that are older than the overrides under which they are read.
@Suite("Injected properties under overrides", .timeLimit(.minutes(5)))
struct InjectedOverrideTests {
  @Test func aLoadedPropertyIsReadFromItsContainer() async throws {
    let app = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    }
    let (beta, maybe) = (Injected<Beta>(), Injected<Beta?>())
    let own = app.withCurrent { [beta.wrappedValue, maybe.wrappedValue] }
    try await app.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () async throws in
      let fake = try await app.resolve(Beta.self)
      #expect(try await beta() === fake && fake !== own[0])
      #expect(maybe.wrappedValue === fake)
    }
    #expect(beta.wrappedValue === own[0] && maybe.wrappedValue === own[1])
  }

  @Test func aPropertyOfAnotherContainerKeepsNothingOfTheOperation() async throws {
    let library = Container { Registration(Probe.self) { _ in Probe("real") } }
    let app = Container { Registration(Root.self) { _ in Root(try library.resolve(Probe.self)) } }
    let root = Injected<Root>(from: app)
    try await library.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () async throws in
      _ = try await root()
    }
    #expect((root.wrappedValue.next as? Probe)?.name == "real")
  }

  @Test func aPropertyOfTheParentKeepsNothingOfAStrictOperationOverItsChild() async throws {
    let app = Container { Registration(Root.self, scope: .singleton) { _ in Root() }.onDispose { _ in } }
    let child = app.makeChild()
    let root = Injected<Root>(from: app)
    try await child.withOverrides(strict: true) {
    } operation: { () async throws in
      _ = try await root()
    }
    #expect(try await root() === app.resolve(Root.self))
  }

  @Test func aPropertyFollowsChangesUnderOverrides() async throws {
    let app = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Probe.self) { _ in Probe("first") }
    }
    let probe = Injected<Probe>(from: app)
    probe.autoreload()
    #expect(probe.wrappedValue.name == "first")
    try await app.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () async throws in
      #expect(probe.wrappedValue.name == "first")
      try await app.register { Registration(Probe.self) { _ in Probe("second") } }
      #expect(probe.wrappedValue.name == "second")
    }
  }
}
