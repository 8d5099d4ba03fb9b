internal import Synchronization

// What instances have to do between their factory and the end of their resolve.

extension Binding {
  /// Whether there is nothing to do for an instance after its factory.
  final func isComplete(_ instance: Instance) -> Bool {
    switch completion {
    case .none: true
    case .asynchronous: false
    case .dependsOnInstance:
      unsafe isKnownAsComplete(at: instance.box.memory) || findsComplete(instance)
    }
  }

  /// Asks the runtime, and remembers the answer.
  @inline(never)
  private final func findsComplete(_ instance: Instance) -> Bool {
    func facts<Service>(_ type: Service.Type) -> (facts: TypeFacts, type: (any Any.Type)?) {
      instance.lend(as: type) { TypeFacts.of(instance: $0) }
    }
    let (facts, type) = facts(instance.type)
    guard !facts.contains(.completesAsynchronously) else {
      completeType.store(DynamicTypeProbe.conforming, ordering: .relaxed)
      return false
    }
    // It is complete, but each of its kind has to be looked at, for its end.
    if disposability == .dependsOnInstance, facts.contains(.isDisposable) {
      if typeProbe == .firstObject {
        _ = completeType.compareExchange(
          expected: 0, desired: DynamicTypeProbe.ending, ordering: .relaxed)
      }
      return true
    }
    // Of an optional, the next one may hold something.
    if let type { rememberAsComplete(type) }
    return true
  }

  /// Looks at a plain transient that its factory has just made. What has to be disposed of is noted.
  ///
  /// - Parameter memory: where it is; deinitialised where this throws, or takes the instance.
  /// - Returns: the instance, if there is more to do for it that has to be waited for.
  @inline(never)
  final func settle(instanceAt memory: UnsafeMutableRawPointer, in container: Container) throws -> Instance? {
    func take<Service>(_ type: Service.Type) -> Instance {
      Instance(holding: unsafe memory.assumingMemoryBound(to: type).move())
    }
    let instance = take(descriptor.identity.service)
    guard findsComplete(instance) else { return instance }
    // What a container that is being closed disposes of, it does not hand out (L1).
    if try note(instance, in: container) != nil, container.lifecycle.isClosed {
      throw ResolutionError(.closed, for: identity, path: [identity], container: container.name)
    }
    func putBack<Service>(_ type: Service.Type) {
      unsafe memory.initializeMemory(as: type, to: instance.value(as: type))
    }
    putBack(instance.type)
    return nil
  }

  /// What a synchronous caller gets instead of an instance that has something to do, which it cannot wait for.
  final func needsAsynchronousCaller() -> ResolutionError {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    return unsafe .asyncRequired(identity, record.chain(below: depth))
  }

  /// Lets an instance do what is its own part, before anybody else sees it.
  ///
  /// - Returns: its number among those that are told at the end of the call, if it is.
  final func complete(_ instance: Instance, in frame: ResolutionFrame?) async throws -> UInt64? {
    let any = instance.anyValue
    if let service = any as? any PostInitialization { try await service.didInitialize() }
    guard let service = any as? any ResolutionAware else { return nil }
    return frame?.note(service)
  }

  /// Goes on with a transient that its factory has made in a synchronous call.
  final func completed(
    _ incomplete: Instance, _ container: Container, in outer: ResolutionFrame
  ) async throws -> Instance {
    defer { outer.endOutermostCall() }
    let frame = ResolutionFrame(self, in: container, parent: outer, attempt: nil)
    let resolver = Resolver(container: container, frame: frame)
    let instance = try await container.lifecycle.whileOpen(identity, Chain(outer), in: frame) {
      try await build(
        recipe, resolver, nil, incomplete: incomplete, observation(in: container))
    }
    try await outer.tellAtEndOfOutermostCall()
    return instance
  }

  /// The same, for the read path.
  @usableFromInline
  final func completed(_ incomplete: Instance, in container: Container) async throws -> Instance {
    try await completed(
      incomplete, container, in: ResolutionFrame.ofCurrentTask ?? ResolutionFrame(graph: ResolutionGraph()))
  }
}

extension Binding {
  /// Whether there is a service behind this binding whose instances may have something to do that has to be waited for, as far as is
  /// known. Then a synchronous call is no way to get one, even if the factory is synchronous.
  final var standsBeforeIncomplete: Bool {
    if let primary { return primary.mayBeIncomplete }
    return stoodFor.contains { $0.mayBeIncomplete }
  }

  private final var mayBeIncomplete: Bool {
    let known = completeType.load(ordering: .relaxed)
    let isKnown = known == DynamicTypeProbe.settled || known > DynamicTypeProbe.conforming
    return !isKnown || standsBeforeIncomplete
  }

  /// Whether the last instance that was made had something to do that only an asynchronous caller can wait for.
  final var wasLastIncomplete: Bool {
    completeType.load(ordering: .relaxed) == DynamicTypeProbe.conforming
  }
}
