/// A service that is resolved once, on first use.
///
/// Ask for a `Lazy` where a service is not always needed, or where two services need each other:
///
/// ```swift
/// final class Parent: Sendable { init(child: Lazy<Child>) { … } }
/// final class Child: Sendable { init(parent: Parent) { … } }
/// ```
///
/// A lazy shares the `.graph` instances of the resolve that created it. It retains its container until it is resolved, unless that is a
/// scope. From then on it holds the service, as a property would. Two kept services with lazies of each other retain each other.
///
/// In a synchronous closure inside an asynchronous function, write `lazy.callAsFunction()`: the compiler chooses between the two forms
/// of an implicit call by the function, not by the closure.
public struct Lazy<Service: Sendable>: Sendable {
  private let origin: LaterOrigin
  private let request: LaterRequest<Service>
  private let cell: OnceCell

  init(dependencyOf resolver: Resolver, _ request: LaterRequest<Service>) {
    origin = LaterOrigin(dependencyOf: resolver, sharing: resolver.currentGraph)
    self.request = request
    cell = OnceCell(lazily: request.identity)
  }

  /// Returns the service, resolving it on the first call.
  ///
  /// - Returns: The same instance each time.
  /// - Throws: The errors of the resolve. The next call after a failed resolve tries again.
  /// - Concurrency: Callable from any thread; concurrent calls resolve the service once.
  public func callAsFunction() throws -> Service {
    let chain = Resolver.chainOfCaller
    let instance = try cell.instance(for: chain, mode: .inline) { attempt in
      try product(of: attempt, chain, by: request.make)
    }
    return try service(instance)
  }

  /// Returns the service, resolving it on the first call and suspending if it is built asynchronously.
  ///
  /// - Returns: The same instance each time.
  /// - Throws: The errors of the resolve. The next call after a failed resolve tries again.
  /// - Concurrency: Callable from any task; concurrent calls resolve the service once.
  public func callAsFunction() async throws -> Service {
    if let instance = cell.existing() { return try service(instance) }
    let parent = ResolutionFrame.ofCurrentTask
    let instance = try await cell.instance(for: Chain(parent), mode: buildMode) { attempt in
      try product(of: attempt, Chain(parent), by: request.makeInline)
    } task: { attempt in
      let call = try origin.call(for: cell.identity, Chain(parent), attempt: attempt)
      return try await OverrideLayer.holding(origin.overrides) {
        Product(instance: Instance(holding: try await request.makeAsync(call.resolver)))
      }
    }
    return try service(instance)
  }

  /// The way in which an asynchronous caller has the service resolved.
  private var buildMode: OnceStateMachine.BuildMode {
    // A released origin means that the service has just been resolved, so nothing is left to build.
    guard let container = origin.container else { return .inline }
    return OverrideLayer.holding(origin.overrides) { request.isSynchronous(in: container) ? .inline : .task }
  }

  private func product(
    of attempt: Attempt, _ chain: Chain, by make: (Resolver) throws -> Service
  ) throws -> Product {
    let call = try origin.call(for: cell.identity, chain, attempt: attempt, isShared: true)
    return try OverrideLayer.holding(origin.overrides) {
      Product(instance: Instance(holding: try call.inline(make)))
    }
  }

  private func service(_ instance: Instance?) throws -> Service {
    // The cell of a lazy is never retired.
    guard let instance else { throw ResolutionError(.closed, for: cell.identity) }
    origin.letGo()
    return instance.value(as: Service.self)
  }
}
