extension Container {
  /// The behaviour of a container where a registration does not specify it.
  ///
  /// ```swift
  /// let container = Container(
  ///   configuration: .init(defaultScope: .singleton, duplicates: .error)
  /// ) { … }
  /// ```
  public struct Configuration: Sendable {
    /// The scope of registrations that specify none; ``Scope/transient`` by default.
    ///
    /// The scope of a ``RegistrationGroup`` takes precedence. A service that is not Sendable is always transient.
    public var defaultScope: Scope

    /// The policy for registering an identity again; ``DuplicatePolicy/replace`` by default.
    public var duplicates: DuplicatePolicy

    /// The expected number of registrations: a hint, 0 by default.
    ///
    /// The first registration reserves room for this number, so that a registry filled step by step does not grow
    /// repeatedly. More registrations than expected have the usual cost. A batch reserves room for itself, so a
    /// container whose registrations come from one builder needs no hint.
    public var capacity: Int

    /// The observers of the container, in the order in which they are notified; none by default.
    ///
    /// They are notified of each registration, including the initial ones, and of all events. The container keeps them
    /// alive.
    public var observers: [any ContainerObserver] {
      get { observerReferences.map(\.observer) }
      set { observerReferences = newValue.map { ObserverReference($0) } }
    }

    /// The first of ``observers``. Setting it replaces all of them.
    public var observer: (any ContainerObserver)? {
      get { observerReferences.first?.observer }
      set { observers = newValue.map { [$0] } ?? [] }
    }

    /// The observers as shared references, so that copies of a configuration have identical ones.
    private(set) var observerReferences: [ObserverReference]

    /// The clock for times to live without a clock of their own, for timeouts of shutdowns, and for the idle times of ``KeyedScopes``;
    /// see ``Registration/timeToLive(_:clock:)``.
    public var clock: any Clock<Duration>

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - defaultScope: The scope of registrations that specify none.
    ///   - duplicates: The policy for registering an identity again.
    ///   - capacity: The expected number of registrations.
    ///   - observer: An observer to notify of each registration and of all events.
    ///   - observers: Further observers, notified after `observer`.
    ///   - clock: The clock for times to live, for timeouts of shutdowns, and for idle times.
    public init(
      defaultScope: Scope = .transient, duplicates: DuplicatePolicy = .replace, capacity: Int = 0,
      observer: (any ContainerObserver)? = nil, observers: [any ContainerObserver] = [],
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.defaultScope = defaultScope
      self.duplicates = duplicates
      self.capacity = capacity
      observerReferences = ((observer.map { [$0] } ?? []) + observers).map { ObserverReference($0) }
      self.clock = clock
    }

    /// The capacity to reserve, limited so that a wrong hint does not exhaust the memory.
    var reservedCapacity: Int { min(max(0, capacity), 1 << 16) }
  }
}

/// The policy for registering an identity that is already registered.
public struct DuplicatePolicy: Sendable, Hashable {
  private let isReplacing: Bool

  /// The last registration wins. Later resolves do not return the kept instance of the earlier one.
  public static let replace = DuplicatePolicy(isReplacing: true)

  /// Registering throws ``ResolutionError/Code/duplicate``.
  ///
  /// An alias and a registration of the same type and key are duplicates as well, in either order. Several aliases are
  /// not: they form a collection.
  public static let error = DuplicatePolicy(isReplacing: false)
}
