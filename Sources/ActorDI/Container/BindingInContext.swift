/// A binding and the container whose registrations its service is built with. Something else retains both.
struct BindingInContext: Hashable {
  private let binding: ObjectIdentifier
  private let context: ObjectIdentifier
  private let handedKey: Key?
  private let isNoted: Bool

  init(_ binding: Binding, _ context: Container, handedKey: Key? = nil, isNoted: Bool = false) {
    self.binding = ObjectIdentifier(binding)
    self.context = ObjectIdentifier(context)
    self.handedKey = handedKey
    self.isNoted = isNoted
  }
}
