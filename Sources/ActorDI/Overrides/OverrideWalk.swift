/// A search for an override in the dependency graph of a kept service. It runs no factories and no hooks, but it
/// may place the default of a token, whose closure is user code. For a strict layer, an external service counts as an override that fails.
///
/// Known dependencies are the parameters of autowired initialisers, injected properties, `dependsOn(_:)` declarations, and
/// the targets of decorators, alternatives and aliases. The walk follows them through transient and kept services alike. It
/// looks up each dependency as a resolve without the layer would.
///
/// - D1: A dependency resolved later, by a ``Lazy`` or ``Provider``, counts as one resolved at once: it is resolved for the
///   same instance.
/// - D2: The requests of an undeclared factory closure, a hook or a decorator are known only after it has run. A kept
///   instance has notes of its own requests and those of its transient services. Without an instance, each closure counts as it ran
///   in earlier builds under overrides. Without these, the closure may request anything, so it counts as using an override.
///   The same is true of a closure that runs later than the build, for a ``Lazy`` or ``Provider``.
/// - D3: A service that takes the container or its resolver may request anything, so it counts as using an override, too.
struct OverrideWalk {
  private struct Step {
    /// Retained: a link to its container may be cancelled during the walk.
    let located: Located
    /// The container that is asked for the service.
    let asked: Container
    /// The container whose registrations the service is built with.
    let context: Container
    /// The inherited key to try for parameters: ``Registration/inheritKey()``.
    let handedKey: Key?
    /// Whether the notes of the dependent instance include the requests of this service's closures.
    let isNoted: Bool
  }

  private let layer: OverrideLayer
  private var visited: Set<BindingInContext> = []
  /// The visited bindings in order of discovery. They are retained until the end, so that their addresses stay unique.
  private var steps: [Step] = []
  /// Whether the answer relies on the notes of existing instances.
  private(set) var reliesOnInstances = false

  init(of layer: OverrideLayer) { self.layer = layer }

  /// Whether a service's dependency graph includes an override.
  ///
  /// - Parameter container: The container that is asked for the service.
  mutating func meetsOverride(from binding: Binding, asking container: Container) -> Bool {
    let start = Located(binding: binding, container: binding.ownContainer)
    return OverrideLayer.$current.withValue(layer.nextToSearch) {
      add(start, asking: container, handing: nil, isNoted: false)
      var next = 0
      while next < steps.count {
        if expand(steps[next]) { return true }
        next += 1
      }
      return false
    }
  }

  private mutating func add(_ located: Located, asking container: Container, handing key: Key?, isNoted: Bool) {
    let binding = located.binding
    let step = Step(
      located: located, asked: container, context: binding.container(for: container), handedKey: key,
      isNoted: isNoted && !binding.policy.isKept)
    let name = BindingInContext(binding, step.context, handedKey: key, isNoted: step.isNoted)
    if visited.insert(name).inserted { steps.append(step) }
  }

  /// Adds the dependencies of a step.
  ///
  /// - Returns: Whether an override has been found.
  private mutating func expand(_ step: Step) -> Bool {
    let binding = step.located.binding
    let container = step.located.container
    let descriptor = binding.descriptor
    guard descriptor.fault == nil else { return false }
    if binding.isForbiddenByStrictLayers && layer.isStrict(for: step.context) { return true }
    // A decorated service may have another context than its decorator, which the layer concerns.
    for other in binding.wrapped(in: container) {
      add(other, asking: step.context, handing: step.handedKey, isNoted: step.isNoted)
    }
    guard layer.concerns(step.context) else { return false }
    if let primary = binding.primary, let shown = binding.shown(asking: step.context, in: container) {
      add(shown, asking: step.context, handing: nil, isNoted: step.isNoted)
      // A decorator of the target does not apply to the alias.
      return layer.applies(to: step.context) && layer.replaces(Dependency(primary.identity, .required))
    }
    guard binding.candidates == nil else { return false }
    let noted = binding.policy.isKept ? binding.existingHolder(for: step.asked)?.requests : nil
    if noted != nil { reliesOnInstances = true }
    let isNoted = step.isNoted || noted != nil
    let requests = isNoted ? noted : binding.learnedRequests
    if binding.mayTakeMore && !isNoted && requests == nil { return true }
    let key = binding.keyToInherit(handed: step.handedKey)
    for parameter in descriptor.parameters {
      // An override may be registered under the key, though nothing in the container is.
      if let key, mayBeOverridden(parameter.with(key), asking: step.context) { return true }
      let (dependency, handedKey) = step.context.parameter(parameter, inheriting: key, for: binding.id)
      if follow(dependency, of: step, handing: handedKey, isNoted: isNoted) { return true }
    }
    let others =
      descriptor.furtherDependencies + descriptor.declaredDependencies + (requests ?? []).map { Dependency(on: $0) }
    return others.contains { follow($0, of: step, isNoted: isNoted) }
  }

  private mutating func follow(
    _ dependency: Dependency, of step: Step, handing key: Key? = nil, isNoted: Bool
  ) -> Bool {
    if mayBeOverridden(dependency, asking: step.context) { return true }
    let search = DependencySearch(
      for: dependency, in: step.context, asker: step.located.binding.id, allowingArguments: true)
    // The closures of what is resolved later have not run in the build that made the notes.
    let isNoted = isNoted && !search.isLater
    for target in search.targets { add(target, asking: step.context, handing: key, isNoted: isNoted) }
    return false
  }

  private func mayBeOverridden(_ dependency: Dependency, asking container: Container) -> Bool {
    if dependency.identity.isBuiltIn || layer.applies(to: container) && layer.overrides(dependency) { return true }
    return dependency.nested.map { mayBeOverridden($0, asking: container) } ?? false
  }
}
