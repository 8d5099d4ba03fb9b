// What a container can tell without building anything.
extension Container {
  /// Whether a service can be resolved here: it, with whatever arguments, is registered in this container or in one of
  /// its parents.
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
    contains(ServiceIdentity(service, key: TypedKey(key)))
  }

  private nonisolated func contains(_ identity: ServiceIdentity) -> Bool {
    locate(identity) != nil
      || lineage.contains { container in
        container.ownBindings(of: identity.service).contains { $0.key == identity.key }
      }
  }

  /// How many registrations stand in this container itself. One with ``Registration/implements(_:_:)`` counts once for
  /// each type.
  ///
  /// - Concurrency: from any thread.
  public nonisolated var registrationCount: Int { registry.withLock { $0.count } }

  /// The registrations of this container itself, in order.
  ///
  /// - Complexity: O(*n*)
  /// - Concurrency: from any thread.
  public nonisolated var registrations: [RegistrationInfo] {
    registry.withLock { $0.bindings }.map {
      RegistrationInfo(descriptor: $0.descriptor, scope: $0.instanceOwner.descriptor.scope)
    }
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
    Provider(handleOf: self, key: TypedKey(key))
  }
}

// MARK: - Finding bindings

extension Container {
  /// This container, then its parents.
  nonisolated var lineage: some Sequence<Container> {
    sequence(first: self) { $0.parent }
  }

  /// The binding that an identity leads to, here or in a parent.
  ///
  /// - Parameter literal: the address that the key was given by, if it was; the next lookup by it will find the binding.
  nonisolated func locate(_ identity: ServiceIdentity, literal: UInt = 0) -> Binding? {
    for container in lineage {
      guard let binding = container.lookup(identity).retainBinding() else { continue }
      if literal != 0, container === self { addAlias(literal, of: binding) }
      return binding
    }
    return nil
  }

  /// The bindings of a service that stand in this container itself.
  nonisolated func ownBindings(of service: any Any.Type) -> [Binding] {
    registry.withLock { $0.bindings(of: service) }
  }

  /// The bindings that `[Service]` is made of: those without arguments, in order of registration, parents' first; without those
  /// that a nearer container hides. With a key, those of that key only.
  nonisolated func visibleBindings<Service>(of service: Service.Type, key: Key?) -> [Binding] {
    visibleBindings(of: ServiceIdentity(service, key: key))
  }

  nonisolated func visibleBindings(of identity: ServiceIdentity) -> [Binding] {
    var visible: [[Binding]] = []
    var seen: Set<Key?> = []
    for container in lineage {
      let own = container.ownBindings(of: identity.service).filter {
        $0.identity.arguments.isEmpty && (identity.key == nil || $0.key == identity.key)
          && !seen.contains($0.key)
      }
      seen.formUnion(own.map(\.key))
      visible.append(own)
    }
    return visible.reversed().flatMap { $0 }
  }
}
