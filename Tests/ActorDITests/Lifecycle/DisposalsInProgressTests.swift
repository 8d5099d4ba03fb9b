import ActorDI
import ActorDITestSupport
import Testing

/// Calls that dispose of instances while others are still being disposed of in the background.
@Suite("Disposals in progress", .timeLimit(.minutes(5)))
struct DisposalsInProgressTests {
  private final class Store: Sendable {}

  private final class Client: Sendable {
    let store: Store
    init(store: Store) { self.store = store }
  }

  private let journal = Journal<String>()

  /// A regression: a failed build disposes of its instance in a task. A start did not wait for it, and disposed of the store first.
  @Test func aFailedStartDisposesOfTheFailedInstanceBeforeItsDependencies() async throws {
    let container = Container {
      store
      failingClient.eager()
    }
    await #expect(throws: Boom.self) { try await container.start() }
    #expect(journal.entries == ["client", "store"])
  }

  /// A regression: a reset disposed of the store although the client of a failed build was still being disposed of.
  @Test func aResetDisposesOfAFailedInstanceBeforeItsDependencies() async throws {
    let container = Container {
      store
      failingClient
    }
    for (round, reset) in [{ await $0.reset() }, { await $0.reset(Store.self) }, { await $0.unregister(Store.self) }]
      .enumerated() as EnumeratedSequence<[@Sendable (Container) async -> Void]>
    {
      await #expect(throws: Boom.self) { try await container.resolve(Client.self) }
      await reset(container)
      #expect(journal.entries.dropFirst(2 * round) == ["client", "store"])
    }
  }

  /// A regression: a reset returned before the instance of a replaced registration was disposed of.
  @Test func aResetWaitsForTheInstanceOfAReplacedRegistration() async throws {
    let container = Container {
      Registration(Store.self, scope: .singleton) { _ in Store() }.onDispose { [journal] (_: Store) async in
        await yieldOften()
        journal.note("store")
      }
    }
    _ = try await container.resolve(Store.self)
    try await container.register { store }
    await container.reset()
    #expect(journal.entries == ["store"])
  }

  @Test func aDisposerThatResetsTheContainerDoesNotWaitForItself() async throws {
    let container = Container {
      for key in 0..<2 {
        Registration(Store.self, scope: .singleton) { _ in Store() }.key(key).onDispose { [journal] (_: Store) async in
          await yieldOften()
          await Shelf.container.value?.reset()
          journal.note("store")
        }
      }
      Registration(Probe.self, scope: .pooled(max: 0)) { _ in Probe() }.onDispose { [journal] (_: Probe) async in
        await Shelf.container.value?.reset()
        journal.note("probe")
      }
    }
    Shelf.container.value = container
    defer { Shelf.container.value = nil }
    // Two disposals in the background, each of which resets the container, and two resets beside them.
    for key in 0..<2 { _ = try await container.resolve(Store.self, key: key) }
    try await container.register { for key in 0..<2 { store.key(key) } }
    let other = Task { await container.reset() }
    await container.reset()
    await other.value
    #expect(journal.entries == ["store", "store"])
    try await container.withScope { scope in _ = try await scope.resolve(Probe.self) }
    #expect(journal.entries == ["store", "store", "probe"])
    try await container.shutdown()
  }

  // MARK: Services

  private var store: Registration<Store> {
    Registration(Store.self, scope: .singleton) { _ in Store() }.onDispose { [journal] _ in journal.note("store") }
  }

  private var failingClient: Registration<Client> {
    Registration(Client.self, scope: .singleton) { r in Client(store: try r.resolve()) }
      .onCreated { _, _ in throw Boom() }
      .onDispose { [journal] (_: Client) async in
        await yieldOften()
        journal.note("client")
      }
  }
}

extension Shelf<Container?> {
  /// The container of a test, for its disposers.
  fileprivate static let container = Shelf<Container?>(nil)
}

private func yieldOften() async { for _ in 0..<1_000 { await Task.yield() } }
