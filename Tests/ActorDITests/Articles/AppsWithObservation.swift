import ActorDI
import ActorDITestSupport
import Observation
import Testing

private actor MemoryStore: NoteStore {
  private var notes: [String]
  init(_ notes: [String] = []) { self.notes = notes }
  func all() -> [String] { notes }
  func add(_ note: String) { notes.append(note) }
}

private actor DiskStore: NoteStore {
  init(path: String) async throws { await Task.yield() }
  private var notes = ["Call Ada"]
  func all() -> [String] { notes }
  func add(_ note: String) { notes.append(note) }
}

@MainActor private final class Theme {
  let colour: String
  init(settings: AppsWithObservation.Settings) { colour = settings.colour }
}

private typealias NoteStore = AppsWithObservation.NoteStore
private typealias AppServices = AppsWithObservation.AppServices

// snippet: apps preview
extension Container {
  static func preview() -> Container {
    Container(name: "preview") {
      AppServices()
      Registration(autowired: (any NoteStore).self, scope: .singleton) {
        MemoryStore(["Buy tea", "Call Ada"])
      }
    }
  }
}
// end

/// What the article "Apps with SwiftUI and Observation" shows.
@Suite("Apps with Observation", .timeLimit(.minutes(5)))
@MainActor
struct AppsWithObservation {
  // snippet: apps models
  protocol NoteStore: Sendable {
    func all() async throws -> [String]
    func add(_ note: String) async throws
  }

  @MainActor @Observable final class NoteList {
    private(set) var notes: [String] = []
    private let store: any NoteStore

    init(store: any NoteStore) { self.store = store }
    func load() async throws { notes = try await store.all() }
  }

  @MainActor @Observable final class Editor {
    var text = ""
    let title: String
    private let list: NoteList

    init(title: String, list: NoteList) { (self.title, self.list) = (title, list) }
    var heading: String { "\(title), one of \(list.notes.count)" }
  }
  // end

  // snippet: apps services
  struct AppServices: Module {
    var registrations: Registrations {
      Registration(autowired: (any NoteStore).self, scope: .singleton) {
        try await DiskStore(path: "notes.db")
      }
      .eager()
      Registration(autowired: NoteList.self, scope: .singleton, initializer: NoteList.init)
      Registration(Editor.self, scope: .shared) { @MainActor (r, title: String) in
        Editor(title: title, list: try r.resolve())
      }
      .perArguments()
      .dependsOn(NoteList.self)
    }
  }
  // end

  @Test func modelsAreResolved() async throws {
    let container = Container(name: "app") { AppServices() }
    try await container.start()  // builds the eager services
    let list = try await container.resolve(NoteList.self)
    try await list.load()
    @MainActor func editor(of title: String) throws -> Editor {
      try container.resolve(Editor.self, arguments: title)
    }
    let first = try editor(of: "Call Ada")
    #expect(try editor(of: "Call Ada") === first)
    #expect(try editor(of: "Buy tea") !== first)
    let changed = Shelf(false)
    let heading = withObservationTracking {
      first.heading
    } onChange: {
      changed.value = true
    }
    #expect(heading == "Call Ada, one of 1")
    try await container.resolve((any NoteStore).self).add("Buy tea")
    try await list.load()
    #expect(changed.value)
    #expect(try await container.validate().opaque.isEmpty)
    // An assignment to an optional resolves the optional.
    var optional: NoteList?
    optional = try await Container().resolve()
    #expect(optional == nil)
  }

