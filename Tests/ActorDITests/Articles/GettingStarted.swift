import ActorDI
import Testing

private typealias NoteStore = GettingStarted.NoteStore

// snippet: start token
extension ServiceKey where Service == any NoteStore {
  static var backup: Self { .init("backup") }
}
// end

/// What the article of this name shows.
@Suite("Getting started", .timeLimit(.minutes(5)))
struct GettingStarted {
  // snippet: start services
  struct AppSettings: Sendable {
    let path: String
  }

  protocol NoteStore: Sendable {
    func add(_ note: String) async throws
    func all() async throws -> [String]
  }

  actor DiskStore: NoteStore {
    private var notes: [String] = []
    init(settings: AppSettings) async throws {}  // opens the file at settings.path
    func add(_ note: String) { notes.append(note) }
    func all() -> [String] { notes }
  }

  final class Notebook: Sendable {
    private let store: any NoteStore
    init(store: any NoteStore) { self.store = store }

    func write(_ note: String) async throws -> Int {
      try await store.add(note)
      return try await store.all().count
    }
  }
  // end

  struct Reminder: Sendable {
    let text: String
    let hour: Int
  }

  actor Draft {
    private let store: any NoteStore
    private var text = ""
    init(store: any NoteStore) { self.store = store }
    func type(_ text: String) { self.text = text }
    func save() async throws { try await store.add(text) }
  }

  struct FullStore: NoteStore {
    func add(_ note: String) {}
    func all() -> [String] { Array(repeating: "note", count: 100) }
  }

  @Test func registeringAndResolving() async throws {
    // snippet: start container
    let container = Container(name: "notes") {
      Registration(instance: AppSettings(path: "notes.db"))
      Registration(
        autowired: (any NoteStore).self, scope: .singleton, initializer: DiskStore.init)
      Registration(autowired: Notebook.self, initializer: Notebook.init)
    }
    // end
    // snippet: start resolving
    let notebook = try await container.resolve(Notebook.self)
    let count = try await notebook.write("Buy tea")
    // end
    #expect(count == 1)
    #expect(try await container.resolve(Notebook.self) !== notebook)
    #expect(try await container.resolve(Notebook.self).write("Drink tea") == 2, "One store")
    #expect(try path(in: container) == "notes.db")
  }

  // snippet: start synchronously
  func path(in container: Container) throws -> String {
    let settings: AppSettings = try container.resolve()
    return settings.path
  }
  // end

  @Test func keysArgumentsAndScopes() async throws {
    let container = Container {
      Registration(instance: AppSettings(path: "notes.db"))
      Registration(autowired: (any NoteStore).self, scope: .singleton, initializer: DiskStore.init)
      // snippet: start factory
      Registration((any NoteStore).self, scope: .singleton) { r in
        let settings = try await r.resolve(AppSettings.self)
        return try await DiskStore(settings: AppSettings(path: settings.path + ".backup"))
      }
      .key("backup")
      .dependsOn(AppSettings.self)
      // end
      // snippet: start argument factory
      Registration(Reminder.self) { (_, text: String, hour: Int) in
        Reminder(text: text, hour: hour)
      }
      .dependsOn()
      // end
      // snippet: start scoped registration
      Registration(autowired: Draft.self, scope: .scoped("editing"), initializer: Draft.init)
        .onDispose { draft, outcome in
          if case .completed = outcome { try await draft.save() }
        }
      // end
    }
    // snippet: start keyed
    let backup = try await container.resolve((any NoteStore).self, key: "backup")
    // end
    // snippet: start by token
    let sameBackup = try await container.resolve(.backup)
    // end
    #expect(backup as? DiskStore === sameBackup as? DiskStore)
    let store = try await container.resolve((any NoteStore).self)
    #expect(store as? DiskStore !== backup as? DiskStore)
    // snippet: start arguments
    let reminder = try await container.resolve(Reminder.self, arguments: "Drink tea", 17)
    // end
    #expect(reminder.text == "Drink tea" && reminder.hour == 17)
    // snippet: start scope
    try await container.withScope("editing") { editing in
      let draft = try await editing.resolve(Draft.self)
      await draft.type("Call Ada")
    }
    // end
    #expect(try await store.all() == ["Call Ada"])
    struct Crash: Error {}
    await #expect(throws: Crash.self) {
      try await container.withScope("editing") { editing in
        try await editing.resolve(Draft.self).type("Lost")
        throw Crash()
      }
    }
    #expect(try await store.all() == ["Call Ada"])
    #expect(try await container.validate().opaque.isEmpty)
  }

  // snippet: start whole
  func makeContainer() -> Container {
    Container(name: "notes") {
      Registration(instance: AppSettings(path: "notes.db"))
      Registration(
        autowired: (any NoteStore).self, scope: .singleton, initializer: DiskStore.init)
      Registration(autowired: Notebook.self, initializer: Notebook.init)
      Registration(Reminder.self) { (_, text: String, hour: Int) in
        Reminder(text: text, hour: hour)
      }
      .dependsOn()
      Registration(autowired: Draft.self, scope: .scoped("editing"), initializer: Draft.init)
        .onDispose { draft, outcome in
          if case .completed = outcome { try await draft.save() }
        }
    }
  }

  func run() async throws {
    let container = makeContainer()
    try await container.start()
    let notebook = try await container.resolve(Notebook.self)
    _ = try await notebook.write("Buy tea")
    try await container.shutdown(timeout: .seconds(10))
  }
  // end

  @Test func theWholeProgramRuns() async throws { try await run() }

  // snippet: start overrides
  @Test func writingCountsNotes() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration((any NoteStore).self) { _ in FullStore() }
    } operation: { () async throws in
      let notebook = try await container.resolve(Notebook.self)
      #expect(try await notebook.write("Buy tea") == 100)
    }
  }
  // end

  // snippet: start validation
  @Test func everythingCanBeBuilt() throws {
    let report = try makeContainer().validate()
    #expect(report.opaque.isEmpty)
  }
  // end
}
