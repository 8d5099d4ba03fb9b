import ActorDITestSupport
import Observation
import Synchronization
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Coming from Stitcher")
struct ComingFromStitcher {
  // snippet: stitcher services
  protocol Uploading: Sendable { var target: String { get } }
  final class Uploader: Uploading {
    let target: String
    init(to target: String = "main") { self.target = target }
  }
  final class Repository: Sendable {
    let cache: String
    init(cachedBy cache: String = "memory") { self.cache = cache }
  }
  struct Clock: Sendable { var now = 12 }
  // end

  @Test(arguments: [true, false])
  func declarativeContainers(isLoggedIn: Bool) async throws {
    let canUpload = isLoggedIn
    // snippet: stitcher container
    let container = Container(configuration: .init(defaultScope: .automatic)) {
      Clock()
      Registration(autowired: Repository.self) { Repository() }
      if isLoggedIn {
        Registration(autowired: String.self) { "logged in" }
      }
      RegistrationGroup(enabled: canUpload) {
        Registration(autowired: Uploader.self) { Uploader() }
      }
    }
    // end
    #expect(try await container.resolve(Clock.self).now == 12)
    #expect(container.contains(String.self) == isLoggedIn)
    #expect(container.contains(Uploader.self) == isLoggedIn)
  }

  @Test func autoclosuresAreEvaluatedWhenResolved() async throws {
    let counter = Counter()
    @Sendable func clock() -> Clock { Clock(now: counter.increment()) }
    // snippet: stitcher autoclosure
    let container = Container {
      clock()
      Registration(autowired: (any Sendable).self) { clock() }
    }
    // end
    #expect(counter.count == 0)
    #expect(try await container.resolve(Clock.self).now == 1)
    #expect(try await container.resolve((any Sendable).self) is Clock)
  }

  @Test func parameters() async throws {
    // snippet: stitcher parameters
    let container = Container {
      Registration(Repository.self) { (_, cache: String) in Repository(cachedBy: cache) }
    }
    let repository = try await container.resolve(Repository.self, arguments: "disk")
    // end
    #expect(repository.cache == "disk")
  }

  @Test func names() async throws {
    // snippet: stitcher names
    let container = Container {
      Registration(autowired: (any Uploading).self) { Uploader(to: "avatar") }.key("avatars")
    }
    let uploader = try await container.resolve((any Uploading).self, key: "avatars")
    // end
    #expect(uploader.target == "avatar")
    // A name does not stand for itself: the type belongs to it.
    #expect(!container.contains(Uploader.self, key: "avatars"))
  }

  // snippet: stitcher associated value
  enum UploadLocation: Hashable { case avatar, banner(Int) }
  // end

  @Test func associatedValues() async throws {
    // snippet: stitcher associated values
    let container = Container {
      Registration(autowired: (any Uploading).self) { Uploader(to: "avatar") }.key(UploadLocation.avatar)
      Registration(autowired: (any Uploading).self) { Uploader(to: "banner") }.key(UploadLocation.banner(2))
    }
    let uploader = try await container.resolve((any Uploading).self, key: UploadLocation.banner(2))
    // end
    #expect(uploader.target == "banner")
  }

  @Test func relatedTypes() async throws {
    // snippet: stitcher related types
    let container = Container {
      Registration(autowired: Uploader.self, scope: .singleton) { Uploader() }
        .implements((any Uploading).self) { $0 }
    }
    let uploader = try await container.resolve((any Uploading).self)
    // end
    #expect(try await container.resolve(Uploader.self) === uploader as? Uploader)
  }

  // snippet: stitcher module
  struct RepositoryDependency: Module {
    static let name = "repository"
    var cache = "disk"

    var registrations: Registrations {
      Registration(Repository.self, scope: .singleton) { [cache] _ in Repository(cachedBy: cache) }
        .key(Self.name).eager()
    }
  }
  // end

