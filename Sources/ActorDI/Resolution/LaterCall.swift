internal import Synchronization

/// A resolve that is made later than the factory that asked for it: by a ``Lazy`` or a ``Provider``.
///
/// It belongs to the chain of the caller: a service that its own lazy dependency leads back to while it is being made is a cycle like any
/// other. That of a ``Lazy`` uses the graph of the call that the lazy was made in; that of a ``Provider`` has one of its own.
struct LaterCall {
  let resolver: Resolver

  /// - Parameters:
  ///   - chain: who calls.
  ///   - attempt: the attempt that the resolve is part of; the caller's if nil.
  ///   - isShared: whether the caller says when the call ends.
  init(
    _ container: Container, graph: ResolutionGraph, _ chain: Chain, attempt: Attempt? = nil, isShared: Bool = false
  ) {
    if let attempt, let outer = chain.attempt { attempt.note(in: outer) }
    // The frame that a synchronous chain began in may belong to an outer attempt than the one that runs now.
    let frame = ResolutionFrame(
      graph: graph, parent: chain.frame, attempt: attempt ?? chain.attempt, isShared: isShared)
    resolver = Resolver(container: container, frame: frame)
  }

  /// Ends a call that has a graph of its own, though it may be made inside another one.
  func end() { resolver.frame?.graph.endCall() }

  /// Runs what the call consists of, on the caller's thread.
  ///
  /// It ends with that, unless it is part of another one, or goes on in a task, which may complete what has been made.
  func inline<Result>(_ body: (Resolver) throws -> Result) throws -> Result {
    let record = unsafe ThreadRecordPointer.current
    let isPart =
      unsafe resolver.frame?.parent != nil
      || record.pointee.depth.load(ordering: .relaxed) != record.pointee.base
    do {
      let result = try body(resolver)
      if !isPart { end() }
      return result
    } catch {
      if !isPart && !(error is OnceCell.SuspensionNeeded) { end() }
      throw error
    }
  }
}

/// What a ``Lazy`` or a ``Provider`` will resolve: the service, with the key and the run-time arguments that it was asked for with.
struct LaterRequest<Service>: Sendable {
  let identity: ServiceIdentity
  let make: @Sendable (Resolver) throws -> Service
  let makeAsync: @concurrent @Sendable (Resolver) async throws -> sending Service

  init<each Argument: Sendable>(_ key: Key?, _ arguments: repeat each Argument) {
    identity = ServiceIdentity(Service.self, arguments: repeat (each Argument).self, key: key)
    make = { resolver in
      try resolver.makeWithArguments(
        Service.self, nil, key: key, arguments: repeat each arguments)
    }
    makeAsync = { resolver in
      nonisolated(unsafe) let service = try await resolver.makeWithArguments(
        Service.self, nil, key: key, arguments: repeat each arguments)
      return unsafe service
    }
  }
}

extension LaterRequest {
  /// Whether it looks as if the resolve need not suspend. Then an asynchronous caller does it on its own thread, so that a synchronous one
  /// that comes meanwhile can wait for it.
  func isSynchronous(in container: Container) -> Bool {
    let dependency =
      identity.takesArguments
      ? Dependency(identity, .required) : Dependency(Service.self, key: identity.key)
    return container.targets(of: dependency).allSatisfy {
      container.canBuildSynchronously($0.binding)
    }
  }

  /// Makes the service on the thread of an asynchronous caller, for which it looked as if that could be done.
  ///
  /// - Throws: ``OnceCell/SuspensionNeeded`` where it cannot: a dependency was registered anew meanwhile, or a task is building it.
  func makeInline(_ resolver: Resolver) throws -> Service {
    do {
      return try make(resolver)
    } catch let error as ResolutionError where error.code == .asyncRequired {
      throw OnceCell.SuspensionNeeded(error: error)
    }
  }
}

extension Resolver {
  /// The chain of the code that is running: this thread's, else this task's.
  static var chainOfCaller: Chain {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    if unsafe depth > record.pointee.base { return unsafe record.chain(below: depth) }
    return Chain(ResolutionFrame.ofCurrentTask)
  }
}
