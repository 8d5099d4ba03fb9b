internal import Synchronization

/// The scopes of a ``KeyedScopes``. It does not know the type of the keys: generic code would look up metadata at each step.
@usableFromInline
final class ScopesByKey: Sendable {
  let container: Container
  /// The operations of the scope of several tasks in which the collection is, which those of its own scopes keep in use.
  let usesAround: (any ScopeUses)?
  let name: ScopeName
  let registrations: @Sendable (Key) -> Registrations
  /// How long an idle scope stays open; nil to end it at once.
  let idleFor: Duration?
  /// Nil without a maximum.
  let seats: Seats?
  let stopwatch: Stopwatch
  let sweeper = Sweeper()
  /// The keys. The word of a key determines its table, so that callers of different keys rarely share a lock.
  private let tables = Sharded<Lock<KeyTable>>()

  init(
    in container: Container, _ name: ScopeName, idleFor: Duration?, max: Int?,
    _ registrations: @escaping @Sendable (Key) -> Registrations
  ) {
    self.container = container
    usesAround = container.usesAround
    self.name = name
    self.registrations = registrations
    self.idleFor = idleFor.flatMap { $0 > .zero ? $0.clamped : nil }
    seats = max.map { Seats(max: $0) }
    stopwatch = Stopwatch(by: container.configuration.clock)
  }

  typealias Entry = KeyTable.Entry
  @usableFromInline typealias Use = KeyTable.Use

  /// Calls a function with the table of a word, under its lock.
  func withTable<Result: Sendable>(of word: UInt, _ body: (inout KeyTable) -> Result) -> Result {
    tables.borrow(at: Int(word % UInt(shardCount)), orMake: { Lock(KeyTable()) }) { table in
      table.withLock { body(&$0) }
    }
  }

  /// Calls a function with each table, under its lock.
  func mapTables<Result: Sendable>(_ body: (inout KeyTable) -> Result) -> [Result] {
    tables.map { table in table.withLock { body(&$0) } }
  }

  /// The scope of a key; nil if it has none, or one that is not open yet.
  ///
  /// - Parameter isMatch: Whether a key is the wanted one. Called outside of the lock, since it is user code.
  @usableFromInline
  func scope(of word: UInt, where isMatch: (Key) -> Bool) -> Container? {
    let open = withTable(of: word) { table in
      table.entries(of: word).filter { $0.phase != .opening }.map { ($0.key, $0.scope) }
    }
    return open.first { isMatch($0.0) }?.1
  }
}
