// Bindings that stand for others: for one that they decorate, or for one of several.
extension Binding {
  /// A binding of the same identity that chooses from candidates: it makes whatever the chosen one does.
  final func delegate(to candidates: [Binding]) -> Binding {
    let delegate = deriving(delegateDescriptor()) { recipe in
      Recipe(
        .either,
        Factory(copying: {
          let chosen = try Alternatives.choose(candidates, for: $0)
          return try chosen.current($0, recipe(chosen))
        }),
        makeAsync: {
          let chosen = try Alternatives.choose(candidates, for: $0)
          return try await chosen.current($0, recipe(chosen))
        })
    }
    delegate.settle(beside: self)
    return delegate
  }

  /// The bindings that this one stands for, wherever they stand.
  final var stoodFor: [Binding] {
    guard let extras = lazyExtras.load() else { return [] }
    return extras.reached.map { [$0.binding] } ?? extras.parts
  }

  /// The same, with their containers.
  ///
  /// - Parameter container: that of this binding.
  final func stoodFor(in container: Container) -> [Located] {
    guard let reached = lazyExtras.load()?.reached else {
      return parts.map { Located(binding: $0, container: container) }
    }
    return reached.home.container.map { [Located(binding: reached.binding, container: $0)] } ?? []
  }

  /// In the container of a binding that it is to stand before.
  final func settle(beside other: Binding) { settle(in: unsafe other.owner, order: other.order) }

  /// That of a binding that wraps this one.
  final func decoratedDescriptor(_ synchrony: Synchrony) -> Descriptor {
    var descriptor = self.descriptor
    descriptor.leaveMaking(synchrony)
    descriptor.setScope(effectiveScope)
    descriptor.keeping = effectiveKeeping
    descriptor.nature.isForward = false
    descriptor.nature.isDecorated = true
    descriptor.furtherDependencies = descriptor.dependencies
    descriptor.parameters = []
    descriptor.nature.isAutowired = false
    return descriptor
  }

  /// That of one that chooses between this one and others.
  final func delegateDescriptor() -> Descriptor {
    var descriptor = self.descriptor
    descriptor.leaveMaking(.either)
    descriptor.setScope(.transient)
    descriptor.nature.isForward = true
    return descriptor
  }

  /// That of one that shows this one's instance: it keeps none, so it is transient by itself.
  final func forwardDescriptor(_ identity: ServiceIdentity, _ key: Key?) -> Descriptor {
    let identity = key == nil ? identity.with(self.identity.key, word: self.identity.word) : identity.with(key)
    var descriptor = Descriptor(identity, .transient, synchrony, descriptor.source)
    descriptor.nature.isForward = true
    descriptor.nature.declaresDependencies = true
    descriptor.furtherDependencies = [Dependency(self.identity, .required)]
    return descriptor
  }
}
