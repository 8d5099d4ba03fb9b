// Bindings in front of other bindings: decorators, choices among candidates, and aliases.
extension Binding {
  /// Creates a choice: a binding of the same identity that returns the instance of a chosen candidate.
  func choice(among candidates: [Binding]) -> Binding {
    var descriptor = self.descriptor
    descriptor.delegateMaking(.either)
    descriptor.setScope(.transient)
    descriptor.traits.insert(.isIndirect)
    let factory = Factory { resolver, memory, arguments in
      try Candidates.choose(candidates, for: resolver).current(resolver, arguments).write(to: memory)
    }
    let recipe = Recipe(.either, factory) { resolver, arguments in
      try await Candidates.choose(candidates, for: resolver).current(resolver, arguments)
    }
    let choice = Binding(descriptor, recipe)
    unsafe choice.join(in: owner)
    return choice
  }

  /// The bindings that this one decorates or chooses from, in any container.
  var wrapped: [Binding] {
    guard let extras = lazyExtras.load() else { return [] }
    return extras.foreignInner.map { [$0.binding] } ?? extras.parts
  }

  /// The bindings that this one decorates or chooses from, with their containers.
  ///
  /// - Parameter container: The container of this binding.
  /// - Returns: An empty array if the container of the decorated binding has been deallocated.
  func wrapped(in container: Container) -> [Located] {
    guard let inner = lazyExtras.load()?.foreignInner else {
      return parts.map { Located(binding: $0, container: container) }
    }
    return inner.owner.container.map { [Located(binding: inner.binding, container: $0)] } ?? []
  }

  /// The binding with one of its registration's own decorators. Before publication.
  func decorated(by decorator: Decorator, in container: Container) -> Binding {
    guard let outer = decorator.wrap(self, in: container) else { return self }
    outer.extras.isPartOfRegistration = true
    return outer
  }

  /// The descriptor of a decorator around this binding.
  func decoratedDescriptor(_ synchrony: Synchrony) -> Descriptor {
    var descriptor = self.descriptor
    descriptor.delegateMaking(synchrony)
    // Only the inner binding checks instances out. Each container wraps the one that it has checked out.
    descriptor.setScope(effectiveScope.poolLimit == nil ? effectiveScope : .scoped)
    descriptor.options.keeping = effectiveKeeping
    descriptor.traits.remove(.isIndirect)
    descriptor.traits.insert(.isDecorated)
    descriptor.options.furtherDependencies = descriptor.parameters + descriptor.furtherDependencies
    descriptor.options.parameters = []
    descriptor.traits.remove(.isAutowired)
    return descriptor
  }
}
