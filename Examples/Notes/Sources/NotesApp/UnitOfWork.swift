import ActorDI
import GRDB

/// The database of one request or job: its reads, and one transaction for all that it writes.
///
/// SQLite has one writer. A read uses a reader of the pool, which sees what has been committed, and waits for no writer. The first write
/// waits for the writer, and begins the transaction. Later reads see what it has written. So a request that only reads never
/// takes the writer, and others wait for a request that writes from its first write to its end.
actor UnitOfWork {
  private let pool: DatabasePool
  private let turns: WriterTurns
  private var transaction: Task<Void, any Error>?
  private var hasEnded = false

  init(pool: DatabasePool, turns: WriterTurns) {
    self.pool = pool
    self.turns = turns
  }

  /// Reads from the database.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try checkNotEnded()
    guard let transaction else { return try await pool.read(body) }
    try await transaction.value
    return try await pool.writeWithoutTransaction(body)
  }

  /// Changes the database. What a change depends on is read here, too, because others may write before it.
  func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try checkNotEnded()
    // A task, so that the tasks of one request begin one transaction.
    let transaction = self.transaction ?? Task { try await begin() }
    self.transaction = transaction
    try await transaction.value
    return try await pool.writeWithoutTransaction(body)
  }

  /// Commits the transaction if the request was completed, or else rolls it back.
  func end(_ outcome: ScopeOutcome) async throws {
    hasEnded = true
    guard let transaction, case .success = await transaction.result else { return }
    let end: Result<Void, any Error>
    do {
      try await pool.writeWithoutTransaction { db in
        // After a failed commit, the transaction is still open.
        defer { try? db.rollback() }
        if case .completed = outcome { try db.commit() }
      }
      end = .success(())
    } catch {
      end = .failure(error)
    }
    await turns.giveBack()
    try end.get()
  }

  private func checkNotEnded() throws {
    // A task that outlives its request would write into the transaction of another.
    if hasEnded { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The unit of work has ended.") }
  }

  private func begin() async throws {
    await turns.take()
    do {
      try await pool.writeWithoutTransaction { db in try db.beginTransaction(.immediate) }
    } catch {
      await turns.giveBack()
      throw error
    }
  }
}

/// Lends the database's writer to one unit of work after the other, in order of arrival.
actor WriterTurns {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiters.append($0) }
  }

  func giveBack() {
    if waiters.isEmpty { isTaken = false } else { waiters.removeFirst().resume() }
  }
}
