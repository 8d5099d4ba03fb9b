// Resolving a binding on behalf of another one: the target of an alias, a decorated binding, or a candidate.
extension Binding {
  /// The instance for a synchronous caller, by the fast path if possible.
  ///
  /// - Parameter slowly: The slow path.
  final func current<Service>(
    as service: Service.Type, _ resolver: Resolver, _ slowly: () throws -> Instance
  ) throws -> Service {
    try unsafe Container.receive(service) { unsafe try writeCurrent(resolver, to: $0, slowly) }
  }

  /// Writes the instance for a synchronous caller, by the fast path if possible.
  ///
  /// - Parameters:
  ///   - memory: Receives the instance.
  ///   - slowly: The slow path.
  final func writeCurrent(
    _ resolver: Resolver, to memory: UnsafeMutableRawPointer, _ slowly: () throws -> Instance
  ) throws {
    if unsafe try resolver.frame == nil && resolver.container.make(self, at: memory) { return }
    unsafe try slowly().write(to: memory)
  }

  /// The instance for a caller that can suspend, by the fast path if possible; nil if the registration has been removed.
  final func current<Service>(
    as service: Service.Type, _ resolver: Resolver, with arguments: Arguments?
  ) async throws -> Service? {
    do {
      return try unsafe Container.tryReceiving(service) { memory in
        unsafe try resolver.container.tryTaking(
          self, resolver.frame, isSynchronous: false, at: memory, with: arguments)
      }
    } catch {
      switch try error.unfinished() {
      case .incomplete(let instance, let binding):
        return try await binding.instance(binding.recipe, for: resolver, completing: instance)?.value(as: service)
      case .absent, .pending: break
      }
    }
    return try await instance(recipe(with: arguments), for: resolver)?.value(as: service)
  }

  /// Whether the binding is tried without suspending for an asynchronous caller.
  ///
  /// If the try fails, the caller begins again. So it must repeat no hook. The target of an alias must have its instance already, or make
  /// one in a single step.
  final func isTriedAtOnce(for asked: Container) -> Bool {
    guard isBuiltAtOnce else { return false }
    guard isIndirect else { return synchrony == .synchronous || !descriptor.traits.hasHooks }
    guard let primary else { return false }
    if primary.word(for: asked).isInstance { return true }
    if mayYieldIncomplete { return false }
    if unsafe primary.isPlainTransient { return true }
    // The once cell keeps an incomplete instance. A call tree would lose it.
    return primary.isBuiltUncontended && !primary.isKeptByCall && primary.isBuiltAtOnce
      && !primary.descriptor.traits.hasHooks
  }

  /// Runs a closure with this binding, or with the override in force for it, on behalf of an alias.
  final func inForce(_ resolver: Resolver, _ body: (Binding, Resolver) throws -> Instance) throws -> Instance {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try body(stand?.binding ?? self, resolver)
  }

  final func inForce(
    _ resolver: Resolver, _ body: (Binding, Resolver) async throws -> Instance
  ) async throws -> Instance {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try await body(stand?.binding ?? self, resolver)
  }

  /// The instance, for the alias, decorator or delegate in front of this binding.
  ///
  /// - Throws: `PrimaryIsGone` if the registration has been removed.
  final func current(_ resolver: Resolver, _ recipe: Recipe) throws -> Instance {
    guard let instance = try instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return instance
  }

  final func current(_ resolver: Resolver, _ recipe: Recipe) async throws -> Instance {
    guard let instance = try await instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return instance
  }
}
