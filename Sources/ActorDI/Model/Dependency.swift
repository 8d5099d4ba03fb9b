/// What a registration takes from the container.
@usableFromInline
struct Dependency: Sendable {
  enum Need: Sendable {
    /// It has to be there.
    case required
    /// Nil if it is not.
    case optional
    /// As many as there are.
    case all
    /// Later, when it is first used.
    case deferred
  }

  let identity: ServiceIdentity
  let need: Need
  /// The relationship types that it is wanted as, outermost first. An explicit registration of one of them wins.
  let forms: [ServiceIdentity]

  /// Whether nil will do: also for what is deferred, as `Lazy<T>?`.
  let isOptional: Bool

  init(_ identity: ServiceIdentity, _ need: Need, forms: [ServiceIdentity] = [], isOptional: Bool = false) {
    self.identity = identity
    self.need = need
    self.forms = forms
    self.isOptional = isOptional || need == .optional
  }

  /// The same under another key.
  func with(_ key: Key?) -> Dependency {
    Dependency(identity.with(key), need, forms: forms.map { $0.with(key) }, isOptional: isOptional)
  }
}
