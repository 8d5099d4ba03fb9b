import ActorDI
import ActorDITestSupport
import ActorDITesting
import Observation
import Testing

// The names are unique in this target: an article shows them without access modifiers.

// snippet: factory services
struct Config: Sendable { let host = "api.example.com" }

protocol API: AnyObject, Sendable { var host: String { get } }
final class WebAPI: API {
  let host: String
  init(_ config: Config) { host = config.host }
}

final class Album: Sendable {
  let api: any API
  init(_ api: any API) { self.api = api }
}
final class Account: Sendable {
  init(_ api: any API) {}
}
final class ImageCache: Sendable {}

final class Batch: Sendable {
  init(_ album: Album) {}
}
struct Sync: Sendable {
  let uploads, downloads: Batch
  init(_ uploads: Batch, _ downloads: Batch) {
    (self.uploads, self.downloads) = (uploads, downloads)
  }
}
struct Photo: Sendable {
  let id: Int
  init(_ id: Int, _ api: any API) { self.id = id }
}
// end

// snippet: factory tokens
extension Scope {
  static let session = Scope.managed(by: ManagedScope("session"))
}

extension ServiceKey {
  static var config: ServiceKey<Config> {
    .init("config") { Registration(scope: .singleton) { _ in Config() } }
  }
  static var api: ServiceKey<any API> {
    .init("api") { Registration(scope: .singleton) { WebAPI(try $0.resolve(.config)) } }
  }
  static var album: ServiceKey<Album> {
    .init("album") { Registration(scope: .singleton) { Album(try $0.resolve(.api)) } }
  }
  static var images: ServiceKey<ImageCache> {
    .init("images") { Registration(scope: .shared) { _ in ImageCache() } }
  }
  static var account: ServiceKey<Account> {
    .init("account") { Registration(scope: .session) { Account(try $0.resolve(.api)) } }
  }
  static var batch: ServiceKey<Batch> {
    .init("batch") { Registration(scope: .graph) { Batch(try $0.resolve(.album)) } }
  }
  static var sync: ServiceKey<Sync> {
    .init("sync") { Registration { try Sync($0.resolve(.batch), $0.resolve(.batch)) } }
  }
  static var photo: ServiceKey<Photo> {
    .init("photo") { Registration { (r, id: Int) in Photo(id, try r.resolve(.api)) } }
  }
}
// end

// snippet: factory per parameter
extension ServiceKey {
  static var thumbnail: ServiceKey<Photo> {
    .init("thumbnail") {
      Registration(scope: .singleton) { (r, id: Int) in Photo(id, try r.resolve(.api)) }
        .perArguments()
    }
  }
}
// end

// snippet: factory model
@MainActor @Observable final class AlbumModel {
  @ObservationIgnored @Injected(.album) var album
  var title = "Photos"
}

extension ServiceKey {
  static var albumModel: ServiceKey<AlbumModel> {
    .init("albumModel") { Registration { @MainActor _ in AlbumModel() } }
  }
}
// end

// snippet: factory weak
@MainActor final class Slideshow {
  var picture = 0
}
@MainActor final class SlideshowButton {
  var slideshow: Slideshow? { Container.current.resolveIfReady(.slideshow) }
}

extension ServiceKey {
  static var slideshow: ServiceKey<Slideshow> {
    .init("slideshow") { Registration(scope: .shared) { @MainActor _ in Slideshow() } }
  }
}
// end

// snippet: factory injected
@MainActor final class Viewer {
  @Injected(.album) var album
  @Injected(.account) var account
}
final class Downloader: Sendable {
  let album = Injected(.album)
  func host() throws -> String { try album().api.host }
}
// end

// snippet: factory dynamic
struct Upload {
  var sync: Sync { get throws { try Container.current.resolve(.sync) } }
}
// end

/// The first half of the article on Factory: services, scopes and injection.
@Suite("Coming from Factory")
struct ComingFromFactory {
  @Test func resolving() async throws {
    let container = Container(name: "app")
    // snippet: factory resolving
    let album = try await container.resolve(.album)
    let photo = try await container.resolve(.photo, arguments: 7)
    // end
    #expect(album.api.host == "api.example.com" && photo.id == 7)
    func synchronously() throws {
      // snippet: factory resolving synchronously
      let same = try container.resolve(.album)
      // end
      #expect(same === album)
    }
    try synchronously()
  }

