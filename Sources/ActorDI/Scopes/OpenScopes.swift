/// The open scopes of a container. The task that has opened a scope retains it, and then its extensions do. The entry of its key retains a
/// scope of several tasks.
///
/// There are several lists, each with a lock. Threads are distributed over the lists, so that few tasks that open and close scopes
/// concurrently write a common cache line.
struct OpenScopes: ~Copyable, Sendable {
  private let lists = Sharded<Lock<UnheldList<Lifecycle>>>()

  // The functions that each scope calls are inlined, so that their callers' closures borrow the lifecycle that they capture.

  /// Calls a function under the lock of the list that contains a scope or contained it; returns nil if no scope was ever opened.
  @inline(__always)
  private func withList(
    of scope: Lifecycle, _ body: (inout UnheldList<Lifecycle>) -> ScopeOperation?
  ) -> ScopeOperation? {
    lists.borrow(at: scope.shard) { list in list.withLock { body(&$0) } }
  }

  /// Lists a scope. The caller keeps it alive until ``remove(_:)``.
  ///
  /// - Parameter areOpen: Whether the container and the scope are open. Called under the lock; a thread that closes one of them looks at
  ///   the list afterwards.
  /// - Returns: False if the container or the scope is closed.
  @inline(__always)
  func add(_ scope: Lifecycle, if areOpen: () -> Bool) -> Bool {
    lists.borrow(at: scope.shard, orMake: { Lock(UnheldList()) }) { list in
      list.withLock { scopes in
        guard areOpen() else { return false }
        scopes.append(scope)
        return true
      }
    }
  }

  /// Removes a scope.
  ///
  /// - Returns: The scope's operation, if a task waits for it.
  @discardableResult
  func remove(_ scope: Lifecycle) -> ScopeOperation? {
    withList(of: scope) { scopes in
      scopes.remove(scope)
      return unsafe scope.operation
    }
  }

  /// Notes that the task of an extended scope has returned from its operation.
  ///
  /// - Returns: The operation.
  func noteReturn(from scope: Lifecycle) -> ScopeOperation? {
    withList(of: scope) { _ in
      scope.noteReturn()
      return unsafe scope.operation
    }
  }

  var isEmpty: Bool {
    (0..<shardCount).allSatisfy { lists.borrow(at: $0) { list in list.withLock { $0.isEmpty } } ?? true }
  }

  /// The containers of the scopes. Loaded under the locks, because a scope is certain to be alive only while it is listed.
  var owners: [any LifecycleOwner] { lists.map { list in list.withLock { $0.all.compactMap(\.owner) } }.flatMap { $0 } }

  /// Returns the operation of a scope, which signals its end from now on; nil if the scope is no longer listed.
  ///
  /// - Parameter container: The name of the container in which it is open.
  func awaitedOperation(of scope: Lifecycle, in container: String) -> ScopeOperation? {
    withList(of: scope) { _ in
      guard scope.isListed else { return nil }
      if let known = unsafe scope.operation { return known }
      let operation = ScopeOperation(of: scope, in: container)
      unsafe scope.operation = operation
      return operation
    }
  }
}
