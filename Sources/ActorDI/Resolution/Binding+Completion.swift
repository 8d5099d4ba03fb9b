internal import Synchronization

// What instances have to do between their factory and the end of their resolve.

extension Binding {
  /// Whether no instance has to be looked at, whatever its type.
  final var isSettled: Bool { completeType.load(ordering: .relaxed) == DynamicTypeProbe.settled }

  /// Whether an instance is known to have nothing to do after its factory. False may also mean that it is not known.
  ///
  /// The mark of a class in an existential is its type with the lowest bit set: the type that stands there is the one that the
  /// compiler knew when the existential was made, and the object's may be a subclass.
  ///
  /// - Parameter memory: where the instance is, as the service's type.
  @inline(__always)
  final func isKnownAsComplete(at memory: UnsafeRawPointer) -> Bool {
    unsafe isSettled || isOfCompleteType(at: memory)
  }

  /// Out of line: where it is settled, as for all classes and value types, nothing of this is to stand in the way.
  @inline(never)
  private final func isOfCompleteType(at memory: UnsafeRawPointer) -> Bool {
    let known = completeType.load(ordering: .relaxed)
    switch typeProbe {
    case .object: return unsafe TypeAddress.ofObject(at: memory) == known
    case .payload:
      let type = unsafe memory.loadUnaligned(fromByteOffset: DynamicTypeProbe.typeOffset, as: UInt.self)
      return unsafe type == known || (type | 1 == known && TypeAddress.ofObject(at: memory) == type)
    case .fixed, .firstObject, .unknown: return false
    }
  }

  /// Remembers a type none of whose instances has anything to do after its factory.
  final func rememberAsComplete(_ type: any Any.Type) {
    if typeProbe == .firstObject {
      // Not after one that did conform: then each is asked.
      _ = completeType.compareExchange(
        expected: 0, desired: DynamicTypeProbe.settled, ordering: .relaxed)
      return
    }
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let isBoxedClass = typeProbe == .payload && type is AnyClass
    completeType.store(isBoxedClass ? address | 1 : address, ordering: .relaxed)
  }
}

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
    let instance = try await container.lifecycle.whileOpen(identity, Chain(outer)) {
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
    return parts.contains { $0.mayBeIncomplete }
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
