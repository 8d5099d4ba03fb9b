import ActorDITestSupport
import Observation
import Synchronization
import Testing

@testable import ActorDI

/// The second half of the article on Stitcher.
@Suite("Coming from Stitcher: what changes while a program runs")
struct ComingFromStitcherGraph {
  typealias Clock = ComingFromStitcher.Clock
  typealias Repository = ComingFromStitcher.Repository
  typealias Uploader = ComingFromStitcher.Uploader
  typealias Uploading = ComingFromStitcher.Uploading

  // snippet: stitcher model
  @Observable @MainActor final class Model {
    var isLoggedIn = false {
      didSet { flag.store(isLoggedIn, ordering: .releasing) }
    }
    nonisolated let flag = Atomic(false)
  }
  // end

  @Test @MainActor func invalidation() async throws {
    let model = Model()
    // snippet: stitcher observing
    let container = Container {
      Registration(autowired: Repository.self, scope: .singleton) { Repository() }
      if model.flag.load(ordering: .acquiring) {
        Registration(autowired: Uploader.self, scope: .singleton) { Uploader() }
      }
    }
    let rebuilding = container.rebuild(on: Observations { model.isLoggedIn })
    // end
    let repository = try await container.resolve(Repository.self)
    let changes = container.changes
    #expect(!container.contains(Uploader.self))
    model.isLoggedIn = true
    var iterator = changes.makeAsyncIterator()
    while !container.contains(Uploader.self) { _ = await iterator.next() }
    // What is still there stays as it is.
    #expect(try await container.resolve(Repository.self) === repository)
    // snippet: stitcher stop observing
    rebuilding.cancel()
    // end
    model.flag.store(false, ordering: .releasing)
    // snippet: stitcher rebuild
    try await container.rebuild()
    // end
    #expect(!container.contains(Uploader.self))
  }

  @Test func invalidationByASequence() async throws {
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let count = Counter()
    // snippet: stitcher rebuild on
    let container = Container {
      Registration(Int.self) { [number = count.increment()] _ in number }
    }
    container.rebuild(on: events)
    // end
    source.yield(1)
    await count.wait(for: 2)
    withExtendedLifetime(container) {}
  }

  // MARK: Injecting

  // snippet: stitcher injected
  final class Profile {
    @Injected var repository: Repository
    @Injected(key: "avatars") var uploader: any Uploading
    @Injected(arguments: "banner") var banner: Uploader
    @Injected var clock: Clock?
    @Injected var all: [any Uploading]
  }
  // end

  private static let container = Container {
    Registration(autowired: Repository.self, scope: .singleton) { Repository() }
    Registration(autowired: (any Uploading).self) { Uploader(to: "avatar") }.key("avatars")
    Registration(autowired: (any Uploading).self) { Uploader(to: "feed") }
    Registration(Uploader.self) { (_, target: String) in Uploader(to: target) }
  }

  @Test func injecting() throws {
    let profile = Profile()
    let repository = try Self.container.resolve(Repository.self)
    Container.withCurrent(Self.container) {
      #expect(profile.repository === repository)
      #expect(profile.uploader.target == "avatar")
      #expect(profile.banner.target == "banner")
      #expect(profile.clock == nil)
      #expect(profile.all.map(\.target) == ["avatar", "feed"])
    }
  }

  @Test func manually() async throws {
    let container = Self.container
    let activation = container.activate()
    // snippet: stitcher manually
    let repository = try await Container.current.resolve(Repository.self)
    let uploader = try await Container.current.resolve((any Uploading).self, key: "avatars")
    let banner = try await Container.current.resolve(Uploader.self, arguments: "banner")
    // end
    #expect(try await container.resolve(Repository.self) === repository)
    #expect(uploader.target == "avatar" && banner.target == "banner")
    activation.cancel()
  }

  @Test func reloading() async throws {
    let container = Container {
      Registration(autowired: Uploader.self) { Uploader(to: "one") }
    }
    // snippet: stitcher reload
    @Injected(from: container) var uploader: Uploader
    try await $uploader.loadIfNeeded()
    let first = uploader
    try await $uploader.reload()
    let second = uploader
    $uploader.autoreload()
    // end
    #expect(first !== second)
    #expect(uploader === second)
    try await container.register(Uploader.self) { _ in Uploader(to: "two") }
    #expect(uploader.target == "two")
    // What was found to be missing has been loaded.
    @Injected(from: container) var repository: Repository?
    #expect(repository == nil && $repository.isLoaded)
    try await container.register(Repository.self) { _ in Repository() }
    try await $repository.loadIfNeeded()
    #expect(repository == nil)
    try await $repository.reload()
    #expect(repository != nil)
  }

  @Test func arraysAreInOrderOfRegistration() async throws {
    // snippet: stitcher arrays
    let container = Container {
      Registration(autowired: Uploader.self) { Uploader(to: "one") }.implements((any Uploading).self) { $0 }
      Registration(autowired: (any Uploading).self) { Uploader(to: "two") }.key("named")
      Registration(autowired: Uploader.self) { Uploader(to: "three") }.key(3)
        .implements((any Uploading).self) { $0 }
    }
    let all = try await container.resolve([any Uploading].self)
    // end
    #expect(all.map(\.target) == ["one", "two", "three"])
    #expect(try await container.resolve([Clock].self).isEmpty)
  }

  // snippet: stitcher post-initialization
  actor Tracker: PostInitialization {
    private(set) var events: [String] = []

    func didInitialize() async throws { events.append("started") }
  }
  // end

  @Test func postInstantiation() async throws {
    // snippet: stitcher tracker
    let container = Container {
      Registration(autowired: Tracker.self, scope: .singleton) { Tracker() }.eager()
    }
    try await container.start()
    let tracker = try await container.resolve(Tracker.self)
    // end
    #expect(await tracker.events == ["started"])
  }

  @Test func changes() async throws {
    let container = Container()
    // snippet: stitcher changes
    let changes = container.changes
    try await container.register(Uploader.self) { _ in Uploader() }

    for await change in changes {
      print("\(change.added.count) more, \(change.removed.count) less")
      break
    }
    // end
    #expect(container.registrationCount == 1)
  }

  // snippet: stitcher root and leaf
  final class Root: Sendable {
    let leaf: Leaf
    init(leaf: Leaf) { self.leaf = leaf }
  }
  final class Leaf: Sendable {
    let root: Root
    init(root: Root) { self.root = root }
  }
  // end

  @Test func cycles() async throws {
    // snippet: stitcher cycle
    let container = Container {
      Registration(initializer: Root.init)
      Registration(initializer: Leaf.init)
    }
    var message = ""
    do {
      _ = try await container.resolve(Root.self)
    } catch {
      message = "\(error)"
    }
    // end
    #expect(message.contains("Dependency cycle detected: Root -> Leaf -> Root"))
  }

  @Test func configuration() async throws {
    struct Audit: ContainerObserver {}
    // snippet: stitcher configuration
    let configuration = Container.Configuration(
      defaultScope: .automatic, duplicates: .error, capacity: 200, observer: Audit())
    let container = Container(configuration: configuration)
    // end
    #expect(container.configuration.defaultScope == .automatic)
    #expect(container.configuration.capacity == 200)
    try await container.register(Int.self) { _ in 1 }
    let error = try await asyncResolutionError { try await container.register(Int.self) { _ in 2 } }
    #expect(error.code == .duplicate)
  }
}
