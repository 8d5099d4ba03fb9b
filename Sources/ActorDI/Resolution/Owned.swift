/// A service with its own scope: its disposal includes all instances that were built for it alone.
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
/// The service is resolved immediately, in its own call tree, from a new child of the asked container. Therefore it shares no `.graph`
/// services with the enclosing call, and the child keeps instances for this service alone. Instances that the container or its parents
/// keep, such as singletons, outlive the `Owned`.
///
/// Because the service is resolved immediately, a service that depends on itself through an `Owned` is a cycle; use ``Lazy`` or
/// ``Provider`` instead. `Provider<Owned<Session>>` makes a new one at each call. A scoped service that makes an `Owned` of itself ends with
/// that error when the scopes are nested some nine hundred deep, since the recursion may depend on a condition.
///
/// An `Owned` that is released without ``dispose()`` is disposed of by a task, with the outcome ``ScopeOutcome/cancelled``, because
/// nothing has said that the work with the service is complete. This includes an `Owned` whose taker's initialiser has thrown an error.
/// If the service cannot be resolved, a task disposes of what was built for it alone. The shutdown of its container waits for the task.
/// So keep the `Owned`, not only its ``value``, while the service is in use.
///
/// An `Owned` retains its container until it is disposed of. A singleton that holds one is therefore released by
/// ``Container/reset(_:)-(Scope?)``, not by dropping the container.
public struct Owned<Service: Sendable>: Sendable {
  /// The service. Whether it can be used after ``dispose()`` depends on the service.
  public let value: Service

  private let scope: OwnedScope

  private init(_ value: Service, _ scope: Container) {
    self.value = value
    self.scope = OwnedScope(scope)
  }

  /// Disposes of all instances that were built for the service alone, like ``Container/shutdown(timeout:)``.
  ///
  /// Copies share the scope, which ends once. Further calls only wait for the first one to finish. Observers learn of failures; the
  /// call does not throw.
  ///
  /// - Concurrency: Callable from any task.
  public func dispose() async { await scope.end() }
}

/// The container of an ``Owned`` service's scope, until it is disposed of.
private final class OwnedScope: Sendable {
  private let container: Lock<Container?>

  init(_ container: Container) { self.container = Lock(container) }

  deinit {
    guard var scope = container.withLock({ exchange(&$0, with: nil) }), !scope.lifecycle.isClosed else { return }
    // Nothing to dispose of, and no other user that could make something.
    if !scope.lifecycle.hasDisposals && isKnownUniquelyReferenced(&scope) { return }
    // In a task, because disposers must not run inside a release. The task keeps the scope alive, so that the end of a container above
    // finds it.
    Task.detached { [scope] in _ = await scope.close(after: .cancelled) }
  }

  func end() async {
    guard let scope = container.withLock({ $0 }) else { return }
    _ = await scope.close(after: .completed)
    // This may be the last reference, so it is released after the lock.
    _ = container.withLock { exchange(&$0, with: nil) }
  }
}

extension Owned: RelationshipType {
  static var opensScope: Bool { true }

  static func dependency(key: Key?) -> Dependency { Dependency(Service.self, key: key) }

  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: arguments)
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) throws -> Self {
    let scope = resolver.container.makeChild(name: "owned")
    let call = DeferredCall(
      scope, graph: ResolutionGraph(), Resolver.chainOfCaller(makingAttempts: true), opensScope: true)
    defer { call.end() }
    do {
      let service = try call.resolver.resolve(Service.self, erasedKey: key, arguments: arguments)
      return Owned(service, scope)
    } catch {
      end(scope, afterFailing: error)
      throw error
    }
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Self {
    let scope = resolver.container.makeChild(name: "owned")
    let parent = resolver.factoryFrame
    let call = DeferredCall(scope, graph: ResolutionGraph(), Chain(parent), opensScope: true)
    defer { call.end() }
    do {
      let service = try await call.resolver.resolve(Service.self, erasedKey: key, arguments: arguments)
      return Owned(service, scope)
    } catch {
      end(scope, afterFailing: error)
      throw error
    }
  }

  /// Ends the scope of a service that could not be resolved.
  private static func end(_ scope: Container, afterFailing error: any Error) {
    // A cancelled caller leaves a build in flight. It lists its disposal before it ends, so this look comes first.
    guard !scope.lifecycle.activity.isIdle || scope.lifecycle.hasDisposals || scope.hasSubordinates else { return }
    // Here, because the task is not cancelled when this one is.
    let outcome = ScopeOutcome.thrown(error)
    // No other code has a reference to the scope, so nothing else would dispose of its instances. In a task, because a caller that cannot
    // suspend, or was cancelled, does not wait.
    Task.detached { _ = await scope.close(after: outcome) }
  }
}
