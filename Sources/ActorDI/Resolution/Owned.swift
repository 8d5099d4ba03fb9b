/// A service with a scope of its own: what is made for it alone is let go of with it.
///
/// ```swift
/// final class Import: Sendable {
///   let session: Owned<Session>
///   init(session: Owned<Session>) { self.session = session }
///   func run() async {
///     await session.value.transfer()
///     await session.dispose()
///   }
/// }
/// ```
///
/// It is resolved at once, in a call tree of its own and from a child of the container that is asked: so `.graph` services
/// are not shared with the call that asked, and what such a child keeps is kept for this service alone. What the
/// container or its parents keep, such as a singleton, is theirs as always, and outlives this.
///
/// Since it is there from the beginning, a service that needs itself by way of an `Owned` is a cycle; use ``Lazy`` or
/// ``Provider`` for that. `Provider<Owned<Session>>` makes a new one at each call.
///
/// Until it is disposed of it keeps its container alive. A singleton that holds one is therefore let go of by
/// ``Container/reset(_:)-(Scope?)``, not by dropping the container.
public struct Owned<Service: Sendable>: Sendable {
  /// The service. Whoever still holds it may use it after ``dispose()``, as far as the service itself allows.
  public let value: Service

  private let scope: OwnedScope

  private init(_ value: Service, _ scope: Container) {
    self.value = value
    self.scope = OwnedScope(scope)
  }

  /// Ends the service's scope: what was made for it alone is disposed of, as by ``Container/shutdown(timeout:)``.
  ///
  /// Copies share the scope. It ends once: further calls wait for the end of the first, and do nothing.
  ///
  /// - Concurrency: from any task.
  public func dispose() async { await scope.end() }
}

/// The container that holds what belongs to an ``Owned``, until it is disposed of.
private final class OwnedScope: Sendable {
  private let container: Lock<Container?>

  init(_ container: Container) { self.container = Lock(container) }

  func end() async {
    guard let scope = container.withLock({ $0 }) else { return }
    _ = await scope.close(after: .completed)
    // The last reference, perhaps: it goes after the lock.
    _ = container.withLock { container in
      let ended = container
      container = nil
      return ended
    }
  }
}

extension Owned: RelationshipType {
  static func dependency(key: Key?) -> Dependency { Dependency(Service.self, key: key) }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: repeat each arguments)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    let graph = ResolutionGraph()
    defer { graph.endCall() }
    let scope = resolver.container.makeChild(name: "owned")
    let call = LaterCall(scope, graph: graph, Resolver.chainOfCaller)
    do {
      let service = try call.resolver.makeWithArguments(
        Service.self, nil, key: key, arguments: repeat each arguments)
      return Instance(holding: Owned(service, scope))
    } catch {
      // Nobody else knows of what was made for it.
      if scope.lifecycle.hasDisposals { Task.detached { _ = await scope.close(after: .failed(error)) } }
      throw error
    }
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    let graph = ResolutionGraph()
    defer { graph.endCall() }
    let scope = resolver.container.makeChild(name: "owned")
    let parent = resolver.liveFrame ?? ResolutionFrame.ofCurrentTask
    let call = LaterCall(scope, graph: graph, Chain(parent))
    do {
      let service = try await call.resolver.makeWithArguments(
        Service.self, nil, key: key, arguments: repeat each arguments)
      return Instance(holding: Owned(service, scope))
    } catch {
      _ = await scope.close(after: .failed(error))
      throw error
    }
  }
}
