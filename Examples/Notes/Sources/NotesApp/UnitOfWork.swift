import ActorDI
import GRDB

/// The database of one request or job: its reads, and one transaction for all that it writes.
///
/// SQLite has one writer. A read uses a reader of the pool, which sees what has been committed, and waits for no writer. The first
/// write begins the transaction. Later reads see what it has written. So a request that only reads never takes the writer, and others
/// wait for a request that writes from its first write to its end.
actor UnitOfWork {
  private let pool: DatabasePool
  private let begin: @Sendable () async throws -> WriteTransaction
  private(set) var transaction: WriteTransaction?

  init(pool: DatabasePool, begin: @escaping @Sendable () async throws -> WriteTransaction) {
    self.pool = pool
    self.begin = begin
  }

  /// The scope builds the transaction at the first write, once for all tasks of the request, and ends it with its outcome.
  init(pool: DatabasePool, transaction: Lazy<WriteTransaction>) {
    self.init(pool: pool) { try await transaction.callAsFunction() }
  }

  /// Reads from the database.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    guard let transaction else { return try await pool.read(body) }
    return try await transaction.run(body)
  }

  /// Changes the database. What a change depends on is read here, too, because others may write before it.
  func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    let transaction = try await begin()
    self.transaction = transaction
    return try await transaction.run(body)
  }
}

/// A transaction of the database's only writer, from its initialiser to its end.
actor WriteTransaction {
  private let pool: DatabasePool
  private let turns: WriterTurns
  private var hasEnded = false

  init(pool: DatabasePool, turns: WriterTurns) async throws {
    self.pool = pool
    self.turns = turns
    await turns.take()
    do {
      try await pool.writeWithoutTransaction { db in try db.beginTransaction(.immediate) }
    } catch {
      await turns.giveBack()
      throw error
    }
  }

  func run<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    // A task that outlives its request would write into the transaction of another.
    if hasEnded { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The transaction has ended.") }
    return try await pool.writeWithoutTransaction(body)
  }

  /// Commits if the request was completed, or else rolls back.
  func end(_ outcome: ScopeOutcome) async throws {
    hasEnded = true
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
}

/// Lends the database's writer to one transaction after the other, in order of arrival.
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
