import ActorDI
import Testing

// snippet: existing default isolation
final class Session {  // isolated to the main actor by default
  static let shared = Session()
}

func makeAppContainer() -> Container {
  Container(name: "app") {
    Registration(autowired: Session.self) { @MainActor in Session.shared }
  }
}
// end

/// What the article "Adopting ActorDI in an existing app" shows of targets with default main-actor isolation.
@Suite("Existing apps with default isolation")
struct ExistingAppsWithDefaultIsolation {
  @Test func aSingletonOfTheMainActorIsRegistered() async throws {
    let app = makeAppContainer()
    func synchronously() throws -> Session { try app.resolve() }
    #expect(try synchronously() === Session.shared)
    #expect(try await app.resolve(Session.self) === Session.shared)
  }
}