  @Test func factoryForms() async throws {
    let container = Container {
      Registration(instance: MemoryStore(["Buy tea"]))
      Registration((any NoteStore).self) { r in try r.resolve(MemoryStore.self) }
      Registration(autowired: String.self) { "Buy tea" }
      Registration(autowired: NoteList.self, scope: .singleton, initializer: NoteList.init)
      Registration(Editor.self) { @MainActor r in Editor(title: "New", list: try r.resolve()) }
      Registration(NoteList.self) { @MainActor r async throws in
        let list = NoteList(store: try await r.resolve())
        try await list.load()
        return list
      }.key("loaded")
    }
    #expect(try await container.resolve(NoteList.self, key: "loaded").notes == ["Buy tea"])
    #expect(try await container.resolve(Editor.self).title == "New")
    let early = Container(name: "app") { AppServices() }
    let error = await #expect(throws: ResolutionError.self) {
      try await early.resolve(Editor.self, arguments: "Call Ada")  // before start()
    }
    #expect(error?.code == .asyncRequired)
    #expect(try await early.resolve(NoteList.self).notes.isEmpty)
  }

  @Test func injectedProperties() async throws {
    let container = Container(name: "app") { AppServices() }
    try await container.start()
    let activation = container.activate()
    defer { activation.cancel() }
    let model = SearchModel()
    #expect(try await model.matches() == ["Call Ada"])
    let changed = Shelf(false)
    let count = withObservationTracking {
      model.list.notes.count
    } onChange: {
      changed.value = true
    }
    try await model.list.load()
    #expect(count == 0 && changed.value)
  }

  // snippet: apps injected
  @MainActor @Observable final class SearchModel {
    @ObservationIgnored @Injected var list: NoteList
    let store = Injected<any NoteStore>()
    var pattern = "Ada"

    func matches() async throws -> [String] {
      try await store().all().filter { $0.contains(pattern) }
    }
  }
  // end

  @Test func previews() async throws {
    func synchronously() throws -> NoteList { try Container.preview().resolve() }
    let list = try synchronously()
    try await list.load()
    #expect(list.notes.count == 2)
    let app = Container(name: "app") { AppServices() }
    try await app.start()
    let child = app.makeChild { Registration(autowired: (any NoteStore).self) { MemoryStore() } }
    #expect(try await child.resolve(NoteList.self) === (try await app.resolve(NoteList.self)), "not with the fake")
  }

  struct User: Sendable { let name: String }

  @MainActor @Observable final class Draft {
    let user: User
    var text = ""
    init(user: User) { self.user = user }
  }

  // snippet: apps session
  @MainActor @Observable final class Session {
    private let app: Container
    private(set) var user: Container?  // nil while no user is signed in

    init(app: Container) { self.app = app }

    func signIn(_ name: String) {
      user = app.makeChild(name: "user") { Registration(instance: User(name: name)) }
    }

    func signOut() async throws {
      let ended = user
      user = nil
      try await ended?.shutdown(timeout: .seconds(5))
    }
  }
  // end

  @Test func sessions() async throws {
    let saved = Journal<String>()
    let app = Container(name: "app") {
      Registration(autowired: Session.self, scope: .singleton, initializer: Session.init)
      // snippet: apps session services
      Registration(autowired: Draft.self, scope: .scoped("user"), initializer: Draft.init)
        .onDispose { @MainActor draft in saved.note(draft.text) }
      // end
    }
    let session = try await app.resolve(Session.self)
    session.signIn("Ada")
    let user = try #require(session.user)
    let draft = try await user.resolve(Draft.self)
    draft.text = "Dear Bob"
    try await session.signOut()
    #expect(saved.entries == ["Dear Bob"])
    #expect(draft.user.name == "Ada" && session.user == nil)
    session.signIn("Bob")
    #expect(try await session.user?.resolve(Draft.self).user.name == "Bob")
  }

  @Test func owned() async throws {
    let saved = Journal<String>()
    let container = Container {
      Registration(instance: User(name: "Ada"))
      Registration(autowired: Draft.self, scope: .scoped, initializer: Draft.init)
        .onDispose { @MainActor draft in saved.note(draft.text) }
    }
    let draft = try await container.resolve(Owned<Draft>.self)
    draft.value.text = "Dear Bob"
    await draft.dispose()  // when its window closes
    #expect(saved.entries == ["Dear Bob"])
  }

  @Test func managed() async throws {
    let signedIn = ManagedScope("signed in")
    let container = Container {
      Registration(autowired: NoteList.self, scope: .managed(by: signedIn)) { @MainActor in
        NoteList(store: MemoryStore())
      }
    }
    let first = try await container.resolve(NoteList.self)
    await signedIn.invalidate()
    let second = try await container.resolve(NoteList.self)
    #expect(first !== second)
  }

  @MainActor @Observable final class Settings { var colour = "blue" }

  @Test func resolvingIsTracked() async throws {
    let container = Container {
      Registration(autowired: Settings.self, scope: .singleton, initializer: Settings.init)
      Registration(autowired: Theme.self, initializer: Theme.init)
    }
    let settings = try await container.resolve(Settings.self)
    @MainActor func body() throws -> String { try container.resolve(Theme.self).colour }

    let isRedrawn = Shelf(false)
    _ = withObservationTracking {
      try? body()  // runs the factory of Theme, which reads settings.colour
    } onChange: {
      isRedrawn.value = true
    }
    settings.colour = "red"
    #expect(isRedrawn.value)
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  extension AppsWithObservation {
    // snippet: apps app
    struct NotesApp: App {  // with @main
      private let container = Container(name: "app") { AppServices() }

      var body: some Scene {
        WindowGroup {
          RootView(container: container)
            .environment(\.container, container)
        }
      }
    }

    struct RootView: View {
      let container: Container
      @State private var list: NoteList?
      @State private var failure: String?

      var body: some View {
        if let list {
          NoteListView(list: list)
        } else {
          Text(failure ?? "Loading")
            .task {
              do {
                try await container.start()
                list = try await container.resolve(NoteList.self)
              } catch {
                failure = "\(error)"
              }
            }
        }
      }
    }
    // end

    // snippet: apps views
    struct NoteListView: View {
      let list: NoteList
      @Environment(\.container) private var container
      @State private var editor: Editor?

      var body: some View {
        List(list.notes, id: \.self) { title in
          Button(title) { editor = try? container.resolve(Editor.self, arguments: title) }
        }
        if let editor { EditorView(editor: editor) }
      }
    }
    // end

    struct EditorView: View {
      @Bindable var editor: Editor

      var body: some View {
        TextField(editor.heading, text: $editor.text)
      }
    }
  }

  extension EnvironmentValues {
    @Entry var container = Container.root
  }
#endif
