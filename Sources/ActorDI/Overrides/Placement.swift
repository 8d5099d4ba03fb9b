/// Who keeps an instance while overrides are in force, and under which of them it is built.
///
/// A kept service whose graph meets an override belongs to the innermost layer of which that is so; every other one to its own container, which
/// builds it under no layer at all, so that nothing of an override can get into it.
struct Placement {
  /// Nil for what is built as if there were no overrides.
  let layer: OverrideLayer?
  /// Who keeps it instead of its own container.
  let keeper: Container?
}

extension Placement? {
  /// Whether the instance may come from the pool of its registration, and go back there.
  func lends(_ binding: Binding) -> Bool {
    guard let layer = self?.layer else { return true }
    return unsafe binding.owner === layer.overlay
  }

  /// Runs what belongs to the build of the instance. As it is, where no overrides are in force.
  func within<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let self else { return try body() }
    return try OverrideLayer.holding(self.layer, body)
  }

  /// The same, in the task of a build, which may have no task-locals, or those of whoever has begun it.
  func within<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    guard let self else { return try await body() }
    return try await OverrideLayer.holding(self.layer, body)
  }
}

extension Binding {
  /// Nil where no overrides are in force, and for what is not kept.
  final func placement(asking container: Container) -> Placement? {
    guard let active = OverrideLayer.active, descriptor.scope.isKept,
      let home = keeper(for: container)
    else { return nil }
    for layer in active.inForce {
      if unsafe owner === layer.overlay || layer.touches(self, asking: container) {
        return Placement(layer: layer, keeper: layer.keeper(for: home))
      }
    }
    return Placement(layer: nil, keeper: nil)
  }
}

/// What a decision on a ``Placement`` is about.
struct PlacementName: Hashable {
  let binding: ObjectIdentifier
  let context: ObjectIdentifier
}

/// What was found out about the graph of a kept service.
final class PlacementDecision: Sendable {
  /// With its container, so that identifiers stay theirs.
  let binding: Binding
  let context: Container
  let touches: Bool
  /// The state of the registries of the layer and of the context at the time.
  private let stamps: (RegistryStamp, RegistryStamp)
  /// Whether what the existing instance was made from has been taken into account.
  private let goesByInstance: Bool

  init(
    _ binding: Binding, _ context: Container, touches: Bool, stamps: (RegistryStamp, RegistryStamp),
    goesByInstance: Bool
  ) {
    self.binding = binding
    self.context = context
    self.touches = touches
    self.stamps = stamps
    self.goesByInstance = goesByInstance
  }

  /// What was once built for the layer stays with it. What was not, is the container's as long as nothing has changed.
  func holds(
    for stamps: (RegistryStamp, RegistryStamp), asking container: Container, outside layer: OverrideLayer
  ) -> Bool {
    if touches { return true }
    let (layerStamp, contextStamp) = self.stamps
    guard stamps.0.isUnchanged(since: layerStamp), stamps.1.isUnchanged(since: contextStamp) else {
      return false
    }
    return !goesByInstance
      || OverrideLayer.$current.withValue(layer.enclosing) {
        binding.existingHolder(for: container)?.existing() != nil
      }
  }
}

extension OverrideLayer {
  /// Whether the graph of a kept service meets an override of this layer, or may: then its instance is built for the layer alone.
  ///
  /// The first answer counts until the registries change, for all tasks.
  func touches(_ binding: Binding, asking container: Container) -> Bool {
    if isolatesAll { return true }
    let context = binding.container(for: Resolver(container: container))
    let name = PlacementName(
      binding: ObjectIdentifier(binding), context: ObjectIdentifier(context))
    let stamps = (overlay.registryStamp, context.registryStamp)
    let known = decisions.withLock { $0[name] }
    if let known, known.holds(for: stamps, asking: container, outside: self) { return known.touches }
    var walk = OverrideWalk(of: self)
    let touches = walk.meetsOverride(from: binding, asking: container)
    let new = PlacementDecision(
      binding, context, touches: touches, stamps: stamps, goesByInstance: walk.goesByInstances)
    return decisions.withLock { decisions in
      if let faster = decisions[name], faster !== known { return faster }
      decisions[name] = new
      return new
    }.touches
  }
}

extension Binding {
  /// Where the instance that does not depend on arguments is kept for a container that is asked, if anything was ever built there.
  final func existingHolder(for asked: Container) -> InstanceHolder? {
    let stand = primary?.standIn(asking: asked)
    defer { withExtendedLifetime(stand) {} }
    let binding = stand?.binding ?? instanceOwner
    let placement = binding.placement(asking: asked)
    guard let keeper = placement?.keeper ?? binding.keeper(for: asked) else { return nil }
    return unsafe !binding.isKeptByAsker && keeper === binding.owner ? binding : keeper.kept.existing(binding)
  }
}
