internal import Synchronization

/// A resolve that is made later than the factory that asked for it: by a ``Lazy`` or a ``Provider``.
///
/// It uses the graph of the call that it was made in, and belongs to the chain of whoever calls: a service that its own lazy
/// dependency leads back to while it is being made is a cycle like any other.
struct LaterCall {
  let resolver: Resolver

  /// - Parameters:
  ///   - parent: the asynchronous factory that calls, if any.
  ///   - attempt: the attempt that the resolve is part of; the caller's if nil.
  init(
    _ container: Container, graph: ResolutionGraph, parent: ResolutionFrame?,
    attempt: Attempt? = nil
  ) {
    if let attempt, let outer = parent?.attempt ?? Resolver.chainOfCaller.attempt {
      attempt.note(in: outer)
    }
    let frame = ResolutionFrame(graph: graph, parent: parent, attempt: attempt)
    resolver = Resolver(container: container, frame: frame)
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

extension Resolver {
  /// The chain of the code that is running: this thread's, else this task's.
  static var chainOfCaller: Chain {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    if unsafe depth > record.pointee.base { return unsafe record.chain(below: depth) }
    return Chain(ResolutionFrame.ofCurrentTask)
  }
}
