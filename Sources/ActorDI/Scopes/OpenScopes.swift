/// The scopes that are open in a container: whoever has opened one holds it.
///
/// In several lists, each with a lock and cache lines of its own, and each thread has its own as long as there are not too many: tasks that
/// open and close scopes side by side write nothing in common.
final class OpenScopes: Sendable {
  private final class Shard: Sendable {
    let scopes = Lock(UnheldList<Lifecycle>())
    // What is allocated next to it is not in the same pair of cache lines.
    private let padding: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
  }

  private let shards = (0..<OpenScopes.shardCount).map { _ in Shard() }
  private static var shardCount: Int { 8 }

  /// Lists a scope, for whoever has opened it to take it out.
  ///
  /// - Parameter isOpen: whether the container is, asked under the lock: who closes it looks at the lists afterwards.
  /// - Returns: false when the container is closed.
  func add(_ scope: Lifecycle, if isOpen: () -> Bool) -> Bool {
    let index = unsafe Int(UInt(bitPattern: ThreadRecordPointer.current) >> 7) % Self.shardCount
    return shards[index].scopes.withLock { scopes in
      guard isOpen() else { return false }
      unsafe scope.shard = index
      scopes.append(scope)
      return true
    }
  }

  /// - Returns: the scope's operation, if somebody waits for it.
  func remove(_ scope: Lifecycle) -> AwaitedOperation? {
    unsafe shards[scope.shard].scopes.withLock { scopes in
      scopes.remove(scope)
      return unsafe scope.awaitedOperation
    }
  }

  var isEmpty: Bool { shards.allSatisfy { $0.scopes.withLock { $0.isEmpty } } }

  /// Those whose lives they are, taken under the locks: as long as a scope is listed, somebody holds it.
  var owners: [any LifecycleOwner] {
    shards.flatMap { shard in shard.scopes.withLock { $0.all.compactMap(\.owner) } }
  }

  /// - Parameter container: the name of the container that they are open in.
  func described(in container: String) -> [OpenScope] {
    shards.flatMap { shard in shard.scopes.withLock { $0.all.map { OpenScope($0, in: container) } } }
  }

  /// The operation of one of them, which from now on tells of its end; nil when it is not listed any more.
  ///
  /// - Parameter container: the name of the container that they are open in.
  func operation(of scope: Lifecycle, in container: String) -> AwaitedOperation? {
    unsafe shards[scope.shard].scopes.withLock { _ in
      guard scope.isListed else { return nil }
      if let known = unsafe scope.awaitedOperation { return known }
      let operation = AwaitedOperation(of: scope, in: container)
      unsafe scope.awaitedOperation = operation
      return operation
    }
  }
}
