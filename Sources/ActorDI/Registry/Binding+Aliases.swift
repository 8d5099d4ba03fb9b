internal import Synchronization

// The aliases of a binding: bindings that return its instance under other types.
//
// A binding and its aliases refer to each other. Removing the binding drops its aliases. While several registrations of an identity are
// candidates, only the aliases of the binding that chooses from them are listed.
extension Binding {
  /// Creates an alias, to be listed in the same container.
  ///
  /// - Parameters:
  ///   - key: nil for the key of this binding.
  ///   - convert: The compile-checked upcast.
  func alias<Service, Other>(
    as type: Other.Type, _ key: Key?, in container: Container, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Binding {
    let convertInstance: @Sendable (Instance) -> Instance = { Instance(holding: convert($0.value(as: Service.self))) }
    // An alias keeps no instance, so its own scope is transient.
    let other = identity.of(type).with(key ?? self.key)
    var descriptor = Descriptor(other, .transient, synchrony, self.descriptor.source)
    descriptor.traits.insert(.isIndirect)
    descriptor.traits.insert(.declaresDependencies)
    descriptor.options.furtherDependencies = [Dependency(identity, .required)]
    let factory = Factory { [self] resolver, memory, arguments in
      let instance = try Container.receive(Service.self) {
        try writeAliased(resolver, arguments, to: $0)
      }
      memory.initialize(as: Other.self, to: convert(instance))
    }
    let recipe = Recipe(synchrony, factory) { [self] resolver, arguments in
      convertInstance(try await aliased(resolver, arguments))
    }
    let alias = Binding(descriptor, recipe)
    alias.deriveTraits(in: container)
    alias.isInitial = isInitial
    unsafe alias.extras.storedKind = .alias(of: self, converting: convertInstance)
    return alias
  }

  /// Creates the aliases that the registration states, or for a choice its candidates. Before publication.
  func makeAliases(_ stated: [StatedAlias], in container: Container) {
    // A faulty registration may state itself as an alias.
    let new = stated.filter { !$0.isSame(as: identity) }.map { $0.make(self, container) }
    if !new.isEmpty { extras.aliases.withLock { $0 = new } }
  }

  /// Creates the aliases anew if the registry has retired them, because a choice had them in their place.
  ///
  /// - Returns: The replaced aliases, for the caller to release.
  func renewRetiredAliases() -> [Binding] {
    let old = aliases
    guard old.contains(where: { $0.isRetired.load(ordering: .relaxed) }) else { return [] }
    unsafe makeAliases(innermost.descriptor.aliases, in: owner)
    return old
  }

  /// The aliases: see ``Registration/implements(_:key:_:)``.
  var aliases: [Binding] { lazyExtras.load()?.aliases.withLock { $0 } ?? [] }

  /// The binding, followed by its aliases.
  var withAliases: [Binding] { [self] + aliases }

  /// Drops the aliases, which form a reference cycle with the binding.
  func dropAliases() { _ = lazyExtras.load()?.aliases.withLock { exchange(&$0, with: []) } }

  /// Converts an instance of the registration to the type of this alias.
  func converted(_ instance: Instance) -> Instance {
    switch kind {
    case .alias(_, let convert): convert(instance)
    default: instance
    }
  }
}
