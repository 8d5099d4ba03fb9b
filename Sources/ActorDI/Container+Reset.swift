internal import Synchronization

extension Container {
  /// Drops kept instances: the next resolve builds them anew.
  ///
  /// Builds in flight go on for those who wait for them; what they yield is not kept.
  ///
  /// - Parameter scope: only instances of this scope; all if left out.
  /// - Concurrency: isolated to the container. Containers whose parent this is, directly or not, are reset too.
  public func reset(_ scope: Scope? = nil) async {
    resetInstances { scope == nil || $0.descriptor.scope == scope }
    for child in family.children { await child.reset(scope) }
  }

  /// Drops the kept instance of a service, whatever its arguments.
  ///
  /// - Parameter service: the type that it is found under.
  public func reset<Service>(_ service: Service.Type) async {
    reset(ServiceIdentity(service))
  }

  /// Drops the kept instance of a keyed service, whatever its arguments.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  public func reset<Service>(_ service: Service.Type, key: some Hashable & Sendable) async {
    reset(ServiceIdentity(service, key: TypedKey(key)))
  }

  /// Drops the kept instance of what a typed token names, whatever its arguments.
  ///
  /// - Parameter token: the type and key that it is found under.
  public func reset<Service>(_ token: ServiceKey<Service>) async {
    reset(token.identity)
  }

  private func reset(_ identity: ServiceIdentity) {
    let bindings = registry.withLock { registry in
      // Under the lock: the snapshot cannot be replaced, and so not freed, while it is read.
      registry.bindings(of: identity, in: snapshot.load(ordering: .acquiring)).flatMap(\.keepers)
    }
    for binding in bindings { binding.reset() }
  }

  private func resetInstances(where isWanted: (Binding) -> Bool) {
    let bindings = registry.withLock { $0.bindings.flatMap(\.keepers) }
    for binding in bindings where isWanted(binding) {
      binding.reset()
    }
  }
}

/// The containers that have this one as their parent. Weakly: a child is kept by its users.
final class Family: Sendable {
  private let members = WeakList<Container>()

  func add(_ child: Container) { members.add(child) }

  var children: [Container] { members.all }
}
