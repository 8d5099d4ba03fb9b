// Inspection of a container, without building anything.
extension Container {
  /// Whether the container can resolve a service.
  ///
  /// The lookup covers the container itself, its links and its parents, and ignores run-time arguments.
  ///
  /// The result is also true for everything that `resolve` finds without a registration: `T?`, `[T]` and `[Key: T]`, and
  /// ``Container`` and ``Resolver`` without a key. For a ``Lazy``, a ``Provider`` or an ``Owned``, it says whether their service can be
  /// resolved. A `Lazy` or `Provider` of a missing service is resolved nevertheless, and fails at its first use.
  ///
  /// - Parameter service: The service type.
  /// - Concurrency: Callable from any thread.
  public nonisolated func contains<Service>(_ service: Service.Type) -> Bool { contains(ServiceIdentity(service)) }

  /// Whether the container can resolve a keyed service.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - key: The key of the service.
  /// - Concurrency: Callable from any thread.
  public nonisolated func contains<Service>(_ service: Service.Type, key: some Hashable & Sendable) -> Bool {
    contains(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Whether the container can resolve the service of a typed token.
  ///
  /// - Parameter token: The service type and key.
  /// - Concurrency: Callable from any thread.
  public nonisolated func contains<Service>(_ token: ServiceKey<Service>) -> Bool { contains(token.identity) }

  private nonisolated func contains(_ identity: ServiceIdentity) -> Bool {
    if isRegistered(identity) { return true }
    if lifecycle.isClosed { return false }
    let wanted = Dependency(on: identity)
    if (wanted.forms + [wanted.identity]).contains(where: isRegistered) { return true }
    return switch wanted.need {
    case .optional, .all: true
    case .required: wanted.identity.isBuiltIn
    // Resolved in any case, but of no use without its service.
    case .deferred: wanted.isOptional || contains(wanted.identity)
    }
  }

  /// The number of registrations in this container, without its links, parents and children. Each alias, by
  /// ``Registration/implements(_:_:)-(Other.Type,_)``, counts as one. All alternatives of a service count as one together.
  ///
  /// - Concurrency: Callable from any thread.
  public nonisolated var registrationCount: Int { registry.withLock { $0.count } }

  /// The number of registrations in this container and all its descendants.
  ///
  /// - Complexity: O(*n*) in the number of containers.
  /// - Concurrency: Callable from any thread. Containers are counted one after the other, not at one moment.
  public nonisolated var totalRegistrationCount: Int { familyTree.reduce(0) { $0 + $1.registrationCount } }

  /// The registrations of this container, in order, without those of its links, parents and children.
  ///
  /// The alternatives of a service, see ``Registration/alternative()``, are one element, with the source line of the last one.
  ///
  /// - Complexity: O(*n*)
  /// - Concurrency: Callable from any thread.
  public nonisolated var registrations: [RegistrationInfo] {
    registry.withLock { $0.bindings }.map { RegistrationInfo($0) }
  }

  /// Returns a handle that resolves a service without looking it up each time.
  ///
  /// - Parameter service: The service type.
  public nonisolated func provider<Service>(for service: Service.Type = Service.self) -> Provider<Service> {
    Provider(handleOf: self, key: nil)
  }

  /// Returns a handle that resolves a keyed service without looking it up each time.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - key: The key of the service.
  public nonisolated func provider<Service>(
    for service: Service.Type = Service.self, key: some Hashable & Sendable
  ) -> Provider<Service> {
    Provider(handleOf: self, key: Key.of(key))
  }

  /// Returns a handle that resolves the service of a typed token without looking it up each time.
  ///
  /// - Parameter token: The service type and key.
  public nonisolated func provider<Service>(for token: ServiceKey<Service>) -> Provider<Service> {
    Provider(handleOf: self, key: token.key)
  }
}
