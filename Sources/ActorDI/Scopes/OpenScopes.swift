/// The open scopes of a container. The task that has opened a scope retains it, and then its extensions do.
///
/// There are several lists, each with a lock and cache lines of its own. Threads are distributed over the lists, so that few tasks
/// that open and close scopes concurrently write a common line.
///
/// `@unchecked Sendable` because the pointer does not change, and each shard is used under its lock.
@safe
final class OpenScopes: @unchecked Sendable {
  private struct Shard: ~Copyable {
    let scopes = Lock(UnheldList<Lifecycle>())
    // Keeps the next shard out of this one's pair of cache lines.
    private let padding: (SIMD8<UInt64>, SIMD8<UInt64>) = (.zero, .zero)
  }

  /// Memory of its own rather than an array of objects: a scope would retain its shard twice.
  private let shards: UnsafeMutablePointer<Shard>
  private static var shardCount: Int { 8 }

  init() {
    unsafe shards = .allocate(capacity: Self.shardCount)
    for index in 0..<Self.shardCount { unsafe (shards + index).initialize(to: Shard()) }
  }

  deinit {
    unsafe shards.deinitialize(count: Self.shardCount)
    unsafe shards.deallocate()
  }

  /// Calls a function with each list, under its lock, and returns the results.
  private func map<Result>(_ body: (borrowing UnheldList<Lifecycle>) -> Result) -> [Result] {
    (0..<Self.shardCount).map { index in unsafe shards[index].scopes.withLock { body($0) } }
  }

  /// Lists a scope. The caller removes it.
  ///
  /// - Parameter isOpen: Whether the container is open. Called under the lock; a closing thread looks at the lists afterwards.
  /// - Returns: False if the container is closed.
  @_optimize(speed)
  func add(_ scope: Lifecycle, if isOpen: () -> Bool) -> Bool {
    let index = unsafe Int(UInt(bitPattern: ThreadRecordPointer.current) >> 7) % Self.shardCount
    return unsafe shards[index].scopes.withLock { scopes in
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

  var isEmpty: Bool {
    (0..<Self.shardCount).allSatisfy { index in unsafe shards[index].scopes.withLock { $0.isEmpty } }
  }

  /// The containers of the scopes. Loaded under the locks, because a scope is retained while it is listed.
  var owners: [any LifecycleOwner] {
    map { $0.all.compactMap(\.owner) }.flatMap { $0 }
  }

  /// Descriptions of the scopes.
  ///
  /// - Parameter container: The name of the container in which they are open.
  func described(in container: String) -> [OpenScope] {
    map { $0.all.map { OpenScope($0, in: container) } }.flatMap { $0 }
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
