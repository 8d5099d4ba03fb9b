/// What can be told of a registration without running it.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
  let identity: ServiceIdentity
  private let taken: [ActorDI.Dependency]

  /// - Parameter dependencies: what it takes from the container.
  init(
    _ identity: ServiceIdentity, _ scope: Scope, isEager: Bool, _ dependencies: [ActorDI.Dependency],
    _ source: RegistrationSource
  ) {
    self.identity = identity
    self.scope = scope
    self.isEager = isEager
    taken = dependencies
    self.source = source
  }

  /// How long its instances are kept.
  public let scope: Scope

  /// Whether ``Container/start()`` builds it.
  public let isEager: Bool

  /// The type that it is found under.
  public var service: any Any.Type { identity.service }

  /// Whether it is found under a type: `info.is((any Store).self)`.
  ///
  /// - Parameter type: the type to compare ``service`` with. Of a type that it inherits or conforms to it says nothing.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The key that it is found under.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of its run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// What it takes from the container, as far as is known without running anything: the parameters of an autowired initialiser,
  /// injected properties, and what `dependsOn(_:)` declares, in this order. For a type that it is also found
  /// under, the registration that it stands for.
  public var dependencies: [Dependency] {
    taken.map { Dependency($0) }
  }

  /// Something that a registration takes from the container.
  public struct Dependency: Sendable, CustomStringConvertible {
    let dependency: ActorDI.Dependency

    init(_ dependency: ActorDI.Dependency) { self.dependency = dependency }

    /// The service: `T` for `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider`` and ``Owned``.
    public var service: any Any.Type { dependency.identity.service }

    /// The key that it is resolved by.
    public var key: (any Hashable & Sendable)? { dependency.identity.key?.value }

    /// Whether the service cannot be built without it. Not so for `T?`, `[T]`, `[Key: T]`, ``Lazy`` and ``Provider``.
    public var isRequired: Bool { dependency.need == .required }

    /// Whether it is resolved later than the service is built: ``Lazy`` and ``Provider``.
    public var isDeferred: Bool { dependency.need == .deferred }

    /// For example `Database["replica"]`.
    public var description: String { dependency.identity.description }
  }

  /// Where it was written.
  public let source: RegistrationSource

  /// For example `Greeting(String)["formal"], transient, at MyApp/Services.swift:12`.
  public var description: String {
    "\(identity), \(scope), at \(source)"
  }
}

/// What one publication of a container's registry changed.
///
/// A batch is one change. A registration that was replaced is in both lists: the old one in ``removed``, the new one in
/// ``added``. What ``Registration/implements(_:_:)-(Other.Type,_)`` adds is listed with its registration, once for each type.
public struct RegistryChange: Sendable, CustomStringConvertible {
  /// The registrations that are new, in order.
  public let added: [RegistrationInfo]

  /// The registrations that are gone, or replaced.
  public let removed: [RegistrationInfo]

  /// For example `+ Clock, singleton, at MyApp/Services.swift:12`, a line for each registration.
  public var description: String {
    (removed.map { "- \($0)" } + added.map { "+ \($0)" }).joined(separator: "\n")
  }
}
