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
/// Where is what: what users write in `Registration/`, the registry in `Registry/`, the lock-free reads in `ReadPath/`, building once in
/// `Once/`, how long instances live in `Scopes/`, the way from one to the other in `Resolution/`.
public actor Container {
  // What a search reads stands first, and does not change while others read: a reader must not share a cache line with a writer's lock.

  /// The address of the published ``Snapshot``, or a mark: all that a resolve reads of the container that has what it wants.
  @usableFromInline nonisolated let snapshot = Atomic<UInt>(Snapshot.nothing)

  /// The address of the published ``LinkArray``; 0 for none.
  nonisolated let linkArray = Atomic<UInt>(0)

  /// The parent, for those who know that it is held.
  nonisolated let parentReference: UnheldReference<Container>?

  /// What the container keeps of registrations that stand in others, or of which each container has an instance of its own.
  nonisolated let kept = KeptSlots()

  /// The container's name, for messages.
  public nonisolated let name: String

  /// A number that no other container of the process has, scopes included: what tells two scopes of one name apart.
  ///
  /// - Concurrency: from any thread. Numbers are given when they are first asked for, by whomever.
  public nonisolated var id: UInt64 { lifecycle.number }

  /// Where to look for what is not registered here. Nil for the container of a `withScope` that has ended.
  public nonisolated var parent: Container? { isParentHeld ? parentReference?.object : nil }

  /// How the container behaves where a registration does not say.
  public nonisolated var configuration: Configuration { settings.configuration }

  /// The configuration, which a scope shares with its parent: held by the container that it was made for.
  nonisolated var settings: Settings { isParentHeld ? settingsReference.object : Settings.standard }
  private nonisolated let settingsReference: UnheldReference<Settings>
  private nonisolated let ownSettings: Settings?
  /// Whether it was counted among the containers that are observed.
  private nonisolated let isCounted: Bool
  final class Settings: Sendable {
    let configuration: Configuration
    // What each scope asks for: to look into the configuration is to copy it.
    let isObserved: Bool
    let capacity: Int
    init(_ configuration: Configuration) {
      self.configuration = configuration
      isObserved = !configuration.observerReferences.isEmpty
      capacity = configuration.reservedCapacity
    }
    static let standard = Settings(Configuration())
  }

  nonisolated let lazyRegistry = LazyReference<RegistryCell>()

  /// What a scope was opened with, if that is little: most scopes never need a registry. Written before anybody else has the scope.
  nonisolated(unsafe) var firstBindings: [Binding] = []

  nonisolated let lifecycle: Lifecycle
  nonisolated let lazyFamily = LazyReference<Family>()
  nonisolated let lazyLinks = LazyReference<LinkList>()
  nonisolated let lazyChangeFeed = LazyReference<Feed<RegistryChange>>()
  nonisolated let lazyEventFeed = LazyReference<Feed<ContainerEvent>>()

  /// The container whose registrations this one's take the place of, for an override; nil for all others.
  nonisolated let overridden: Container?

  /// What the container was made of, for ``rebuild()``.
  nonisolated let initialRegistrations: @Sendable () -> Registrations

  /// The snapshot of a container that lets only the slow path find it, until it is closed; or of a scope that has ended, whose memory goes with
  /// the container.
  nonisolated let lastSnapshot = Atomic<UInt>(Snapshot.nothing)

  /// Whether the container holds a reference to its parent. A scope does not as long as its `withScope` runs, whose caller holds the parent:
  /// scopes that run at the same time would contend for that one's reference count. See ``Container/endScope(_:)``.
  private nonisolated let holdsParent = Atomic<Bool>(true)

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
    self.name = name
    parentReference = parent.map { UnheldReference($0) }
    parentReference?.retain()
    initialRegistrations = registrations
    let settings = Settings(configuration)
    ownSettings = settings
    settingsReference = UnheldReference(settings)
    isCounted = settings.isObserved
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
    // The same for one that is about to be closed.
    if let parent, parent.lifecycle.isDraining, lifecycle.beginDraining() { withdrawRegistry() }
  }

  /// Creates a scope, which its parent has to list, and to fill.
  init(scope name: String, of parent: Container, _ registrations: @escaping @Sendable () -> Registrations) {
    self.name = name
    parentReference = UnheldReference(parent)
    initialRegistrations = registrations
    ownSettings = nil
    isCounted = parent.settings.isObserved
    settingsReference = parent.settingsReference
    lifecycle = Lifecycle()
    overridden = nil
    holdsParent.store(false, ordering: .relaxed)
    lifecycle.beginScope()
    begin()
  }

  /// Whether it is a scope whose `withScope` has ended.
  private nonisolated let hasEnded = Atomic<Bool>(false)

  /// Whether the parent can be used: it is held, by the container or by whoever runs the `withScope`.
  private nonisolated var isParentHeld: Bool {
    if holdsParent.load(ordering: .acquiring) { return true }
    Self.orderReferenceCounts()
    return !hasEnded.load(ordering: .sequentiallyConsistent)
  }

  /// The parent, for a search under a pin that has found the container open (E1).
  nonisolated var parentToSearch: UnheldReference<Container>? {
    #if arch(x86_64)
      parentReference
    #else
      isParentHeld ? parentReference : nil
    #endif
  }

  /// Tells all who come by way of a weak reference that the parent may be gone.
  nonisolated func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    Self.orderReferenceCounts()
  }

  /// Orders a word and a reference count against each other, since the runtime's counts are relaxed (E1). On x86 each exchange of a count,
  /// and each sequentially consistent store, is a fence already.
  private static nonisolated func orderReferenceCounts() {
    #if !arch(x86_64)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    #endif
  }

  /// Takes a reference to the parent. While the `withScope` runs.
  nonisolated func holdParent() {
    guard let parentReference, !holdsParent.load(ordering: .relaxed) else { return }
    parentReference.retain()
    holdsParent.store(true, ordering: .releasing)
  }

  /// Creates the container of an ``OverrideLayer``: beside the one that is overridden, which does not know of it.
  init(overriding container: Container) {
    name = container.name
    parentReference = UnheldReference(container)
    parentReference?.retain()
    initialRegistrations = { Registrations() }
    ownSettings = container.settings
    isCounted = container.settings.isObserved
    settingsReference = container.settingsReference
    overridden = container
    lifecycle = Lifecycle()
    begin()
  }

  /// The last step of each initialiser before the container is anybody else's.
  private nonisolated func begin() {
    lifecycle.begin(of: self)
    if isCounted { Self.countObserved(true) }
  }

  deinit {
    if isCounted { Self.countObserved(false) }
    empty()
    if holdsParent.load(ordering: .acquiring) { parentReference?.releaseInTurn() }
  }

  /// Lets go of all that the container was filled with. Only where nobody else has it: whoever resolves holds it, so nobody is reading.
  private nonisolated func empty() {
    SnapshotDraft.deallocate(snapshot.load(ordering: .acquiring))
    SnapshotDraft.deallocate(lastSnapshot.load(ordering: .acquiring))
    unsafe lazyLinks.loadUnretained()?._withUnsafeGuaranteedRef { $0.removeAll() }
    // Registrations and their forwards refer to each other, as do cells and what has to be disposed of; nobody will do that, now.
    guard let registry = unsafe lazyRegistry.loadUnretained() else {
      for binding in unsafe firstBindings { binding.existingCell?.dropDisposal() }
      return
    }
    for binding in unsafe registry._withUnsafeGuaranteedRef({ $0.withLock { $0.everything } }) {
      binding.dropForwards()
      for cell in binding.cells { cell.dropDisposal() }
      _ = binding.pool?.close()
    }
  }

  /// Made when something is registered, or asked of it: most scopes have no registrations of their own.
  nonisolated var registry: RegistryCell {
    lazyRegistry.load() ?? lazyRegistry.storeIfNil(unsafe RegistryCell(firstBindings))
  }

  /// The registry, if anything was ever registered.
  nonisolated var existingRegistry: RegistryCell? {
    unsafe lazyRegistry.load() ?? (firstBindings.isEmpty ? nil : registry)
  }
}

