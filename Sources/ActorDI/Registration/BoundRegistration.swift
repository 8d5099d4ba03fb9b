/// A registration as it comes to a registry: its own binding, then those of its forwards.
struct BoundRegistration {
  let bindings: [Binding]
  /// Whether it gives way to one that stands already: ``Registration/ifNotRegistered()``.
  let yields: Bool
}

// MARK: - Bindings behind bindings

/// How a binding is tied to others, beside its forwards. Used under its registry's lock.
final class BindingTies {
  /// The binding that this one stands behind. Weak, since that one holds this.
  weak var wrapper: Binding?
  /// How often ``Registry/push()`` has saved it.
  var savedCount = 0
}

extension Binding {
  /// The binding that is listed for this one: itself, or what it stands behind.
  var outermost: Binding {
    var outermost = self
    while let wrapper = outermost.existingTies?.wrapper { outermost = wrapper }
    return outermost
  }

  /// What the decorators were put around.
  var undecorated: Binding {
    var inner = self
    while inner.isDecorator, let next = inner.parts.first { inner = next }
    return inner
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
  var retirable: [Binding] { gone { ($0.existingTies?.savedCount ?? 0) == 0 } }

  private func gone(where isGone: (Binding) -> Bool) -> [Binding] {
    guard outermost.place == nil, isGone(self) else { return [] }
    let behind = parts.filter { $0.existingTies?.wrapper === self }
    return [self] + behind.flatMap { $0.gone(where: isGone) }
  }
}
