internal import Synchronization

// The asynchronous steps of an instance between its factory and the end of its resolve.

extension Binding {
  /// Whether the instance needs no asynchronous step after its factory.
  func isComplete(_ instance: Instance) -> Bool {
    switch completion {
    case .none: true
    case .certain: false
    case .dependsOnInstance:
      isKnownAsComplete(at: instance.box.memory) || findsComplete(instance)
    }
  }

  /// Asks the runtime for the instance's conformances, and caches the answer.
  private func findsComplete(_ instance: Instance) -> Bool {
    func facts<Service>(_ type: Service.Type) -> (facts: TypeFacts, type: (any Any.Type)?) {
      instance.borrow(as: type) { TypeFacts.of(instance: $0) }
    }
    let (facts, type) = facts(instance.type)
    guard !facts.contains(.completesAsynchronously) else {
      completeType.store(DynamicTypeProbe.conforming, ordering: .relaxed)
      return false
    }
    // Instances of this type need no asynchronous step, but each one must be checked for disposal.
    if disposability == .dependsOnInstance, facts.contains(.isDisposable) {
      if typeProbe == .firstObject {
        _ = completeType.compareExchange(expected: 0, desired: DynamicTypeProbe.ending, ordering: .relaxed)
      }
      return true
    }
    // An optional without a value is not cached: the next one may hold a value.
    if let type { rememberAsComplete(type) }
    return true
  }

  /// Checks a new plain transient for completion, and records its disposal if it needs one.
  ///
  /// - Parameter memory: Contains the instance. Deinitialised if this function throws or returns an instance.
  /// - Returns: The instance, moved out of the memory, if it needs an asynchronous step; otherwise nil.
  func check(instanceAt memory: ServiceMemory, in container: Container) throws -> Instance? {
    let instance = memory.take(as: descriptor.identity.service)
    guard findsComplete(instance) else { return instance }
    if let disposal = try note(instance, in: container) {
      // A closing container disposes of the instance, so it must not hand it out (L1).
      if container.lifecycle.isClosed { throw ResolutionError.closed(building: identity, in: container) }
      ThreadRecordPointer.current.innermostAttempt?.addDisposal(disposal, ofUnkept: id)
    }
    instance.write(to: memory)
    return nil
  }

  /// Refuses a synchronous caller whose new instance needs an asynchronous step, and disposes of the instance.
  ///
  /// - Parameters:
  ///   - container: The container with whose registrations the instance was made.
  ///   - chain: The caller's chain.
  /// - Returns: The error for the caller.
  func refuse(_ incomplete: Instance, in container: Container, for chain: Chain) -> ResolutionError {
    let error = ResolutionError.asyncRequired(identity, chain)
    // A closed container disposes of the instance itself.
    if let disposal = try? note(incomplete, in: container) { [disposal].disposeInBackground(after: .failed(error)) }
    return error
  }

  /// Runs the instance's ``PostInitialization``, before any other code can see the instance, and notes a ``ResolutionAware`` one.
  ///
  /// - Returns: The number under which the instance is notified at the end of the call; nil if it is not to be notified.
  func complete(_ instance: Instance, in frame: ResolutionFrame?) async throws -> UInt64? {
    let any = instance.anyValue
    if let service = any as? any PostInitialization { try await service.didInitialize() }
    guard let service = any as? any ResolutionAware else { return nil }
    return frame?.awareInstances.add(service)
  }
}

extension Binding {
  /// Whether a binding behind this one may yield an instance that needs an asynchronous step. Such an instance needs an asynchronous
  /// caller, even if its factory is synchronous.
  var mayYieldIncomplete: Bool {
    if let primary { return primary.mayBeIncomplete }
    return wrapped.contains { $0.mayBeIncomplete }
  }

  /// Whether an instance may need an asynchronous step, as far as earlier instances tell.
  var mayBeIncomplete: Bool {
    let known = completeType.load(ordering: .relaxed)
    let isKnown = known == DynamicTypeProbe.settled || known > DynamicTypeProbe.conforming
    return !isKnown || mayYieldIncomplete
  }

  /// Whether the last instance needed an asynchronous step.
  var wasLastIncomplete: Bool { completeType.load(ordering: .relaxed) == DynamicTypeProbe.conforming }
}
