// Bindings in front of other bindings: decorators, choices among candidates, and aliases.
extension Binding {
  /// The source of a binding's instances: the factory of a registration, or other bindings.
  ///
  /// Not copyable, because a copy would retain all that a case refers to, and threads would contend for the counts.
  enum Kind: ~Copyable {
    /// Makes the instance by the factory of the registration.
    case registration
    /// Wraps the instance of another binding.
    ///
    /// - Parameter foreignOwner: The other binding's container, which may be deallocated first; nil for this binding's own
    ///   container.
    case decorator(of: Binding, foreignOwner: ContainerReference?)
    /// Returns the instance of the candidate that each resolve chooses. The candidates are in the same container.
    case choice(among: [Binding])
    /// Returns the instance of another binding of the same container, converted to another type.
    case alias(of: Binding, converting: @Sendable (Instance) -> Instance)
  }

  /// The kind, in extras that are retained meanwhile.
  var kind: Kind {
    _read {
      if let extras = lazyExtras.load() {
        yield unsafe extras.storedKind
      } else {
        yield Kind.registration
      }
    }
  }

  /// Reads the kind without retaining the extras, either. For questions that a resolve asks.
  private func borrowKind<Result>(_ read: (borrowing Kind) -> Result) -> Result {
    lazyExtras.loadUnheld()?.borrow { unsafe read($0.storedKind) } ?? read(.registration)
  }

  var isRegistration: Bool {
    borrowKind {
      switch $0 {
      case .registration: true
      default: false
      }
    }
  }

  var isDecorator: Bool {
    borrowKind {
      switch $0 {
      case .decorator: true
      default: false
      }
    }
  }

  /// The binding whose instance this decorator wraps, in any container; nil if the binding is no decorator.
  var inner: Binding? {
    borrowKind {
      switch $0 {
      case .decorator(let inner, _): inner
      default: nil
      }
    }
  }

  /// The binding whose instance this alias returns; nil if the binding is no alias.
  var primary: Binding? {
    borrowKind {
      switch $0 {
      case .alias(let primary, _): primary
      default: nil
      }
    }
  }

  /// The binding whose instance a resolve returns: the aliased one, or this one.
  var instanceOwner: Binding { primary ?? self }

  /// The bindings that this choice chooses from; nil if the binding is no choice.
  var candidates: [Binding]? {
    borrowKind {
      switch $0 {
      case .choice(let candidates): candidates
      default: nil
      }
    }
  }

  /// Whether the binding has no instance of its own: an alias, or a choice that returns a candidate's instance.
  var isIndirect: Bool { descriptor.traits.contains(.isIndirect) }

  /// Whether a request for this binding within its own factory is always a cycle.
  ///
  /// With run-time arguments, the recursion may end: a tree builds its subtrees. An alias has no factory, so its target decides: a request
  /// within the target's hooks is no cycle.
  var recursionIsCycle: Bool { !identity.takesArguments && !isIndirect }

  /// The bindings of the same container that this one decorates or chooses from.
  var parts: [Binding] {
    switch kind {
    case .decorator(let inner, let foreignOwner): foreignOwner == nil ? [inner] : []
    case .choice(let candidates): candidates
    default: []
    }
  }

  /// Creates a choice: a binding of the same identity that returns the instance of a chosen candidate.
  func choice(among candidates: [Binding]) -> Binding {
    var descriptor = self.descriptor
    descriptor.delegateMaking(.either)
    descriptor.setScope(.transient)
    descriptor.traits.insert(.isIndirect)
    let factory = Factory { resolver, memory, arguments in
      try Candidates.choose(candidates, for: resolver).instanceBehind(resolver, arguments).write(to: memory)
    }
    let recipe = Recipe(.either, factory) { resolver, arguments in
      try await Candidates.choose(candidates, for: resolver).instanceBehind(resolver, arguments)
    }
    let choice = Binding(descriptor, recipe)
    unsafe choice.deriveTraits(in: owner)
    return choice
  }

  /// The bindings that this one decorates or chooses from, in any container.
  var wrapped: [Binding] { inner.map { [$0] } ?? candidates ?? [] }

  /// The bindings that this one decorates or chooses from, with their containers.
  ///
  /// - Parameter container: The container of this binding.
  /// - Returns: An empty array if the container of the decorated binding has been deallocated.
  func wrapped(in container: Container) -> [Located] {
    switch kind {
    case .decorator(let inner, let foreignOwner):
      let owner = foreignOwner == nil ? container : foreignOwner?.container
      return owner.map { [Located(binding: inner, container: $0)] } ?? []
    case .choice(let candidates): return candidates.map { Located(binding: $0, container: container) }
    default: return []
    }
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
