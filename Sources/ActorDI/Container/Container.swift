public import Synchronization

/// A container of registrations, which makes and keeps the instances that they describe.
///
/// ```swift
/// let container = Container {
///   Registration(autowired: (any TimeSource).self, scope: .singleton) { SystemTime() }
///   Registration((any Database).self, scope: .singleton) { r in
///     try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
///   }
///   Registration(
///     autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
/// }
///
/// let store = try await container.resolve((any UserStore).self)  // from any task
/// let time = try container.resolve((any TimeSource).self)  // from synchronous code
/// try await container.register(Mailer.self) { _ in Mailer() }  // the registry is an actor
/// ```
///
/// ## A tour
///
/// - *Registering* is isolated to the actor. Each call takes effect as a whole or not at all, and every thread sees the
///   change when the call returns. See ``register(_:)-(()->Registrations)``, ``unregister(_:)-(Service.Type)`` and
///   ``reset(_:)-(Scope?)``.
/// - *Resolving* is not isolated, and never waits for the actor: it reads an immutable snapshot of the registry.
///   ``Resolving`` declares its forms, which a factory's ``Resolver`` has as well.
/// - *Keeping* depends on the ``Scope``. A kept instance is built once, however many callers request it at the same
///   time.
/// - A container searches its *links* and its *parent* for services that it does not have itself: see ``link(_:)``.
public actor Container {
  // Fields that searches read come first and rarely change, so that readers share no cache line with a writer's lock.

  /// The address of the published ``Snapshot``, or a mark. Most resolves read nothing else of the container that has
  /// the service.
  @usableFromInline nonisolated let snapshot = Atomic<UInt>(Snapshot.Address.nothing.bits)

  /// The address of the published ``LinkArray``; 0 for none.
  nonisolated let linkArray = Atomic<UInt>(0)

  nonisolated let parentReference: ParentReference

  /// The instances that this container keeps for registrations of other containers, or for registrations of which each
  /// container has its own instance.
  nonisolated let kept = KeptSlots()

  /// The name of the container, for messages.
  public nonisolated let name: String

  /// A number that is unique among the containers of the process, including scopes. It distinguishes scopes of one
  /// name.
  ///
  /// - Concurrency: Callable from any thread. A container gets its number when it is first read.
  public nonisolated var id: UInt64 { lifecycle.number }

  /// The container to search for services that are not registered here.
  ///
  /// Nil if there is none. It may also be nil for a scope that has ended.
  public nonisolated var parent: Container? { parentToSearch?.object }

  /// The parent, for a search under a pin (E1).
  nonisolated var parentToSearch: UnheldReference<Container>? { parentReference.parentToSearch }

  /// The behaviour of the container where a registration does not specify it.
  public nonisolated var configuration: Configuration { settings.configuration }

  /// The configuration, which scopes share with their parent, and so do children that were given none. Scopes of one task do not hold it.
  /// The standard one for an ended scope whose parent may be gone (E1).
  nonisolated var settings: Settings { parentReference.isParentAlive ? settingsReference.object : Settings.standard }
  /// The number of registrations to reserve memory for. Read without retaining the settings, because every scope reads
  /// it.
  nonisolated var reservedCapacity: Int { parentReference.isParentAlive ? settingsReference.borrow { $0.capacity } : 0 }
  private nonisolated let settingsReference: UnheldReference<Settings>
  private nonisolated let ownSettings: Settings?
  /// Whether the configuration has observers. Such containers are counted.
  nonisolated let hasObservers: Bool

  nonisolated let lazyRegistry = LazyReference<RegistryCell>()

  /// The bindings with which a scope was opened, if they are few: most scopes never need a registry.
  ///
  /// `nonisolated(unsafe)` because it is written before the scope is shared, and then read and dropped under the lock of the lifecycle.
  nonisolated(unsafe) private var storedOpeningBindings: [Binding] = []

  /// Whether the scope was opened with such bindings. Written before the scope is shared.
  nonisolated(unsafe) private(set) var hasOpeningBindings = false

  /// The bindings with which a scope was opened; empty once the registry holds or drops them.
  nonisolated var openingBindings: [Binding] {
    unsafe hasOpeningBindings ? lifecycle.state.withLock { _ in unsafe storedOpeningBindings } : []
  }

  /// Sets the bindings with which a scope is opened, before it is shared.
  nonisolated func setOpeningBindings(_ bindings: [Binding]) {
    unsafe storedOpeningBindings = bindings
    unsafe hasOpeningBindings = true
  }

  nonisolated let lifecycle: Lifecycle
  /// Children, and containers of override layers; not scopes.
  nonisolated let lazySubordinateList = LazyReference<WeakList<Container>>()
  nonisolated let lazyLinks = LazyReference<LinkList>()
  /// The lists of collections' elements that the container has made for requests.
  nonisolated let elementLists = PublishedReference<ElementLists>()
  nonisolated let lazyChangeFeed = LazyReference<Feed<RegistryChange>>()
  nonisolated let lazyEventFeed = LazyReference<Feed<ContainerEvent>>()

  /// The part that the container plays in an override layer; nil for all others.
  nonisolated let substitution: Substitution?

  /// The container in whose place this one keeps instances of an override layer; nil for all others.
  nonisolated var replacedContainer: Container? { substitution?.container }

  /// The container in whose place this one keeps instances, of whichever layer; this one itself if it replaces none.
  nonisolated var original: Container {
    var container = self
    while let replaced = container.replacedContainer { container = replaced }
    return container
  }

  /// The builder of the initial registrations, for ``rebuild()``.
  ///
  /// `nonisolated(unsafe)` because it is read and dropped under the lock of the lifecycle.
  nonisolated(unsafe) private var initialRegistrations: @Sendable () -> Registrations

  /// Evaluates the builder of the initial registrations again.
  nonisolated func makeInitialRegistrations() -> Registrations {
    let builder = lifecycle.state.withLock { _ in unsafe initialRegistrations }
    return builder()
  }

  /// A snapshot that was withdrawn from the fast path.
  ///
  /// A draining container keeps it until it is closed, a scope that has ended until it is deallocated.
  nonisolated let lastSnapshot = Atomic<UInt>(Snapshot.Address.nothing.bits)

  /// The task that runs the modules of the initial registrations; empty if there are none.
  nonisolated let lazyLoading = LazyReference<Loading>()

  /// Creates a container.
  ///
  /// Nothing is built yet. Since this initialiser does not throw, it adds even faulty registrations. Resolving one of
  /// them throws its error.
  ///
  /// - Parameters:
  ///   - name: The name for messages. Give each container one, so that they say which one is meant.
  ///   - parent: The container to search for services that are not registered here. It is kept alive.
  ///   - configuration: The behaviour of the container where a registration does not specify it.
  ///   - registrations: The initial registrations; see ``RegistrationBuilder``.
  /// - Complexity: O(*n*) in the number of registrations.
  public init(
    name: String = "unnamed", parent: Container? = nil, configuration: Configuration = .init(),
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = { Registrations() }
  ) {
    self.init(name: name, parent: parent, Settings(configuration), registrations)
  }

  /// Creates a container, with settings that it may share with its parent.
  init(
    name: String, parent: Container?, _ settings: Settings,
    _ registrations: @escaping @Sendable () -> Registrations
  ) {
    // Creates the task-local's key now. The first scope would create it beside its own objects, and other threads that
    // read the key would wait for that cache line.
    _ = ResolutionFrame.ambient
    self.init(name, of: parent, settings, registrations)
    if let parent { listBelow(parent) }
    load(registrations())
    // A thread that begins to drain the parent after this check finds the child (L5), as one that closes the parent does (`listBelow`).
    if let parent, parent.lifecycle.isDraining { refuseNewWork() }
  }

  /// Creates a container of an ``OverrideLayer``, which then joins the overridden container.
  init(_ substitution: Substitution) {
    let container = substitution.container
    self.init(container.name, of: container, container.settings, { Registrations() }, substitution)
  }

  /// Creates an empty scope of several tasks, which its parent fills and lists.
  init(
    keyed name: String, of parent: Container, usedBy uses: any ScopeUses,
    _ registrations: @escaping @Sendable () -> Registrations
  ) {
    self.init(name, of: parent, parent.settings, registrations, isScope: true)
    lifecycle.setUses(uses)
  }

  /// Creates a container that holds its parent.
  private init(
    _ name: String, of parent: Container?, _ settings: Settings,
    _ registrations: @escaping @Sendable () -> Registrations, _ substitution: Substitution? = nil,
    isScope: Bool = false
  ) {
    self.name = name
    parentReference = ParentReference(holding: parent.map { UnheldReference($0) })
    unsafe initialRegistrations = registrations
    ownSettings = settings
    settingsReference = UnheldReference(settings)
    hasObservers = !settings.configuration.observerReferences.isEmpty
    lifecycle = Lifecycle(isScope: isScope)
    self.substitution = substitution
    beginLifecycle()
  }

  /// Creates a scope, which its parent fills and lists.
  // Inlined into its only caller: a call would retain each argument.
  @inline(__always)
  init(scope name: String, of parent: Container, _ registrations: @escaping @Sendable () -> Registrations) {
    self.name = name
    parentReference = ParentReference(notHolding: UnheldReference(parent))
    unsafe initialRegistrations = registrations
    ownSettings = nil
    hasObservers = parent.hasObservers
    settingsReference = parent.settingsReference
    lifecycle = Lifecycle(isScope: true)
    substitution = nil
    beginLifecycle()
  }

  /// Whether the container emits no further events: a scope of one task when its `withScope` has ended, any other container when its
  /// closing has.
  nonisolated var hasEmittedLastEvent: Bool {
    guard lifecycle.isScopeOfOneTask else { return lifecycle.hasEnded }
    return parentReference.isEndedByRunner.load(ordering: .sequentiallyConsistent)
  }

  /// Begins the lifecycle, as the last step of each initialiser before the container is shared.
  private nonisolated func beginLifecycle() {
    lifecycle.setOwner(self)
    if hasObservers { Self.countObserved(true) }
  }

  deinit {
    if hasObservers { Self.countObserved(false) }
    freeContents()
    parentReference.releaseParent()
  }

  /// Frees the contents of the container at once; `releaseContents` retires them for readers. Only while it is deallocated: a resolve holds
  /// the container, so none is reading.
  private nonisolated func freeContents() {
    SnapshotDraft.deallocate(Snapshot.Address(bits: snapshot.load(ordering: .acquiring)))
    SnapshotDraft.deallocate(Snapshot.Address(bits: lastSnapshot.load(ordering: .acquiring)))
    lazyLinks.loadUnheld()?.borrow { $0.removeAll() }
    guard let registry = lazyRegistry.loadUnheld() else {
      // By index, since iterating retains the array and each binding.
      for index in unsafe storedOpeningBindings.indices { unsafe storedOpeningBindings[index].breakCycles() }
      return
    }
    // Errors may hold the registry for its names.
    for binding in registry.borrow({ $0.withLock { $0.drop() }.everything }) {
      // An ended container has taken these instances already.
      if lifecycle.mayHaveInstancesAbove && !lifecycle.isClosed {
        binding.takeInstanceAbove(parentReference.unheld?.object).release()
      }
      binding.breakCycles()
    }
  }

  /// Drops the registrations with their closures, and the builder of the initial ones. The registry is closed.
  ///
  /// - Returns: The bindings that the container had.
  nonisolated func dropRegistrations() -> [Binding] {
    // If there are registrations, they are in this registry from here on: no thread creates another one from the opening bindings.
    let cell = registryIfAny
    // Released after the lock: closures may have captured user objects.
    _ = lifecycle.state.withLock { _ in
      unsafe (exchange(&initialRegistrations, with: { Registrations() }), exchange(&storedOpeningBindings, with: []))
    }
    return cell?.withLock { $0.drop() }.everything ?? []
  }

  /// Whether anything was ever registered.
  nonisolated var hasRegistry: Bool { lazyRegistry.isSet || (unsafe hasOpeningBindings) }

  /// The registry, created on demand: most scopes have no registrations of their own.
  nonisolated var registry: RegistryCell { lazyRegistry.load(orStore: RegistryCell(openingBindings)) }

  /// The registry; nil if nothing was ever registered. Created for a scope that has only the bindings of its opening.
  nonisolated var registryIfAny: RegistryCell? { unsafe lazyRegistry.load() ?? (hasOpeningBindings ? registry : nil) }

  /// All bindings of this container, listed or not.
  nonisolated var allBindings: [Binding] { registryIfAny?.withLock { $0.everything } ?? [] }
}

extension Lifecycle {
  /// The container that has this lifecycle.
  var container: Container? { owner as? Container }
}

extension Container: LifecycleOwner, CustomStringConvertible {
  /// The name of the container in quotes, for example `Container "app"`.
  public nonisolated var description: String { "Container \"\(name)\"" }
}
