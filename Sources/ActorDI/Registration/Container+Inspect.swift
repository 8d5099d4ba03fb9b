// What a container can tell without building anything.
extension Container {
  /// Whether a service can be resolved here: it, with whatever arguments, is registered in this container, in one that it is
  /// linked with, or in one of its parents.
  ///
  /// It is so of all that `resolve` finds without a registration, too: `T?` and `[T]`, a ``Lazy`` or ``Provider`` of whatever, ``Container`` and
  /// ``Resolver``. To ask whether there is a service, ask for the service.
  ///
  /// - Parameter service: the type that it is found under.
  /// - Concurrency: from any thread.
  public nonisolated func contains<Service>(_ service: Service.Type) -> Bool {
    contains(ServiceIdentity(service))
  }

  /// Whether a keyed service can be resolved here.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  /// - Concurrency: from any thread.
  public nonisolated func contains<Service>(
    _ service: Service.Type, key: some Hashable & Sendable
  ) -> Bool {
    contains(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Whether what a typed token names can be resolved here.
  ///
  /// - Parameter token: the type and key that it is found under.
  /// - Concurrency: from any thread.
  public nonisolated func contains<Service>(_ token: ServiceKey<Service>) -> Bool {
    contains(token.identity)
  }

  private nonisolated func contains(_ identity: ServiceIdentity) -> Bool {
    if isRegistered(identity) { return true }
    if lifecycle.isClosed { return false }
    let wanted = Dependency(on: identity)
    // An `Owned` is made of its service at once; all others can do without, now.
    guard wanted.need == .required else { return true }
    return wanted.identity.isBuiltIn || isRegistered(wanted.identity)
  }

  /// How many registrations stand in this container itself. One with ``Registration/implements(_:_:)-(Other.Type,_)`` counts once for
  /// each type.
  ///
  /// - Concurrency: from any thread.
  public nonisolated var registrationCount: Int { registry.withLock { $0.count } }

  /// How many registrations stand in this container and in all containers below it.
  ///
  /// - Complexity: O(*n*) in the number of containers.
  /// - Concurrency: from any thread. Each container is counted as it is when it is its turn.
  public nonisolated var totalRegistrationCount: Int {
    familyTree.reduce(0) { $0 + $1.registrationCount }
  }

  /// The registrations of this container itself, in order.
  ///
  /// - Complexity: O(*n*)
  /// - Concurrency: from any thread.
  public nonisolated var registrations: [RegistrationInfo] {
    registry.withLock { $0.bindings }.map { RegistrationInfo($0) }
  }

  /// A handle that resolves a service, and skips the lookup.
  ///
  /// - Parameter service: the type that it is found under.
  public nonisolated func provider<Service>(
    for service: Service.Type = Service.self
  ) -> Provider<Service> {
    Provider(handleOf: self, key: nil)
  }

  /// A handle that resolves a keyed service, and skips the lookup.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  public nonisolated func provider<Service>(
    for service: Service.Type = Service.self, key: some Hashable & Sendable
  ) -> Provider<Service> {
    Provider(handleOf: self, key: Key.of(key))
  }

  /// A handle that resolves what a typed token names, and skips the lookup.
  ///
  /// - Parameter token: the type and key that it is found under.
  public nonisolated func provider<Service>(for token: ServiceKey<Service>) -> Provider<Service> {
    Provider(handleOf: self, key: token.key)
  }
}