  @Test func scopes() async throws {
    let container = Container()
    #expect(try await container.resolve(.album) === (try await container.resolve(.album)))
    let (first, second) = (try await container.resolve(.sync), try await container.resolve(.sync))
    #expect(first.uploads === first.downloads && first.uploads !== second.uploads)
    let images = try await container.resolve(.images)
    #expect(try await container.resolve(.images) === images)
    let scopes = container.registrations.map { ("\($0.key ?? "")", $0.scope) }
    #expect(scopes.contains { $0 == ("images", .shared) } && scopes.contains { $0 == ("batch", .graph) })
    let lifetime = ObjectLifetime()
    let weak = ServiceKey<ObjectLifetime.Token>("weak") { Registration(scope: .shared) { _ in lifetime.token() } }
    do {
      let token = try await container.resolve(weak)
      #expect(try await container.resolve(weak) === token)
    }
    await lifetime.ended.wait()
  }

  @Test func aSingletonBelongsToItsContainer() async throws {
    let (one, other) = (Container(), Container())
    #expect(try await one.resolve(.album) !== (try await other.resolve(.album)))
    let child = one.makeChild()
    #expect(try await one.resolve(.album) === (try await child.resolve(.album)))
  }

  @Test func byType() async throws {
    // snippet: factory by type
    let container = Container {
      Config()
      Registration(autowired: (any API).self, scope: .singleton, initializer: WebAPI.init)
      Registration(autowired: Album.self, scope: .singleton, initializer: Album.init)
      Registration(autowired: ImageCache.self, scope: .shared, initializer: ImageCache.init)
      Registration(autowired: Account.self, scope: .session, initializer: Account.init)
      Registration(autowired: Batch.self, scope: .graph, initializer: Batch.init)
      Registration(autowired: Sync.self, initializer: Sync.init)
      Registration(autowired: Photo.self, arguments: Int.self, initializer: Photo.init)
    }
    // end
    #expect(try await container.validate().opaque.isEmpty)
    let sync = try await container.resolve(Sync.self)
    #expect(sync.uploads === sync.downloads)
    #expect(try await container.resolve(Photo.self, arguments: 3).id == 3)
    _ = try await (container.resolve(Account.self), container.resolve(ImageCache.self))
  }

  @Test func parameters() async throws {
    let container = Container()
    #expect(try await container.resolve(.photo, arguments: 1).id == 1)
    #expect(try await container.resolve(.photo, arguments: 2).id == 2)
    let error = try await asyncResolutionError { try await container.resolve(.photo) }
    #expect(error.code == .argumentMismatch)
    #expect(try await container.resolve(.thumbnail, arguments: 1).id == 1)
    #expect(try await container.resolve(.thumbnail, arguments: 2).id == 2)
    // Without perArguments(), the first caller's arguments count, as in Factory.
    let first = ServiceKey<Photo>("first") {
      Registration(scope: .singleton) { (r, id: Int) in Photo(id, try r.resolve(.api)) }
    }
    #expect(try await container.resolve(first, arguments: 1).id == 1)
    #expect(try await container.resolve(first, arguments: 2).id == 1)
  }

  @Test func sessions() async throws {
    let container = Container()
    let (album, account) = try await (container.resolve(.album), container.resolve(.account))
    #expect(try await container.resolve(.account) === account)
    // snippet: factory session
    await container.reset(.session)
    // end
    #expect(try await container.resolve(.account) !== account)
    #expect(try await container.resolve(.album) === album)
  }

  private struct UserID: Hashable, Sendable { let name: String }
  private final class Basket: Sendable {
    let user: UserID
    init(user: UserID) { self.user = user }
  }

