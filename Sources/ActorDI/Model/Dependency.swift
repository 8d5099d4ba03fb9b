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

  init(_ identity: ServiceIdentity, _ need: Need, forms: [ServiceIdentity] = []) {
    self.identity = identity
    self.need = need
    self.forms = forms
  }

  /// The same under another key.
  func with(_ key: Key?) -> Dependency {
    Dependency(identity.with(key), need, forms: forms.map { $0.with(key) })
  }
}
