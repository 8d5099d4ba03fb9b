import Synchronization

/// Sessions by key, written by hand: dictionaries behind a few locks, which count the uses of each session and note when it becomes idle.
final class ShardedSessions: Sendable {
  /// `@unchecked Sendable` because the shard's lock guards its variables.
  final class Session: @unchecked Sendable {
    let leaf: Leaf
    fileprivate var uses = 0
    fileprivate var idleSince = ContinuousClock.now

    init(_ leaf: Leaf) { self.leaf = leaf }
  }

  private final class Shard: Sendable {
    let sessions = Mutex<[Int: Session]>([:])
    /// Keeps the shards out of one cache line.
    let padding = Mutex<SIMD16<UInt64>>(.zero)
  }

  private let shards = (0..<8).map { _ in Shard() }

  private func shard(of key: Int) -> Shard { shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))] }

  /// Returns the session of a key.
  @inline(never)
  func session(of key: Int) -> Session {
    shard(of: key).sessions.withLock { Self.session(of: key, in: &$0) }
  }

  private static func session(of key: Int, in sessions: inout [Int: Session]) -> Session {
    if let known = sessions[key] { return known }
    let new = Session(Leaf())
    sessions[key] = new
    return new
  }

  /// Runs an operation with the session of a key.
  @inline(never)
  nonisolated(nonsending) func withSession<Result>(
    _ key: Int, operation: nonisolated(nonsending) (Session) async throws -> Result
  ) async rethrows -> Result {
    let shard = shard(of: key)
    let session = shard.sessions.withLock { sessions in
      let session = Self.session(of: key, in: &sessions)
      session.uses += 1
      return session
    }
    defer {
      let now = ContinuousClock.now
      shard.sessions.withLock { _ in
        session.uses -= 1
        if session.uses == 0 { session.idleSince = now }
      }
    }
    return try await operation(session)
  }
}
