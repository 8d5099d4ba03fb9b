// Resolving a binding on behalf of another one: the target of an alias, a decorated binding, or a candidate.
extension Binding {
  /// Writes the instance for a synchronous caller, by the fast path if possible.
  ///
  /// - Parameter memory: Receives the instance.
  /// - Throws: `BindingIsGone` if the registration has been removed.
  func writeInstanceBehind(_ resolver: Resolver, _ arguments: Arguments?, to memory: ServiceMemory) throws {
    if try writeByFastPath(resolver, arguments, to: memory) { return }
    try instanceBehind(resolver, arguments).write(to: memory)
  }

  /// Writes the instance for a synchronous caller of an alias of this binding: that of the override in force for it, or its own.
  ///
  /// - Parameter memory: Receives the instance.
  /// - Throws: `BindingIsGone` if the registration has been removed.
  // Inlined into the factory of the alias: each resolve by an alias would pay for the call.
  @inline(__always)
  func writeAliased(_ resolver: Resolver, _ arguments: Arguments?, to memory: ServiceMemory) throws {
    // The fast path declines while overrides are in force.
    if try writeByFastPath(resolver, arguments, to: memory) { return }
    let active = activeOverride(asking: resolver.container)
    defer { withExtendedLifetime(active) {} }
    try (active?.binding ?? self).instanceBehind(resolver, arguments).write(to: memory)
  }

  /// The instance for an asynchronous caller of an alias of this binding: that of the override in force for it, or its own.
  ///
  /// - Throws: `BindingIsGone` if the registration has been removed.
  func aliased(_ resolver: Resolver, _ arguments: Arguments?) async throws -> Instance {
    let active = activeOverride(asking: resolver.container)
    defer { withExtendedLifetime(active) {} }
    return try await (active?.binding ?? self).instanceBehind(resolver, arguments)
  }

  /// Takes or makes the instance for a synchronous caller, if that requires neither waiting nor the slow path.
  ///
  /// - Returns: False if the caller must take the slow path. The once cell may then hold an instance that still needs completion.
  private func writeByFastPath(_ resolver: Resolver, _ arguments: Arguments?, to memory: ServiceMemory) throws -> Bool {
    guard resolver.frame == nil else { return false }
    switch try resolver.container.tryTakingOrMaking(self, arguments, nil, for: .synchronous, at: memory) {
    case nil: return true
    case .incomplete(let instance, let located):
      throw located.binding.refuse(instance, in: resolver.container, for: Resolver.chainOfCaller())
    case .absent, .pending: return false
    }
  }

  /// The instance for a caller that can suspend, by the fast path if possible.
  ///
  /// - Throws: `BindingIsGone` if the registration has been removed.
  func instanceBehind<Service>(
    as service: Service.Type, _ resolver: Resolver, with arguments: Arguments?
  ) async throws -> Service {
    do {
      return try Container.tryReceiving(service) { memory in
        try resolver.container.tryTakingOrMaking(self, arguments, resolver.frame, for: .asynchronous, at: memory)
      }
    } catch {
      switch try error.remaining() {
      case .incomplete(let instance, let located):
        return try await located.instance(completing: instance, for: resolver).value(as: service)
      case .absent, .pending: break
      }
    }
    return try await instanceBehind(resolver, arguments).value(as: service)
  }

  /// The instance, for the alias, decorator or choice in front of this binding.
  ///
  /// - Parameter inherited: The key that the service's dependencies inherit.
  /// - Throws: `BindingIsGone` if the registration has been removed.
  func instanceBehind(
    _ resolver: Resolver, _ arguments: Arguments?, inheriting inherited: Key? = nil
  ) throws -> Instance {
    guard let instance = try located.instance(arguments, inheriting: inherited, for: resolver) else {
      throw BindingIsGone()
    }
    return instance
  }

  func instanceBehind(
    _ resolver: Resolver, _ arguments: Arguments?, inheriting inherited: Key? = nil
  ) async throws -> Instance {
    guard let instance = try await located.instance(arguments, inheriting: inherited, for: resolver) else {
      throw BindingIsGone()
    }
    return instance
  }
}
