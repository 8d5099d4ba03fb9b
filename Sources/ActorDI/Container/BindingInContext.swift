/// The identity of a binding in a context: the container whose registrations build its instance.
///
/// Retains neither. Its user keeps both alive, so that the addresses stay unique.
struct BindingInContext: Hashable {
  private let binding: ObjectIdentifier
  private let context: ObjectIdentifier
  /// The key that a walk over dependencies tries first for the parameters; nil for none.
  private let handedKey: Key?
  /// Whether a walk knows the requests of the binding's closures from the notes of a dependent instance.
  private let isNoted: Bool

  init(_ binding: Binding, _ context: Container, handedKey: Key? = nil, isNoted: Bool = false) {
    self.binding = ObjectIdentifier(binding)
    self.context = ObjectIdentifier(context)
    self.handedKey = handedKey
    self.isNoted = isNoted
  }
}
