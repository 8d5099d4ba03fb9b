/// The place of an instance while overrides may be in force: the container that keeps it, and the layers that its build sees.
///
/// A kept service whose dependency graph includes an override belongs to the innermost layer for which this is the case.
/// Every other kept service belongs to its own container. That container builds it without any layer, so that no override
/// gets into it (V2).
enum Placement {
  /// No overrides are in force, or the service is not kept. Its build sees what its caller sees.
  case asCalled
  /// The instance belongs to its own container. Its build sees no layer.
  case withoutLayers
  /// The instance belongs to a layer, which its build sees. A container keeps it in place of its own one.
  case inLayer(OverrideLayer, keptBy: Container)

  /// The container that keeps the instance in place of its own one; nil if that one keeps it.
  var substitute: Container? { if case .inLayer(_, let substitute) = self { substitute } else { nil } }

  /// The container that keeps the instance, if the layer has ended during the build. It is closed or closing, and refuses the instance. Its
  /// end waits for the build, and disposes of the instance before what the instance was made from.
  var keeperOfEndedLayer: Container? {
    guard case .inLayer(let layer, let keeper) = self, layer.hasEnded else { return nil }
    return keeper
  }

  /// Whether the instance may be checked out of the pool of its registration and returned to it.
  func checksOut(_ binding: Binding) -> Bool {
    guard case .inLayer(let layer, _) = self else { return true }
    return unsafe binding.owner === layer.overlay
  }

  /// Runs part of the instance's build under the layers that it sees.
  func within<Result>(_ body: () throws -> Result) rethrows -> Result {
    switch self {
    case .asCalled: try body()
    case .withoutLayers: try OverrideLayer.holding(nil, body)
    case .inLayer(let layer, _): try OverrideLayer.holding(layer, body)
    }
  }

  /// Runs part of the instance's build under the layers that it sees, whichever task-locals the build's task has.
  func within<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    switch self {
    case .asCalled: try await body()
    case .withoutLayers: try await OverrideLayer.holding(nil, body)
    case .inLayer(let layer, _): try await OverrideLayer.holding(layer, body)
    }
  }
}

extension Binding {
  /// The placement of the instance.
  func placement(asking container: Container) -> Placement {
    guard policy.isKept, OverrideLayer.active != nil, let keeper = self.keeper(for: container) else {
      return .asCalled
    }
    for layer in OverrideLayer.inForce {
      guard unsafe owner === layer.overlay || layer.touches(self, asking: container) else { continue }
      // A layer that has ended meanwhile keeps nothing.
      if let substitute = layer.substitute(for: keeper) { return .inLayer(layer, keptBy: substitute) }
    }
    return .withoutLayers
  }

  /// The holder of the instance without run-time arguments for the asked container; nil if nothing was ever built there.
  func existingHolder(for asked: Container) -> InstanceHolder? {
    let active = primary?.activeOverride(asking: asked)
    defer { withExtendedLifetime(active) {} }
    let binding = active?.binding ?? instanceOwner
    let placement = binding.placement(asking: asked)
    guard let keeper = placement.substitute ?? binding.keeper(for: asked) else { return nil }
    return binding.isHolder(in: keeper) ? binding : keeper.kept.existing(binding)
  }
}

/// The answer whether a kept service's dependency graph includes an override, for the container with whose registrations it is
/// built: the context.
struct PlacementDecision: Sendable {
  /// Retained, so that its identifier stays unique.
  let binding: Binding
  let touches: Bool
  /// The versions of the registries of the layer and the context at the time of the decision.
  let stamp: RegistryStamp
  /// Whether the decision relies on the notes of existing instances.
  let reliesOnInstances: Bool
  /// The number of earlier decisions about the service.
  let number: Int

  /// Whether the decision is still valid.
  ///
  /// A positive decision is final: an instance built for the layer stays with it. A negative one holds while the registries
  /// are unchanged and the instance that it relies on, if any, exists.
  func holds(for stamp: RegistryStamp, asking container: Container, outside layer: OverrideLayer) -> Bool {
    if touches { return true }
    guard stamp.isUnchanged(since: self.stamp) else { return false }
    if !reliesOnInstances { return true }
    return OverrideLayer.$current.withValue(layer.nextToSearch) {
      binding.existingHolder(for: container)?.existing() != nil
    }
  }
}

extension OverrideLayer {
  /// Whether a kept service's dependency graph includes an override of this layer, or may include one. If so, the instance is
  /// built for the layer alone.
  ///
  /// The first answer is valid for all tasks until the registries change.
  func touches(_ binding: Binding, asking container: Container) -> Bool {
    if isolatesAll { return true }
    let context = binding.container(for: container)
    let (name, replaced) = (ObjectIdentifier(binding), OverrideLayer.id(of: context))
    let stamp = RegistryStamp(versions: overlay.registryStamp.versions + context.registryStamp.versions)
    let known = substitutes.withLock { $0?[replaced]?.decisions[name] }
    if let known, known.holds(for: stamp, asking: container, outside: self) { return known.touches }
    var walk = OverrideWalk(of: self)
    let touches = walk.meetsOverride(from: binding, asking: container)
    let new = PlacementDecision(
      binding: binding, touches: touches, stamp: stamp, reliesOnInstances: walk.reliesOnInstances,
      number: known.map { $0.number + 1 } ?? 0)
    // The substitute holds the decision, so that both go when the context ends.
    guard let substitute = substitute(for: context) else { return touches }
    defer { withExtendedLifetime(substitute) {} }
    return substitutes.withLock { all in
      if let faster = all?[replaced]?.decisions[name], faster.number >= new.number { return faster }
      all?[replaced]?.decisions[name] = new
      return new
    }.touches
  }
}