  @Test func customRegistrationTypes() async throws {
    // snippet: stitcher custom registration
    let container = Container { RepositoryDependency() }
    let repository = try await container.resolve(Repository.self, key: RepositoryDependency.name)
    // end
    #expect(repository.cache == "disk")
  }

  // MARK: Scopes

  @Test func scopes() async throws {
    // snippet: stitcher scopes
    let container = Container(configuration: .init(defaultScope: .automatic)) {
      Registration(autowired: Repository.self) { Repository() }
      Clock()
      Registration(autowired: Uploader.self) { Uploader() }.scope(.transient)
      Registration(autowired: Uploader.self) { Uploader() }.scope(.shared).key("shared")
      Registration(autowired: Uploader.self) { Uploader() }.scope(.singleton).key("singleton")
    }
    // end
    #expect(container.registrations.map(\.scope) == [.automatic, .automatic, .transient, .shared, .singleton])
    do {
      let repository = try await container.resolve(Repository.self)
      #expect(try await container.resolve(Repository.self) === repository)
    }
    #expect(container.resolveIfReady(Repository.self) == nil)
  }

  @Test func managedScopes() async throws {
    let (principalChanges, principal) = AsyncStream.makeStream(of: String.self)
    // snippet: stitcher managed
    let account = ManagedScope("account", invalidatedBy: principalChanges)
    let container = Container {
      Registration(autowired: Repository.self, scope: .managed(by: account)) { Repository() }
    }
    let repository = try await container.resolve(Repository.self)
    // end
    #expect(try await container.resolve(Repository.self) === repository)
    principal.yield("Ada")
    while try await container.resolve(Repository.self) === repository { await Task.yield() }
    let next = try await container.resolve(Repository.self)
    // snippet: stitcher invalidate
    await account.invalidate()
    // end
    #expect(try await container.resolve(Repository.self) !== next)
  }

  @Test func eagerness() async throws {
    let built = Counter()
    // snippet: stitcher eager
    let container = Container {
      Registration(autowired: Repository.self, scope: .singleton) {
        built.increment()
        return Repository()
      }.eager()
    }
    try await container.start()
    // end
    #expect(built.count == 1)
  }

  // MARK: Several containers

  @Test func merging() async throws {
    // snippet: stitcher merging
    let features = [
      Container(name: "clocks") { Clock() },
      Container(name: "uploads") { Registration(autowired: Uploader.self) { Uploader() } },
    ]
    let container = Container(name: "app")
    for feature in features { container.link(feature) }
    // end
    #expect(try await container.resolve(Clock.self).now == 12)
    #expect(try await container.resolve(Uploader.self).target == "main")
    try await features[0].register(String.self) { _ in "later" }
    #expect(container.contains(String.self))
  }

  @Test func composing() async throws {
    // snippet: stitcher composing
    let clocks = Registrations { Clock() }
    let uploads = Registrations {
      Registration(autowired: Uploader.self) { Uploader() }
    }
    let container = Container {
      clocks
      uploads
    }
    // end
    #expect(container.registrationCount == 2)
  }

  @Test func activation() async throws {
    struct Private: Sendable {}
    let container = Container { Private() }
    // snippet: stitcher activate
    let activation = container.activate()
    // end
    #expect(Container.root.contains(Private.self))
    // snippet: stitcher deactivate
    activation.cancel()
    // end
    #expect(!Container.root.contains(Private.self))
  }

  struct Theme: Sendable { var name = "light" }

  // snippet: stitcher app
  final class App {
    @Dependencies var container = Container { Theme() }
  }
  // end

  @Test func managedContainers() async throws {
    // snippet: stitcher set container
    let app = App()
    let light = try await Container.current.resolve(Theme.self)

    app.$container.setContainer(Container { Theme(name: "dark") })
    let dark = try await Container.current.resolve(Theme.self)
    // end
    #expect(light.name == "light" && dark.name == "dark")
    app.container = Container()
    #expect(!Container.root.contains(Theme.self))
  }
}
