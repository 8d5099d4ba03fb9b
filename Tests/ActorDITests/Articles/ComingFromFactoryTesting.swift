public import ActorDI
import ActorDITestSupport
import ActorDITesting
import Testing

// snippet: factory offline
final class OfflineAPI: API {
  let host = "localhost"
}
// end

// snippet: factory module
public protocol Printing: Sendable {
  func print(_ photo: Int) async throws
}

extension ServiceKey {
  public static var printer: ServiceKey<any Printing> {
    .init("printer") { Registration(scope: .singleton) { _ in LaserPrinter() } }
  }
}

struct LaserPrinter: Printing {
  func print(_ photo: Int) async throws {}
}
// end

// snippet: factory promise
public protocol Analytics: Sendable {
  func note(_ event: String)
}

extension ServiceKey {
  public static var analytics: ServiceKey<any Analytics> { .init("analytics") }
}

final class Shutter {
  @Injected(.analytics) var analytics: (any Analytics)?
  func press() { analytics?.note("pressed") }
}
// end

// snippet: factory auto
struct PhotoServices: Module {
  let arguments: [String]

  var registrations: Registrations {
    Registration(.analytics, scope: .singleton) { _ in ConsoleAnalytics() }
    if arguments.contains("offline") {
      Registration(.api, scope: .singleton) { _ in OfflineAPI() }
    }
    #if DEBUG
      Registration(.printer, scope: .singleton) { _ in ScreenPrinter() }
    #endif
  }
}
// end
struct ConsoleAnalytics: Analytics {
  func note(_ event: String) {}
}
struct ScreenPrinter: Printing {
  func print(_ photo: Int) async throws {}
}

/// The second half of the article on Factory: registrations that change, modules and tests.
@Suite("Coming from Factory: changes, modules and tests")
struct ComingFromFactoryTesting {
  @Test func registering() async throws {
    let container = Container()
    let web = try await container.resolve(.api)
    // snippet: factory register
    try await container.register(
      Registration(.api, scope: .singleton) { _ in OfflineAPI() })
    // end
    #expect(try await container.resolve(.api) is OfflineAPI)
    // snippet: factory unregister
    await container.unregister(.api)
    // end
    let again = try await container.resolve(.api)
    #expect(again is WebAPI && again !== web)
  }

  @Test func aClearedContainerIsRebuilt() async throws {
    let container = Container { Registration(.api, scope: .singleton) { _ in OfflineAPI() } }
    let album = try await container.resolve(.album)
    await container.clear()
    try await container.rebuild()
    let other = try await container.resolve(.album)
    #expect(other !== album && other.api is OfflineAPI)
  }

  @Test func whatWasBuiltBeforeStays() async throws {
    let container = Container()
    let album = try await container.resolve(.album)
    try await container.register(Registration(.api, scope: .singleton) { _ in OfflineAPI() })
    #expect(try await container.resolve(.album) === album)
    await container.reset(.album)
    #expect(try await container.resolve(.album).api is OfflineAPI)
    // A reset removes no registration.
    await container.reset()
    #expect(try await container.resolve(.api) is OfflineAPI)
  }

  @Test func startingUp() async throws {
    // snippet: factory start
    let app = Container(name: "app") {
      PhotoServices(arguments: CommandLine.arguments)
    }
    // end
    #expect(try await app.resolve(.analytics) is ConsoleAnalytics)
    #expect(try await app.resolve(.api) is WebAPI)
    #if DEBUG
      #expect(try await app.resolve(.printer) is ScreenPrinter)
    #else
      #expect(try await app.resolve(.printer) is LaserPrinter)
    #endif
    let offline = Container { PhotoServices(arguments: ["offline"]) }
    #expect(try await offline.resolve(.album).api is OfflineAPI)
    #expect(try await Container().resolve(.printer) is LaserPrinter)
  }

  @Test func defaultScopes() async throws {
    // snippet: factory default scope
    let app = Container(name: "app", configuration: .init(defaultScope: .singleton)) {
      Registration(.analytics) { _ in ConsoleAnalytics() }
    }
    // end
    _ = try await app.resolve(.photo, arguments: 1)
    let scopes = app.registrations.map(\.scope)
    #expect(scopes.count == 4 && scopes.allSatisfy { $0 == .singleton })
  }

