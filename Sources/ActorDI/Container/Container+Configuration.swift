extension Container {
  /// How a container behaves where a registration does not say.
  ///
  /// ```swift
  /// let container = Container(configuration: .init(defaultScope: .singleton, duplicates: .error)) { … }
  /// ```
  public struct Configuration: Sendable {
    /// The scope of registrations that name none: ``Scope/transient`` unless set.
    ///
    /// A ``RegistrationGroup`` with a scope goes before it. A service that is not Sendable is transient all the same.
    public var defaultScope: Scope

    /// What happens when an identity is registered that is registered already: ``DuplicatePolicy/replace`` unless set.
    public var duplicates: DuplicatePolicy

    /// How many registrations to expect: a hint, 0 unless set.
    ///
    /// Room for them is made at the first registration, so that a registry that is filled step by step does not grow step by
    /// step. The container takes more of them at the usual cost. A batch makes room for itself: containers whose
    /// registrations are given in one builder need no hint.
    public var capacity: Int

    /// Are told of each registration, the initial ones included, and of all that happens, in this order: none unless set. They are kept
    /// alive by the container.
    public var observers: [any ContainerObserver] {
      get { observerReferences.map(\.observer) }
      set { observerReferences = newValue.map { ObserverReference($0) } }
    }

    /// The first of ``observers``. To set it replaces all of them.
    public var observer: (any ContainerObserver)? {
      get { observerReferences.first?.observer }
      set { observers = newValue.map { [$0] } ?? [] }
    }

    /// By them, copies of a configuration are known to have the same observers.
    private(set) var observerReferences: [ObserverReference]

    /// Tells when a kept instance has reached its time to live, for registrations that name no clock of their own; see
    /// ``Registration/timeToLive(_:clock:)``.
    public var clock: any Clock<Duration>

    /// A configuration.
    ///
    /// - Parameters:
    ///   - defaultScope: the scope of registrations that name none.
    ///   - duplicates: what happens when an identity is registered again.
    ///   - capacity: how many registrations to expect.
    ///   - observer: is told of each registration, and of all that happens.
    ///   - observers: are told as well, after that one.
    ///   - clock: tells when a kept instance has reached its time to live.
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

    /// A hint may be wrong, and must not exhaust the memory.
    var reservedCapacity: Int { min(max(0, capacity), 1 << 16) }
  }
}

/// What happens when an identity is registered that is registered already.
public struct DuplicatePolicy: Sendable, Hashable {
  enum Kind { case replace, error }
  let kind: Kind

  /// The last registration wins; the earlier one's kept instance is not handed out any more.
  public static let replace = DuplicatePolicy(kind: .replace)

  /// Registering fails with ``ResolutionError/Code/duplicate``.
  ///
  /// It is also an error to register an alias beside a registration of the same type and key, or the other way round. Several aliases are
  /// none: they make up a collection.
  public static let error = DuplicatePolicy(kind: .error)
}
