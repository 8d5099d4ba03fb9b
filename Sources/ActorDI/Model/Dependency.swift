/// A dependency that a registration takes from the container.
@usableFromInline
struct Dependency: Sendable {
  enum Need: Sendable {
    /// The service must be registered.
    case required
    /// The dependency is nil if the service is not registered.
    case optional
    /// All registrations of the service, possibly none.
    case all
    /// Resolved later, on first use.
    case deferred
  }

  let identity: ServiceIdentity
  let need: Need
  /// The relationship types that wrap the dependency, outermost first. An explicit registration of one of them wins.
  let forms: [ServiceIdentity]

  /// Whether nil is acceptable, also for a deferred dependency such as `Lazy<T>?`.
  let isOptional: Bool

  init(_ identity: ServiceIdentity, _ need: Need, forms: [ServiceIdentity] = [], isOptional: Bool = false) {
    self.identity = identity
    self.need = need
    self.forms = forms
    self.isOptional = isOptional || need == .optional
  }

  /// Whether a registration of an identity can satisfy the dependency, with any run-time arguments.
  func mayTake(_ registered: ServiceIdentity) -> Bool {
    let isAnyKey = need == .all && identity.key == nil
    return identity.isSameService(as: registered) || isAnyKey && identity.service == registered.service
  }

  /// The same dependency with another key.
  func with(_ key: Key?) -> Dependency {
    Dependency(identity.with(key), need, forms: forms.map { $0.with(key) }, isOptional: isOptional)
  }
}