  @Test func promises() async throws {
    let container = Container()
    container.withCurrent {
      let shutter = Shutter()
      shutter.press()
      #expect(shutter.analytics == nil)
    }
    let error = try await asyncResolutionError { try await container.resolve(.analytics) }
    #expect(error.code == .notRegistered)
    #expect(!container.contains(.analytics) && container.contains(.printer))
    let app = Container { PhotoServices(arguments: []) }
    // snippet: factory promise kept
    #expect(app.contains(.analytics))
    // end
    app.withCurrent { #expect(Shutter().analytics != nil) }
  }

  @Test func previews() throws {
    // snippet: factory preview
    let preview = Container {
      Registration(.api, scope: .singleton) { _ in OfflineAPI() }
    }
    let album = try preview.resolve(.album)
    // end
    #expect(album.api is OfflineAPI)
  }

  @MainActor @Test func previewsOfModels() throws {
    let container = Container()
    try Container.withCurrent(container) { () throws in
      // snippet: factory preview model
      let model = try Container.current.withOverrides {
        Registration(.api, scope: .singleton) { _ in OfflineAPI() }
      } operation: {
        AlbumModel()
      }
      // end
      #expect(model.album.api is OfflineAPI)
      #expect(try container.resolve(.album).api is WebAPI)
    }
  }

  @Test func cycles() async throws {
    // snippet: factory cycle
    let container = Container {
      Registration(.api, scope: .singleton) { r in
        let album = try r.resolve(.album)  // which needs the API
        return album.api
      }
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(.album) }
    // end
    // output: factory cycle
    let text = """
      Dependency cycle detected: Album["album"] -> any API["api"] -> Album["album"]
      """
    // end
    #expect(error?.code == .cycle)
    #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "")")
  }

  @Test func anInjectedPropertyBreaksACycle() throws {
    final class AlbumAPI: API {
      let album = Injected(.album)
      let host = "album"
    }
    let container = Container {
      Registration(.api, scope: .singleton) { _ in AlbumAPI() }
    }
    try container.withCurrent { () throws in
      let album = try container.resolve(.album)
      let api = try #require(album.api as? AlbumAPI)
      #expect(try api.album() === album)
    }
  }

  // MARK: Tests

  @Test func pushAndPop() async throws {
    let container = Container()
    // snippet: factory push
    await container.push()
    try await container.register(Registration(.api) { _ in OfflineAPI() })
    // …
    await container.pop()
    // end
    #expect(try await container.resolve(.api) is WebAPI)
    // Instances of other registrations are not restored.
    _ = try await container.resolve(.album)
    await container.reset(.album)
    await container.push()
    try await container.register(Registration(.api) { _ in OfflineAPI() })
    #expect(try await container.resolve(.album).api is OfflineAPI)
    await container.pop()
    #expect(try await container.resolve(.album).api is OfflineAPI)
  }

  private static let seen = Journal<Album>()

  @Test(.container(overriding: Container()), arguments: 1...3)
  func eachTestHasItsOwn(_ number: Int) async throws {
    let album = try await Container.current.resolve(.album)
    #expect(!Self.seen.entries.contains { $0 === album })
    Self.seen.note(album)
    // The parent builds its default with its own registrations.
    await Container.current.reset(.album)
    try await Container.current.register(Registration(.api) { _ in OfflineAPI() })
    #expect(try await Container.current.resolve(.album).api is WebAPI)
    #expect(try await Container.current.resolve(.photo, arguments: 1).id == 1)
  }

  @Test func defaultsBelongToTheOutermostContainer() async throws {
    let root = Container()
    let app = Container(parent: root)
    let album = try await app.resolve(.album)
    #expect(try await root.resolve(.album) === album)
    let other = Container()
    #expect(try await other.resolve(.album) !== album)
    let child = Container(parent: other) { Registration(.api) { _ in OfflineAPI() } }
    #expect(try await child.resolve(.album).api is WebAPI)
    // Two containers without a common parent each have their own.
    let linking = Container()
    let linked = Container(name: "linked")
    linking.link(linked)
    let first = try await linking.resolve(.album)
    #expect(try await linked.resolve(.album) !== first)
  }
}

// snippet: factory tests
@Suite(
  .container(overriding: Container()) {
    Registration(.api, scope: .singleton) { _ in OfflineAPI() }
  })
struct AlbumTests {
  @Injected(.album) var album

  @Test func albumsAreOffline() {
    #expect(album.api is OfflineAPI)
  }

  @Test(.container(overriding: Container())) func albumsAreOnline() async throws {
    let album = try await Container.current.resolve(.album)
    #expect(album.api is WebAPI)
  }
}
// end

private let program = Container()

/// Traits of one container add up.
@Suite(
  .container(overriding: program) {
    Registration(.api, scope: .singleton) { _ in OfflineAPI() }
    Registration(.printer, scope: .singleton) { _ in ScreenPrinter() }
  })
struct NestedTraits {
  @Test(.container(overriding: program) { Registration(.api, scope: .singleton) { WebAPI(try $0.resolve(.config)) } })
  func theInnerOneWins() async throws {
    #expect(try await Container.current.resolve(.album).api is WebAPI)
    #expect(try await Container.current.resolve(.printer) is ScreenPrinter)
  }

  @Test func theOuterOneAlone() async throws {
    #expect(try await Container.current.resolve(.album).api is OfflineAPI)
  }
}
