/// A service that is resolved once, on first use.
///
/// Ask for a `Lazy` where a service is not always needed, or where two services need each other:
///
/// ```swift
/// final class Parent: Sendable { init(child: Lazy<Child>) { … } }
/// final class Child: Sendable { init(parent: Parent) { … } }
/// ```
///
/// A lazy shares the `.graph` instances of the resolve that created it. It retains its container, except a scope, until the service is
/// resolved. From then on it holds the service, as a property would. Two kept services with lazies of each other retain each other.
///
/// In a synchronous closure inside an asynchronous function, write `lazy.callAsFunction()`. For an implicit call, the compiler chooses
/// the overload by the function, not by the closure.
public struct Lazy<Service: Sendable>: Sendable {
  private let source: LazySource

  init(dependencyOf resolver: borrowing Resolver, key: Key?, arguments: Arguments?) {
    let origin = DeferredOrigin(dependencyOf: resolver, sharing: resolver.currentGraph)
    source = LazySource(origin, DeferredRequest(Service.self, key: key, arguments))
  }

  /// Returns the service, resolving it on the first call.
  ///
  /// - Returns: The same instance each time.
  /// - Throws: The errors of the resolve. The next call after a failed resolve tries again.
  /// - Concurrency: Callable from any thread; concurrent calls resolve the service once.
  public func callAsFunction() throws -> Service { try source.resolve(Service.self) }

  /// Returns the service, resolving it on the first call and suspending if it is built asynchronously.
  ///
  /// - Returns: The same instance each time.
  /// - Throws: The errors of the resolve. The next call after a failed resolve tries again.
  /// - Concurrency: Callable from any task; concurrent calls resolve the service once.
  public func callAsFunction() async throws -> Service { try await source.resolve(Service.self) }
}

/// The request and the origin of a ``Lazy``, and the cell that keeps its instance.
private final class LazySource: Sendable {
  private let origin: DeferredOrigin
  private let request: DeferredRequest
  /// Created by the first call: many lazies are for services that are rarely needed.
  private let lazyCell = LazyReference<OnceCell>()
  private var cell: OnceCell { lazyCell.load(orStore: OnceCell(request.identity)) }

  init(_ origin: DeferredOrigin, _ request: DeferredRequest) {
    self.origin = origin
    self.request = request
  }

  func resolve<Service>(_ type: Service.Type) throws -> Service {
    let instance = try request.instance(of: type, in: cell, from: origin)
    origin.release()
    return instance.value(as: type)
  }

  nonisolated(nonsending) func resolve<Service>(_ type: Service.Type) async throws -> Service {
    let instance = try await request.instance(of: type, in: cell, from: origin)
    origin.release()
    return instance.value(as: type)
  }
}

// Resolving a request once, for any number of callers of a ``Lazy`` or of an injected property.
extension DeferredRequest {
  /// The instance that a cell keeps, built for the first caller.
  func instance<Service>(
    of type: Service.Type, in cell: OnceCell, from origin: DeferredOrigin
  ) throws -> Instance {
    if let instance = cell.existing() { return instance }
    let chain = Resolver.chainOfCaller(makingAttempts: true)
    let instance = try cell.instance(for: chain, mode: .inline) { attempt in
      // Ends the attempt for this caller only: others may be able to suspend. The call ends first, since no task continues it.
      try needingSuspension { try product(of: attempt, from: origin, chain) { try make(type, $0) } }
    }
    return try kept(instance)
  }

  /// The instance that a cell keeps, for a caller that can suspend.
  nonisolated(nonsending) func instance<Service>(
    of type: Service.Type, in cell: OnceCell, from origin: DeferredOrigin
  ) async throws -> Instance {
    if let instance = cell.existing() { return instance }
    let parent = ResolutionFrame.ofCurrentTask
    try await waitIfKept(as: type, from: origin, Chain(parent))
    let instance = try await cell.instance(for: Chain(parent), mode: buildMode(from: origin)) { attempt in
      try product(of: attempt, from: origin, Chain(parent)) { resolver in
        try needingSuspension { try make(type, resolver) }
      }
    } task: { attempt in
      origin.atBuild()
      let call = try origin.call(for: identity, Chain(parent), attempt: attempt)
      defer { call.end() }
      return try await OverrideLayer.holding(origin.overrides) {
        Product(instance: Instance(holding: try await makeAsync(type, call.resolver)))
      }
    }
    return try kept(instance)
  }

  /// Waits by suspending until a container keeps the service, if it does.
  ///
  /// The service's own cell has it built once for all callers. A caller that went to the other cell at once would build on its thread, and
  /// block the thread while another one builds the service.
  private nonisolated(nonsending) func waitIfKept<Service>(
    as type: Service.Type, from origin: DeferredOrigin, _ chain: Chain
  ) async throws {
    guard let container = origin.container, OverrideLayer.holding(origin.overrides, { isKept(in: container) }),
      // Nil if another caller has resolved the service meanwhile, and released the origin.
      let call = try? origin.call(for: identity, chain)
    else { return }
    defer { call.end() }
    try await OverrideLayer.holding(origin.overrides) { _ = try await makeAsync(type, call.resolver) }
  }

  private func product<Service>(
    of attempt: Attempt, from origin: DeferredOrigin, _ chain: Chain, _ make: (Resolver) throws -> Service
  ) throws -> Product {
    origin.atBuild()
    if let kept = origin.keptInstance(of: identity) { return Product(instance: kept) }
    let call = try origin.call(for: identity, chain, attempt: attempt)
    return try OverrideLayer.holding(origin.overrides) { Product(instance: Instance(holding: try call.inline(make))) }
  }

  private func kept(_ instance: Instance?) throws -> Instance {
    // Nothing retires such a cell.
    guard let instance else { throw ResolutionError(.closed, for: identity) }
    return instance
  }

  /// The build mode for an asynchronous caller.
  private func buildMode(from origin: DeferredOrigin) -> OnceStateMachine.BuildMode {
    // A released origin means that the service has just been resolved, so nothing is left to build.
    guard let container = origin.container else { return .inline }
    return OverrideLayer.holding(origin.overrides) { isSynchronous(in: container) ? .inline : .task }
  }
}
