// Bindings that stand for others: for one that they decorate, or for one of several.
extension ServiceBinding {
  /// What a binding that wraps this one makes.
  final func recipe(decoratedBy decorator: Decorator<Service>) -> Recipe<Service> {
    Recipe(
      decorator.synchrony(of: self),
      make: { try decorator.make($0, self.current($0)) },
      makeAsync: { try await decorator.makeAsync($0, Box(self.current($0))) })
  }

  /// What a binding that chooses among others makes: whatever the chosen one does.
  static func recipe(choosingFrom candidates: [Binding]) -> Recipe<Service> {
    Recipe(
      .either,
      make: { try typed(Alternatives.choose(candidates, for: $0)).current($0) },
      makeAsync: { Box(try await typed(Alternatives.choose(candidates, for: $0)).current($0)) })
  }

  /// In the container of a binding that it is to stand before.
  final func settled(beside other: Binding) -> ServiceBinding<Service> {
    settle(in: unsafe other.owner, order: other.order)
    return self
  }

  /// A binding that was registered for the service.
  static func typed(_ binding: Binding) -> ServiceBinding<Service> {
    unsafe unsafeDowncast(binding, to: ServiceBinding<Service>.self)
  }
}

extension ArgumentBinding {
  func recipe(
    decoratedBy decorator: Decorator<Service>
  ) -> ArgumentRecipe<Service, repeat each Argument> {
    ArgumentRecipe(
      synchrony: decorator.synchrony(of: self),
      make: { (resolver: Resolver, arguments: repeat each Argument) in
        let recipe = self.recipe(for: repeat each arguments)
        return try decorator.make(resolver, self.current(resolver, recipe))
      },
      makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
        let recipe = self.recipe(for: repeat each arguments)
        return try await decorator.makeAsync(resolver, Box(self.current(resolver, recipe)))
      })
  }

  static func recipe(
    choosingFrom candidates: [Binding]
  ) -> ArgumentRecipe<Service, repeat each Argument> {
    ArgumentRecipe(
      synchrony: .either,
      make: { (resolver: Resolver, arguments: repeat each Argument) in
        let chosen = try typed(Alternatives.choose(candidates, for: resolver))
        return try chosen.current(resolver, chosen.recipe(with: repeat each arguments))
      },
      makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
        let chosen = try typed(Alternatives.choose(candidates, for: resolver))
        let recipe = chosen.recipe(with: repeat each arguments)
        return Box(try await chosen.current(resolver, recipe))
      })
  }
}

extension Binding {
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
