/// Looks for an override in what a kept service would be made from, without running anything.
///
/// Known are the parameters of autowired initialisers, injected properties, what `dependsOn(_:)` declares, and what stands behind decorators,
/// alternatives and forwards. It is followed through transient services and kept ones alike, each dependency as a resolve would find it
/// without the layer.
///
/// - D1: What is taken later, by a ``Lazy`` or ``Provider``, counts as what is taken at once: it is resolved for the same instance.
/// - D2: What a factory closure without a declaration takes, a hook or a decorator, is known only when it has run: for a kept instance that
///   exists it was noted, its own and that of its transient services. As long as nothing exists, it may be anything.
/// - D3: Who takes the container or its resolver may ask for anything.
struct OverrideWalk {
  private struct Step {
    let binding: Binding
    /// With it, for a link may be cancelled.
    let container: Container
    /// The container that is asked for it.
    let asked: Container
    /// The container whose registrations it is built with.
    let context: Container
    /// A key to look for parameters under: ``Registration/inheritKey()``.
    let handedKey: Key?
    /// Whether what its closures ask for was noted with who takes it.
    let isNoted: Bool
  }

  private struct Name: Hashable {
    let binding: ObjectIdentifier
    let context: ObjectIdentifier
    let handedKey: Key?
    let isNoted: Bool
  }

  private let layer: OverrideLayer
  private var visited: Set<Name> = []
  /// What was visited, so that its address stays its name.
  private var held: [Located] = []
  private var steps: [Step] = []
  /// Whether the answer depends on what existing instances were made from.
  private(set) var goesByInstances = false

  init(of layer: OverrideLayer) { self.layer = layer }

  /// - Parameter container: the container that is asked.
  mutating func meetsOverride(from binding: Binding, asking container: Container) -> Bool {
    let start = Located(binding: binding, container: binding.ownContainer)
    return OverrideLayer.$current.withValue(layer.enclosing) {
      add(start, asking: container, handing: nil, isNoted: false)
      while let step = steps.popLast() {
        if expand(step) { return true }
      }
      return false
    }
  }

  private mutating func add(
    _ located: Located, asking container: Container, handing key: Key?, isNoted: Bool
  ) {
    let binding = located.binding
    let step = Step(
      binding: binding, container: located.container, asked: container,
      context: binding.container(for: Resolver(container: container)), handedKey: key,
      isNoted: isNoted && !binding.descriptor.scope.isKept)
    let name = Name(
      binding: ObjectIdentifier(binding), context: ObjectIdentifier(step.context),
      handedKey: key, isNoted: step.isNoted)
    guard visited.insert(name).inserted else { return }
    held.append(located)
    steps.append(step)
  }

  /// - Returns: whether it is found.
  private mutating func expand(_ step: Step) -> Bool {
    let (binding, descriptor) = (step.binding, step.binding.descriptor)
    guard descriptor.fault == nil, layer.applies(to: step.context) else { return false }
    for other in binding.stoodFor(in: step.container) {
      add(other, asking: step.context, handing: step.handedKey, isNoted: step.isNoted)
    }
    if let primary = binding.primary {
      add(
        Located(binding: primary, container: step.container), asking: step.context,
        handing: nil, isNoted: step.isNoted)
      return layer.overrides(primary.identity)
    }
    guard !binding.isGroup else { return false }
    let observed = descriptor.scope.isKept ? binding.existingHolder(for: step.asked)?.observed : nil
    if observed != nil { goesByInstances = true }
    let isNoted = step.isNoted || observed != nil
    if binding.mayTakeMore && !isNoted { return true }
    let key = descriptor.nature.inheritsKey ? step.handedKey ?? binding.key : nil
    for dependency in descriptor.dependencies + descriptor.declaredDependencies {
      if let key, follow(dependency.with(key), of: step, handing: key, isNoted: isNoted) { return true }
      if follow(dependency, of: step, handing: key, isNoted: isNoted) { return true }
    }
    return observed?.contains {
      follow(Dependency(on: $0), of: step, handing: nil, isNoted: true)
    } ?? false
  }

  private mutating func follow(
    _ dependency: Dependency, of step: Step, handing key: Key?, isNoted: Bool
  ) -> Bool {
    let identity = dependency.identity
    if layer.overrides(dependency) || identity.isBuiltIn { return true }
    let container = step.context
    var targets = dependency.forms.compactMap { container.locate($0) }
    if targets.isEmpty { targets = Self.targets(of: dependency, in: container, for: step.binding) }
    for target in targets {
      add(target, asking: container, handing: key, isNoted: isNoted)
    }
    // As of `Lazy<[Plugin]>`.
    guard targets.isEmpty, identity.service is any RelationshipType.Type else { return false }
    return follow(Dependency(on: identity), of: step, handing: key, isNoted: isNoted)
  }

  private static func targets(of dependency: Dependency, in container: Container, for asker: Binding) -> [Located] {
    let identity = dependency.identity
    if dependency.need == .all { return container.elements(of: dependency, for: asker.address) }
    if let found = container.locate(identity) { return [found] }
    // It may be taken with arguments.
    return container.searchOrder.flatMap { container in
      container.ownBindings(of: identity.service).filter { $0.key == identity.key }
        .map { Located(binding: $0, container: container) }
    }
  }
}
