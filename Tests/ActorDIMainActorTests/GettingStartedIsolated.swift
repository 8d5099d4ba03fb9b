import ActorDI
import Testing

/// What the article "Getting started" shows of targets with default main-actor isolation.
@Suite("Getting started with default isolation")
struct GettingStartedWithDefaultIsolation {
  @Test func namesAndServicesAreNotIsolated() async throws {
    let container = Container {
      Registration(instance: AppSettings(path: "notes.db"))
      Registration(autowired: Editor.self, scope: .scoped(.editing), initializer: Editor.init)
    }
    let path = try await container.withScope(.editing) { editing in try await editing.resolve(Editor.self).path }
    #expect(path == "notes.db")
  }
}

private nonisolated struct Editor {
  let path: String
  init(settings: AppSettings) { path = settings.path }
}

// snippet: start default isolation
nonisolated struct AppSettings: Sendable {
  let path: String
}

nonisolated extension ScopeName {
  static let editing: Self = "editing"
}
// end
