// What was created under a layer may resolve after the end of its operation (V4). It does so under the layer's successor.
extension OverrideLayer {
  /// The layer, or its successor once its operation has ended.
  ///
  /// The successor has the same registrations, and none of the instances. It is in force as long as this layer exists: until
  /// the last property, lazy or provider that was created under this layer is released. The instances that it keeps are
  /// disposed of then.
  var live: OverrideLayer {
    guard hasEnded else { return self }
    return successor.load(orStore: OverrideLayer(succeeding: self))
  }

  /// The layer to search after this one. The layer around a successor may have ended, too.
  var next: OverrideLayer? { isSuccessor ? enclosing?.live : enclosing }

  /// The layer for a call of something that was created under this layer: the caller's if it is this one or within it.
  var ofCall: OverrideLayer {
    let inForce = Self.inForce
    guard let innermost = inForce.first, inForce.contains(where: isLive(as:)) else { return live }
    return innermost
  }

  /// Whether another layer is this one or its successor.
  func isLive(as other: OverrideLayer) -> Bool { other === self || other === successor.load() }

  private convenience init(succeeding layer: OverrideLayer) {
    self.init(
      over: layer.container, within: layer.enclosing, isolatesAll: layer.isolatesAll, isSuccessor: true)
    if let last = layer.last.withLock({ $0 }) { register(last) }
    begin()
  }

  /// Copies the registrations and the decorators of an overlay.
  private func register(_ last: Registry.Saved) {
    let registrations = last.bindings.flatMap { Candidates.of($0.undecorated) }.map(\.innermost).filter { $0.primary == nil }
    var batch = Registrations.Batch(
      bindings: registrations.map { $0.copy() }, decorators: Array(last.decorators.values.joined()), modules: [])
    // The overlay has accepted all of them before, so none is refused now.
    try? overlay.add(&batch, isForced: true)
  }

  /// Ends the successor, and with it the layer's last use. While the layer is deallocated.
  func endSuccession() {
    // Of two threads that make a successor at the same time, one drops its own.
    if isSuccessor && !hasEnded { stop() }
    guard let successor = successor.load() else { return }
    Task.detached { _ = await successor.end(after: .completed) }
  }
}
