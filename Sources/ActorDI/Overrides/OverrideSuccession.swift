internal import Synchronization

/// What was created under a layer and may resolve after its operation: an injected property, a lazy or a provider (V4).
///
/// Everything of one layer holds the same object. After the operation, it resolves under the layer's successor. If nothing holds
/// the object, the end of the operation releases the registrations.
final class OverrideSuccession: Sendable {
  let layer: OverrideLayer
  /// The succession of the layer around this one. Retained, so that ``OverrideLayer/nextToSearch`` finds it by its weak reference.
  private let enclosing: OverrideSuccession?
  /// The registrations at the end of the operation.
  private let last = Lock<Registry.Saved?>(nil)
  private let successor = LazyReference<OverrideLayer>()

  fileprivate init(of layer: OverrideLayer, within enclosing: OverrideSuccession?) {
    self.layer = layer
    self.enclosing = enclosing
  }

  deinit {
    guard let successor = successor.load() else { return }
    Task.detached { _ = await successor.end(after: .completed) }
  }

  /// The layer, or its successor once its operation has ended.
  ///
  /// The successor has the same registrations, and none of the instances. It is in force until the last property, lazy or provider
  /// of the layer is released. The instances that it keeps are disposed of then.
  var live: OverrideLayer {
    layer.hasEnded ? successor.load(orStore: OverrideLayer(succeeding: layer, last.withLock { $0 })) : layer
  }

  /// The layer for a call: the caller's if it is the live one or within it.
  var ofCall: OverrideLayer {
    let inForce = OverrideLayer.inForce
    guard let innermost = inForce.first, inForce.contains(where: isLive(as:)) else { return live }
    return innermost
  }

  /// Whether a layer is the one of this object or its successor.
  func isLive(as other: OverrideLayer) -> Bool { other === layer || other === successor.load() }

  fileprivate func save(_ registrations: Registry.Saved?) { last.withLock { $0 = registrations } }
}

extension OverrideLayer {
  /// A weak reference to the succession, which only its holders keep.
  struct SuccessionReference: Sendable {
    weak var succession: OverrideSuccession?
  }

  /// The succession for something that is created under this layer. If the layer has ended meanwhile without one, that of the
  /// layer around it; nil if none is in force.
  func makeSuccession() -> OverrideSuccession? {
    let around = enclosing?.makeSuccession()
    return succession.withLock { reference in
      if let known = reference.succession { return known }
      if hasEnded { return around }
      let new = OverrideSuccession(of: self, within: around)
      reference.succession = new
      return new
    }
  }

  /// Marks the layer as ended, and saves the registrations for the successor, if anything will need one.
  func markEnded() {
    // Under one lock: a succession made before has the registrations, and none is made afterwards. This may be the last reference to
    // the succession, so it is released after the lock.
    _ = succession.withLock { reference in
      let succession = reference.succession
      succession?.save(
        overlay.registryIfAny?.withLock { Registry.Saved(bindings: $0.bindings, decorators: $0.decorators) })
      ended.store(true, ordering: .releasing)
      return succession
    }
  }

  fileprivate convenience init(succeeding layer: OverrideLayer, _ last: Registry.Saved?) {
    self.init(
      over: layer.container, within: layer.enclosing, isolatesAll: layer.isolatesAll, layer.strictness,
      isSuccessor: true)
    if let last { register(last) }
    begin()
  }

  /// Copies the registrations and the decorators of an overlay.
  private func register(_ last: Registry.Saved) {
    let registrations = last.bindings.flatMap { Candidates.of($0.undecorated) }.map(\.innermost)
      .filter { $0.primary == nil }
    var batch = Registrations.Batch(
      bindings: registrations.map { $0.copy() }, decorators: Array(last.decorators.values.joined()), modules: [])
    // The overlay has accepted all of them before, so none is refused now.
    try? overlay.add(&batch, isForced: true)
  }
}
