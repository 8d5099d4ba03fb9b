import ActorDI
import Testing

private typealias NoteStore = GettingStarted.NoteStore
private typealias DiskStore = GettingStarted.DiskStore
private typealias AppSettings = GettingStarted.AppSettings

extension ServiceKey where Service == any NoteStore {
  fileprivate static var backup: Self { .init("backup") }
  fileprivate static var drafts: Self {
    Self("drafts") {
      Registration(autowired: (any NoteStore).self, scope: .singleton) { (settings: AppSettings) in
        try await DiskStore(settings: AppSettings(path: settings.path + ".drafts"))
      }
    }
  }
}

extension ScopeName {
  fileprivate static let editing: Self = "editing"
}

/// The parts of the program that the article of this name builds. `.ci/by-url` types in and runs the whole program.
@Suite("Getting started", .timeLimit(.minutes(5)))
struct GettingStarted {
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

  struct PrintingStore: NoteStore {
    let store: any NoteStore
    func add(_ note: String) async throws { try await store.add("adding \(note)") }
    func all() async throws -> [String] { try await store.all() }
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
      // snippet: start autowired closure
      Registration(autowired: (any NoteStore).self, scope: .singleton) { (settings: AppSettings) in
        try await DiskStore(settings: AppSettings(path: settings.path + ".backup"))
      }
      .key("backup")
      // end
      // snippet: start factory
      Registration((any NoteStore).self, scope: .singleton) { r in
        let settings = try await r.resolve(AppSettings.self)
        return try await DiskStore(settings: AppSettings(path: settings.path + ".archive"))
      }
      .key("archive")
      .dependsOn(AppSettings.self)
      // end
      // snippet: start argument registration
      Registration(
        autowired: Reminder.self, arguments: String.self, Int.self, initializer: Reminder.init)
      // end
      // snippet: start scoped registration
      Registration(autowired: Draft.self, scope: .scoped(.editing), initializer: Draft.init)
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
    // snippet: start default
    let drafts = try await container.resolve(.drafts)
    // end
    #expect(backup as? DiskStore === sameBackup as? DiskStore)
    #expect(drafts as? DiskStore !== backup as? DiskStore)
    #expect(try await container.resolve(.drafts) as? DiskStore === drafts as? DiskStore)
    let archive = try await container.resolve((any NoteStore).self, key: "archive")
    #expect(archive as? DiskStore !== backup as? DiskStore)
    let store = try await container.resolve((any NoteStore).self)
    #expect(store as? DiskStore !== backup as? DiskStore)
    // snippet: start arguments
    let reminder = try await container.resolve(Reminder.self, arguments: "Drink tea", 17)
    // end
    #expect(reminder.text == "Drink tea" && reminder.hour == 17)
    // snippet: start scope
    try await container.withScope(.editing) { editing in
      let draft = try await editing.resolve(Draft.self)
      await draft.type("Call Ada")
    }
    // end
    #expect(try await store.all() == ["Call Ada"])
    struct Crash: Error {}
    await #expect(throws: Crash.self) {
      try await container.withScope(.editing) { editing in
        try await editing.resolve(Draft.self).type("Lost")
        throw Crash()
      }
    }
    #expect(try await store.all() == ["Call Ada"])
    #expect(try await container.validate().opaque.isEmpty)
  }

  @Test func decorating() async throws {
    let container = Container {
      Registration(instance: AppSettings(path: "notes.db"))
      // snippet: start decorated
      Registration(
        autowired: (any NoteStore).self, scope: .singleton, initializer: DiskStore.init
      )
      .decorated { _, store in PrintingStore(store: store) }
      // end
      Registration(autowired: Notebook.self, initializer: Notebook.init)
      Registration(autowired: Draft.self, scope: .scoped(.editing), initializer: Draft.init)
        .onDispose { draft in try await draft.save() }
    }
    _ = try await container.resolve(Notebook.self).write("Buy tea")
    try await container.withScope(.editing) { editing in
      try await editing.resolve(Draft.self).type("Call Ada")
    }
    // output: start printed
    let expected = """
      adding Buy tea
      adding Call Ada
      Drink tea at 17
      """
    // end
    let printed = try await container.resolve((any NoteStore).self).all() + ["Drink tea at 17"]
    #expect(printed.joined(separator: "\n") == expected)
  }
}
