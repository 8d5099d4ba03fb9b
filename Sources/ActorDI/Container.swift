public import Synchronization

/// Holds registrations, and makes and keeps what they describe.
///
/// ```swift
/// let container = Container {
///   Registration((any Clock).self, scope: .singleton) { _ in SystemClock() }
///   Registration((any Database).self, scope: .singleton) { r in
///     try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
///   }
///   Registration(autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
/// }
///
/// let store = try await container.resolve((any UserStore).self)   // from any task
/// let clock = try container.resolve((any Clock).self)             // from synchronous code
/// try await container.register(Mailer.self) { _ in Mailer() }     // the registry is an actor
/// ```
///
/// # A tour
///
/// - *Registering* is isolated to the actor: each call takes effect as a whole or not at all, and is visible to every
///   thread when it returns. ``register(_:)-(()->Registrations)``, ``unregister(_:)-(Service.Type)``, ``reset(_:)-(Scope?)``.
/// - *Resolving* is not isolated, and never waits for the actor: it reads an immutable snapshot of the registry. Its forms
///   are those of ``Resolving``, which a factory's ``Resolver`` shares.
/// - *Keeping* is a matter of ``Scope``. A kept instance is built once, however many ask for it at the same time.
/// - A container finds in its *links* and its *parent* what it does not have itself: ``link(_:)``.
///
/// Where is what: registrations and the registry in `Registration/`, the lock-free reads in `ReadPath/`, building once in
/// `Once/`, what keeping means in `Scopes/`, the way from one to the other in `Resolution/`.
public actor Container {
  /// The container's name, for messages.
  public nonisolated var name: String { unsafe opening.name }

  /// Where to look for what is not registered here.
  public nonisolated var parent: Container? { unsafe opening.parent }

  /// How the container behaves where a registration does not say.
  public nonisolated var configuration: Configuration { settings.configuration }

  /// The configuration, which a scope shares with its parent.
  nonisolated let settings: Settings
  final class Settings: Sendable {
    let configuration: Configuration
    init(_ configuration: Configuration) { self.configuration = configuration }
    var isObserved: Bool { configuration.observerReference != nil }
  }

  /// The address of the published ``Snapshot``: all that a resolve reads of the container.
  @usableFromInline nonisolated let snapshot: Atomic<UInt>

  /// What changes with the registry stands apart from `snapshot`: a reader must not share a cache line with a writer's lock.
  nonisolated let lazyRegistry = LazyReference<RegistryCell>()
  nonisolated let lifecycle: Lifecycle
  nonisolated let lazyFamily = LazyReference<Family>()
  nonisolated let lazyLinks = LazyReference<LinkList>()
  nonisolated let lazyChangeFeed = LazyReference<Feed<RegistryChange>>()
  nonisolated let lazyEventFeed = LazyReference<Feed<ContainerEvent>>()

  /// The container whose registrations this one's take the place of, for an override; nil for all others.
  nonisolated let overridden: Container?

  /// What the container was opened with. It changes where that of a scope is used for the next one, when nobody else has it; see
  /// `ScopeReuse.swift`. So it needs no lock, nor checks of exclusivity.
  @exclusivity(unchecked) nonisolated(unsafe) var opening: Opening
  struct Opening: Sendable {
    var name: String
    var parent: Container?
    /// What the container was made of, for ``rebuild()``.
    var registrations: @Sendable () -> Registrations
  }

  /// Runs the modules of the initial registrations, if there are any.
  nonisolated let loading = Lock<Task<Void, any Error>?>(nil)

  /// Creates a container.
  ///
  /// Nothing is built yet. Since an initialiser of this kind cannot throw, a faulty registration stands, and throws its error
  /// when it is resolved.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - parent: where to look for what is not registered here. It is kept alive.
  ///   - configuration: how the container behaves where a registration does not say.
  ///   - registrations: the initial registrations; see ``RegistrationBuilder``.
  /// - Complexity: O(*n*) in the number of registrations.
  public init(
    name: String = "root", parent: Container? = nil, configuration: Configuration = .init(),
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = {
      Registrations()
    }
  ) {
    unsafe opening = Opening(name: name, parent: parent, registrations: registrations)
    settings = Settings(configuration)
    snapshot = Atomic(SnapshotDraft.empty)
    lifecycle = Lifecycle()
    overridden = nil
    begin()
    if let parent {
      parent.family.add(self)
      // Added first: who closes the parent after this look sees this one.
      if parent.lifecycle.isClosed, lifecycle.beginClosing() {
        closeRegistry()
        lifecycle.finishClosing()
      }
    }
    load(registrations())
  }

  /// Creates a scope, which its parent has to list, and to fill.
  init(scope opening: Opening, of parent: Container) {
    unsafe self.opening = opening
    settings = parent.settings
    snapshot = Atomic(SnapshotDraft.empty)
    lifecycle = Lifecycle(ofScope: true)
    overridden = nil
    begin()
  }

  /// Creates the container of an ``OverrideLayer``: beside the one that is overridden, which does not know of it.
  init(overriding container: Container) {
    unsafe opening = Opening(name: container.name, parent: container, registrations: { Registrations() })
    settings = container.settings
    snapshot = Atomic(SnapshotDraft.empty)
    overridden = container
    lifecycle = Lifecycle()
    begin()
  }

  /// The last step of each initialiser before the container is anybody else's.
  private nonisolated func begin() {
    lifecycle.begin(of: self)
    if settings.isObserved { BuildObservation.count(true) }
  }

  deinit {
    if settings.isObserved { BuildObservation.count(false) }
    empty()
  }

  /// Made when something is registered, or asked of it: most scopes have no registrations of their own.
  nonisolated var registry: RegistryCell { lazyRegistry.load() ?? lazyRegistry.storeIfNil(RegistryCell()) }
}

extension Container: Resolving {
  /// The resolver for calls from outside of any factory.
  public nonisolated var resolver: Resolver {
    @inlinable @inline(__always) get { Resolver(container: self) }
  }
}

extension Container: CustomStringConvertible {
  /// The container's name, marked as such.
  public nonisolated var description: String { "Container \"\(name)\"" }
}
