/// The open scopes of a container. The task that has opened a scope retains it, and then its extensions do.
///
/// There are several lists, each with a lock and cache lines of its own. Threads are distributed over the lists, so that few tasks
/// that open and close scopes concurrently write a common line.
final class OpenScopes: Sendable {
  private final class Shard: Sendable {
    let scopes = Lock(UnheldList<Lifecycle>())
    // Keeps the next allocation out of this shard's pair of cache lines.
    private let padding: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
  }

  private let shards = (0..<OpenScopes.shardCount).map { _ in Shard() }
  private static var shardCount: Int { 8 }

  /// Lists a scope. The caller removes it.
  ///
  /// - Parameter isOpen: Whether the container is open. Called under the lock; a closing thread looks at the lists afterwards.
  /// - Returns: False if the container is closed.
  @_optimize(speed)
  func add(_ scope: Lifecycle, if isOpen: () -> Bool) -> Bool {
    let index = unsafe Int(UInt(bitPattern: ThreadRecordPointer.current) >> 7) % Self.shardCount
    return shards[index].scopes.withLock { scopes in
      guard isOpen() else { return false }
      unsafe scope.shard = index
      scopes.append(scope)
      return true
    }
  }

  /// Removes a scope.
  ///
  /// - Returns: The scope's operation, if a task waits for it.
  @_optimize(speed)
  func remove(_ scope: Lifecycle) -> ScopeOperation? {
    unsafe shards[scope.shard].scopes.withLock { scopes in
      scopes.remove(scope)
      return unsafe scope.operation
    }
  }

  /// Notes that the task of an extended scope has returned from its operation.
  ///
  /// - Returns: The operation.
  func leave(_ scope: Lifecycle) -> ScopeOperation? {
    unsafe shards[scope.shard].scopes.withLock { _ in
      scope.leaveScope()
      return unsafe scope.operation
    }
  }

  var isEmpty: Bool { shards.allSatisfy { $0.scopes.withLock { $0.isEmpty } } }

  /// The containers of the scopes. Loaded under the locks, because a scope is retained while it is listed.
  var owners: [any LifecycleOwner] {
    shards.flatMap { shard in shard.scopes.withLock { $0.all.compactMap(\.owner) } }
  }

  /// Descriptions of the scopes.
  ///
  /// - Parameter container: The name of the container in which they are open.
  func described(in container: String) -> [OpenScope] {
    shards.flatMap { shard in shard.scopes.withLock { $0.all.map { OpenScope($0, in: container) } } }
  }

  /// Returns the operation of a scope, which signals its end from now on; nil if the scope is not listed any more.
  ///
  /// - Parameter container: The name of the container in which it is open.
  func operation(of scope: Lifecycle, in container: String) -> ScopeOperation? {
    unsafe shards[scope.shard].scopes.withLock { _ in
      guard scope.isListed else { return nil }
      if let known = unsafe scope.operation { return known }
      let operation = ScopeOperation(of: scope, in: container)
      unsafe scope.operation = operation
      return operation
    }
  }
}
