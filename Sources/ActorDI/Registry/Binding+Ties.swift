// Bindings that stand behind others, or before them. Under the registry's lock.
extension Binding {
  /// The binding that this one stands behind.
  final var wrapper: Binding? {
    get { lazyExtras.load()?.wrapper }
    set { extras.wrapper = newValue }
  }

  /// How often ``Registry/push()`` has saved it.
  final var savedCount: Int {
    get { lazyExtras.load()?.savedCount ?? 0 }
    set { extras.savedCount = newValue }
  }

  /// The binding that is listed for this one: itself, or what it stands behind.
  var outermost: Binding {
    var outermost = self
    while let wrapper = outermost.wrapper { outermost = wrapper }
    return outermost
  }

  /// What the decorators were put around.
  var undecorated: Binding {
    var inner = self
    while inner.isDecorator, let next = inner.stoodFor.first { inner = next }
    return inner
  }

  /// What tells a binding from the others that stand under its identity: there may be one registration, and aliases of several.
  struct Role: Hashable {
    let identity: ServiceIdentity.Name
    /// Of an alias.
    let primary: ServiceIdentity.Name?
  }

  var role: Role { Role(identity: identity.name, primary: undecorated.primary?.identity.name) }

  /// That of a registration of its identity, be it an alias itself.
  var roleOfRegistration: Role { Role(identity: identity.name, primary: nil) }

  /// Whether it would hide the other one from more than a lookup, or be hidden itself. Aliases of different registrations stand together in a
  /// collection.
  func isDuplicate(of earlier: Binding) -> Bool {
    primary == nil || earlier.undecorated.primary == nil || earlier.role == role
  }

  /// This binding and all that stands behind it.
  var withParts: [Binding] { [self] + parts.flatMap(\.withParts) }

  /// This binding and all that stands behind it: whatever may keep an instance for it.
  var keepers: [Binding] {
    guard !parts.isEmpty else { return [instanceOwner] }
    return [self] + parts.flatMap(\.keepers)
  }

  /// Of a binding that was taken out of the list: itself and what stood behind it, without what stands behind another one now,
  /// or by itself.
  var gone: [Binding] { gone { _ in true } }

  /// As `gone`, without what is saved and may come back.
  var retirable: [Binding] { gone { $0.savedCount == 0 } }

  private func gone(where isGone: (Binding) -> Bool) -> [Binding] {
    guard outermost.place == nil, isGone(self) else { return [] }
    let behind = parts.filter { $0.wrapper === self }
    return [self] + behind.flatMap { $0.gone(where: isGone) }
  }

  /// Before publication, and under the registry's lock.
  final func stand(for parts: [Binding], as standing: Standing) {
    extras.stand(for: parts, as: standing)
    isInitial = parts.contains(where: \.isInitial)
    claimParts()
  }

  /// What stands behind this binding stands behind no other. Under the registry's lock.
  final func claimParts() {
    for part in parts {
      part.wrapper = self
      part.claimParts()
    }
  }

  /// Whether it has no instance of its own: an alias, which shows another one's, or a group, which makes what one of its candidates does.
  final var isForward: Bool { descriptor.nature.isForward }

  final var isDecorator: Bool { standing == .decorator }
  final var isGroup: Bool { standing == .group }

  /// Before publication.
  func adopt(_ forwards: [ForwardList.Forward]) {
    if !forwards.isEmpty { extras.show(by: ForwardList(forwards)) }
  }
}
