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

  private func reset(_ identity: ServiceIdentity) {
    let bindings = registry.withLock { registry in
      // Under the lock: the snapshot cannot be replaced, and so not freed, while it is read.
      registry.bindings(of: identity, in: snapshot.load(ordering: .acquiring)).flatMap(\.keepers)
    }
    for binding in bindings { binding.existingCell?.reset() }
  }

  private func resetInstances(where isWanted: (Binding) -> Bool) {
    let bindings = registry.withLock { $0.bindings.flatMap(\.keepers) }
    for binding in bindings where isWanted(binding) {
      binding.existingCell?.reset()
    }
  }
}

/// The containers that have this one as their parent. Weakly: a child is kept by its users.
final class Family: Sendable {
  private struct Member: Sendable {
    weak let container: Container?
  }

  private struct State: Sendable {
    var members: [Member] = []
    /// When to look for members that are gone: at twice as many as there were last time.
    var sweepAt = 16
  }

  private let state = Lock(State())

  func add(_ child: Container) {
    // The strong references that the sweep has to take may be the last ones: they go after the lock.
    _ = state.withLock { state -> [Container] in
      state.members.append(Member(container: child))
      guard state.members.count >= state.sweepAt else { return [] }
      let living = state.members.compactMap(\.container)
      state.members = living.map { Member(container: $0) }
      state.sweepAt = max(16, living.count * 2)
      return living
    }
  }

  var children: [Container] { state.withLock { $0.members.compactMap(\.container) } }
}