extension UnheldReference<Container> {
  /// Releases a parent: one after the other, for a chain of thousands must not be released recursively.
  ///
  /// Without a look at whether it is the last reference: others may come by weak ones meanwhile.
  fileprivate func releaseInTurn() {
    let record = unsafe ThreadRecordPointer.current
    if let waiting = unsafe UnsafeMutablePointer<[Self]>(bitPattern: record.pointee.releases) {
      return unsafe waiting.pointee.append(self)
    }
    var waiting: [Self] = []
    unsafe withUnsafeMutablePointer(to: &waiting) { waiting in
      unsafe record.pointee.releases = UInt(bitPattern: waiting)
      release()
      while let next = unsafe waiting.pointee.popLast() { next.release() }
      unsafe record.pointee.releases = 0
    }
  }
}

extension Container: LifecycleOwner {}

extension Lifecycle {
  /// Whose life it is.
  var container: Container? { owner as? Container }
}

extension Container: CustomStringConvertible {
  /// The container's name, marked as such.
  public nonisolated var description: String { "Container \"\(name)\"" }
}

/// The containers that have this one as their parent. Weakly: a child is kept by its users.
final class Family: Sendable {
  private let members = WeakList<Container>()

  func add(_ child: Container) { members.add(child) }

  var children: [Container] { members.all }
}

/// A container that is not kept alive by who knows it.
///
/// ``Container/root``, which lives to the end of the process anyway, is told apart: the side table that a weak reference makes would look
/// like a leak to LeakSanitizer, which does not read how the runtime encodes its address in the object.
struct ContainerReference: Sendable {
  private let isRoot: Bool
  private weak let other: Container?

  init(_ container: Container) {
    isRoot = container === Container.root
    other = isRoot ? nil : container
  }

  /// Nil when the container is gone.
  var container: Container? { isRoot ? Container.root : other }
}
