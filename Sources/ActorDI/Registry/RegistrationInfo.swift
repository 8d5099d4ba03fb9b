/// A description of a registration, available without running its factory.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
  let identity: ServiceIdentity

  /// The scope, which determines how long instances are kept.
  public let scope: Scope

  /// Whether ``Container/start()`` builds the service.
  public let isEager: Bool

  /// Whether the service touches the world outside the program: ``Registration/external()``.
  public let isExternal: Bool

  /// The type under which the service is found.
  public var service: any Any.Type { identity.service }

  /// Whether the service is registered under a type, for example `info.is((any Store).self)`.
  ///
  /// - Parameter type: The type to compare with ``service``. A supertype or a protocol of ``service`` does not match.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The key under which the service is found.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of the run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// The dependencies that are known without running anything.
  ///
  /// In this order: the parameters of an autowired initialiser, injected properties, and the declarations of
  /// `dependsOn(_:)`. The dependency of an alias is the registration whose instance it returns.
  public let dependencies: [Dependency]

  /// A dependency of a registration.
  public struct Dependency: Sendable, CustomStringConvertible {
    let dependency: ActorDI.Dependency

    /// The type of the service: `T` for `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider`` and ``Owned``.
    public var service: any Any.Type { dependency.identity.service }

    /// The key by which the service is resolved.
    public var key: (any Hashable & Sendable)? { dependency.identity.key?.value }

    /// Whether the build fails without the service. False for `T?`, `[T]`, `[Key: T]`, ``Lazy`` and ``Provider``.
    public var isRequired: Bool { dependency.need == .required }

    /// Whether the service is resolved after the build: true for ``Lazy`` and ``Provider``.
    public var isDeferred: Bool { dependency.need == .deferred }

    /// The service and key, for example `Database["replica"]`.
    public var description: String { dependency.identity.description }
  }

  /// The place in the source code where the registration was written.
  public let source: RegistrationSource

  /// A one-line description, for example `Greeting(String)["formal"], transient, at MyApp/Services.swift:12`.
  public var description: String { "\(identity), \(scope), at \(source)" }
}

/// The changes that one publication of a container's registry made.
///
/// A batch is one change. A replaced registration appears in both lists: the old one in ``removed``, the new one in
/// ``added``. Aliases made by ``Registration/implements(_:_:)-(Other.Type,_)`` are listed with their registration, one
/// element for each type.
public struct RegistryChange: Sendable, CustomStringConvertible {
  /// The new registrations, in order.
  public let added: [RegistrationInfo]

  /// The registrations that were removed or replaced.
  public let removed: [RegistrationInfo]

  /// A line for each registration, for example `+ Clock, singleton, at MyApp/Services.swift:12`.
  public var description: String { (removed.map { "- \($0)" } + added.map { "+ \($0)" }).joined(separator: "\n") }
}
