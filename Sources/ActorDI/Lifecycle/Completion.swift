internal import Synchronization

/// Whether instances have something to do between their factory and the end of their resolve: ``PostInitialization``,
/// ``ResolutionAware``.
enum Completion: UInt8, Sendable {
  /// They have not.
  case none
  /// They have, all of them: the service's type says so. Then only an asynchronous caller can have one made.
  case asynchronous
  /// Each instance has to be asked.
  case dependsOnInstance

  /// - Parameter facts: those of the service's type.
  init(_ facts: TypeFacts) {
    self = facts.contains(.completesAsynchronously) ? .asynchronous : .dependsOnInstance
  }
}

extension Binding {
  /// Whether there is nothing to do for an instance after its factory.
  final func isComplete(_ instance: Instance) -> Bool {
    func isComplete<Service>(_ type: Service.Type) -> Bool {
      instance.lend(as: type) { isKnownAsComplete($0) || findsComplete($0) }
    }
    return switch completion {
    case .none: true
    case .asynchronous: false
    case .dependsOnInstance: isSettled || isComplete(instance.type)
    }
  }

  /// Asks the runtime, and remembers the answer.
  @usableFromInline
  @inline(never)
  final func findsComplete<Service>(_ service: Service) -> Bool {
    let (facts, type) = TypeFacts.of(instance: service)
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

  /// Whether there is nothing to wait for, of a plain transient that its factory has just made. What has to be disposed of is noted.
  @usableFromInline
  @inline(never)
  final func settles<Service>(_ service: Service, in container: Container) throws -> Bool {
    guard findsComplete(service) else { return false }
    // What a container that is being closed disposes of, it does not hand out (L1).
    if try note(Instance(holding: service), in: container) != nil, container.lifecycle.isClosed {
      throw ResolutionError(.closed, for: identity, path: [identity], container: container.name)
    }
    return true
  }

  /// What a synchronous caller gets instead of an instance that has something to do, which it cannot wait for.
  @usableFromInline
  @inline(never)
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
  final func completed<Service>(_ service: Service, in container: Container) async throws -> Service {
    let outer = ResolutionFrame.ofCurrentTask ?? ResolutionFrame(graph: ResolutionGraph())
    return try await completed(Instance(holding: service), container, in: outer).value()
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
