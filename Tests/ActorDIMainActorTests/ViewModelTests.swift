import ActorDI
import Observation
import Testing

// This target isolates all declarations to the main actor by default, as an app may.

nonisolated protocol Store: Sendable {
  var titles: [String] { get }
}

nonisolated struct MemoryStore: Store {
  var titles: [String] { ["first", "second"] }
}

/// An observable model.
@Observable
final class Library {
  let store: any Store
  var title = "untitled"
  init(store: any Store) { self.store = store }
}

/// A view model with injected properties of both forms.
@Observable
final class Screen {
  @ObservationIgnored @Injected var library: Library
  let later = Injected<Library>()
  var selection = 0

  var heading: String { "\(library.title) \(selection)" }
  func load() async throws -> [String] { try await later().store.titles }
}

/// An actor that registers services.
actor Loader {
  private let container: Container
  init(_ container: Container) { self.container = container }

  func load() async throws {
    try await container.register {
      Registration((any Store).self, scope: .singleton) { _ in MemoryStore() }
      Registration(Library.self, scope: .singleton) { @MainActor r in Library(store: try r.resolve()) }
    }
  }
}

/// Models isolated to the main actor, and their observation.
@Suite("View models on the main actor", .timeLimit(.minutes(5)))
struct ViewModelTests {
  private func makeContainer() async throws -> Container {
    let container = Container(name: "app")
    let suffix = "of the main actor"
    try await container.register {
      Registration((any Store).self, scope: .singleton) { _ in MemoryStore() }
      Registration(Library.self, scope: .singleton) { @MainActor r in
        let library = Library(store: try r.resolve())
        library.title = suffix
        return library
      }
      Registration(autowired: Screen.self, initializer: Screen.init)
    }
    return container
  }

  @Test func theMainActorCanRegisterItsModels() async throws {
    let container = try await makeContainer()
    let library = try await container.resolve(Library.self)
    #expect(library.title == "of the main actor" && library.store.titles.count == 2)
    let elsewhere = try await Task.detached { try await container.resolve(Library.self) }.value
    #expect(elsewhere === library)
  }

  @Test func anyActorCanRegisterMainActorModels() async throws {
    let container = Container()
    try await Loader(container).load()
    let titles = try await Task.detached { try await container.resolve(Library.self).store.titles }.value
    #expect(titles == ["first", "second"])
  }

  @Test func anObservableTypeCanHaveInjectedProperties() async throws {
    let container = try await makeContainer()
    let activation = container.activate()
    defer { activation.cancel() }
    let screen = try await container.resolve(Screen.self)
    let (changed, library) = (Flag(), screen.library)
    let heading = withObservationTracking {
      screen.heading
    } onChange: {
      changed.raise()
    }
    #expect(heading == "of the main actor 0")
    library.title = "changed"
    #expect(changed.isRaised && screen.heading == "changed 0")
    #expect(try await screen.load() == ["first", "second"])
    #expect(try await screen.later() === library)
  }

  @Test func aScopeDisposesOfItsModelOnTheMainActor() async throws {
    let container = try await makeContainer()
    let heading = try await container.withScope("window") {
      Registration(Library.self, scope: .scoped) { @MainActor r in Library(store: try r.resolve()) }
        .onDispose { @MainActor library, outcome in
          MainActor.assertIsolated()
          if case .completed = outcome { library.title = "closed" }
        }
    } operation: { window in
      let library = try await window.resolve(Library.self)
      library.title = "window"
      return (library, library.title)
    }
    #expect(heading.1 == "window" && heading.0.title == "closed")
  }

  @Test func anOverrideReplacesAModel() async throws {
    let container = try await makeContainer()
    try await container.withOverrides {
      Registration(Library.self, scope: .singleton) { @MainActor _ in
        let library = Library(store: MemoryStore())
        library.title = "overridden"
        return library
      }
    } operation: { () async throws in
      #expect(try await container.resolve(Library.self).title == "overridden")
    }
    #expect(try await container.resolve(Library.self).title == "of the main actor")
  }
}

/// A flag that a nonisolated closure sets.
nonisolated private final class Flag: @unchecked Sendable {
  // `@unchecked Sendable` because it is written and read on the main actor only, where the observed property is set.
  private(set) var isRaised = false
  func raise() { isRaised = true }
}

#if canImport(SwiftUI)
  import SwiftUI

  /// A view that takes its model from a container.
  private struct ScreenView: View {
    @State private var screen: Screen

    init(_ container: Container) throws { screen = try container.resolve() }

    var body: some View { Text(screen.heading) }
  }
#endif
