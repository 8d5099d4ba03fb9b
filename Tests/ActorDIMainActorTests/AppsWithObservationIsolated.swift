import ActorDI
import Observation
import Testing

@Observable final class NoteList {  // isolated to the main actor
  private(set) var notes: [String] = []
  private let store: any NoteStore

  init(store: any NoteStore) { self.store = store }
  func load() async throws { notes = try await store.all() }
}

// snippet: apps default isolation
nonisolated protocol NoteStore: Sendable {
  func all() async throws -> [String]
}

nonisolated struct AppServices: Module {
  var registrations: Registrations {
    Registration(autowired: (any NoteStore).self, scope: .singleton) { MemoryNotes() }
    Registration(autowired: NoteList.self, scope: .singleton, initializer: NoteList.init)
    Registration(NoteList.self) { @MainActor r in NoteList(store: try r.resolve()) }
      .key("another")
  }
}
// end

private nonisolated struct MemoryNotes: NoteStore {
  func all() -> [String] { ["Buy tea"] }
}

/// What the article "Apps with SwiftUI and Observation" shows of targets with default main-actor isolation.
@Suite("Apps with default isolation")
struct AppsWithDefaultIsolation {
  @Test func resolving() async throws {
    let container = Container(name: "app") { AppServices() }
    func list() throws -> NoteList { try container.resolve() }  // synchronous, on the main actor
    let first = try list()
    try await first.load()
    #expect(first.notes == ["Buy tea"])
    #expect(try list() === first)
    #expect(try await container.resolve(NoteList.self, key: "another") !== first)
  }
}