  @Test func aSessionForEachUser() async throws {
    let container = Container()
    // snippet: factory sessions by key
    let sessions = container.keyedScopes("session", idleFor: .seconds(600)) { (user: UserID) in
      Registration(instance: user)
      Registration(autowired: Basket.self, scope: .scoped, initializer: Basket.init)
    }
    let basket = try await sessions.withScope(UserID(name: "ada")) { session in
      try await session.resolve(Basket.self)
    }
    // end
    #expect(basket.user.name == "ada")
    let (same, other) = try await (
      sessions.withScope(UserID(name: "ada")) { try await $0.resolve(Basket.self) },
      sessions.withScope(UserID(name: "bob")) { try await $0.resolve(Basket.self) }
    )
    #expect(same === basket && other !== basket)
    try await container.shutdown()
  }

  @Test func aSessionEndsEverywhere() async throws {
    let signedIn = ManagedScope("signed in")
    let token = ServiceKey<Account>("signed in") {
      Registration(scope: .managed(by: signedIn)) { Account(try $0.resolve(.api)) }
    }
    let containers = (Container(), Container())
    let before = try await (containers.0.resolve(token), containers.1.resolve(token))
    await signedIn.invalidate()
    #expect(try await containers.0.resolve(token) !== before.0)
    #expect(try await containers.1.resolve(token) !== before.1)
  }

  @Test func resets() async throws {
    let container = Container()
    var album = try await container.resolve(.album)
    func isNew() async throws -> Bool {
      let now = try await container.resolve(.album)
      defer { album = now }
      return now !== album
    }
    // snippet: factory resets
    await container.reset(.album)
    // end
    #expect(try await isNew())
    await container.reset(.session)
    #expect(try await !isNew())
    await container.reset(.singleton)
    #expect(try await isNew())
    await container.reset()
    #expect(try await isNew())
    await container.clear()
    #expect(container.registrationCount == 0)
    #expect(try await isNew())
  }

  @Test func aTimeToLiveCountsFromTheBuild() async throws {
    let clock = ManualClock()
    let token = ServiceKey<Album>("fresh") {
      Registration(scope: .singleton) { Album(try $0.resolve(.api)) }.timeToLive(.seconds(60))
    }
    let container = Container(configuration: .init(clock: clock))
    let album = try await container.resolve(token)
    clock.advance(by: .seconds(40))
    #expect(try await container.resolve(token) === album)
    clock.advance(by: .seconds(40))
    #expect(try await container.resolve(token) !== album)
  }

  // MARK: Injection

  @MainActor @Test func injectedProperties() async throws {
    let container = Container()
    try await container.withCurrent { () async throws in
      let viewer = Viewer()
      #expect(!viewer.$album.isLoaded)
      #expect(viewer.album.api.host == "api.example.com")
      #expect(viewer.album === (try await container.resolve(.album)))
      #expect(try Downloader().host() == "api.example.com")
      await container.reset(.album)
      try await viewer.$album.reload()
      #expect(viewer.album === (try await container.resolve(.album)))
    }
  }

  @Test func propertiesThatResolveEachTime() async throws {
    let (one, other) = (Container(), Container())
    let upload = Upload()
    let first = try one.withCurrent { () throws in try upload.sync }
    let second = try one.withCurrent { () throws in try upload.sync }
    #expect(first.uploads !== second.uploads)
    _ = try other.withCurrent { () throws in try upload.sync }
    #expect(other.resolveIfReady(.album) != nil)
  }

  @MainActor @Test func weakReferences() async throws {
    let container = Container()
    try await container.withCurrent { () async throws in
      let button = SlideshowButton()
      #expect(button.slideshow == nil)
      var slideshow: Slideshow? = try await container.resolve(.slideshow)
      #expect(button.slideshow === slideshow && slideshow != nil)
      slideshow = nil
      #expect(button.slideshow == nil)
    }
  }

  @MainActor @Test func observableModels() async throws {
    let container = Container()
    try await container.withCurrent { () async throws in
      var model: AlbumModel?
      model = try await Container.current.resolve(.albumModel)
      #expect(model?.title == "Photos" && model?.album.api.host == "api.example.com")
    }
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  extension ComingFromFactory {
    // snippet: factory view
    struct AlbumView: View {
      @State private var model: AlbumModel?

      var body: some View {
        if let model {
          Text(model.title)
        } else {
          ProgressView().task { model = try? await Container.current.resolve(.albumModel) }
        }
      }
    }
    // end
  }
#endif
