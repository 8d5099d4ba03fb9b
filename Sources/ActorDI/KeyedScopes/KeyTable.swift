/// The keys that have a scope, are about to have one, or whose scope is ending. It neither locks nor waits, and reads no clock.
///
/// ```
///            opened          beginEnding            remove
///   opening ────────▶ open ──────────────▶ ending ─────────▶
///      └──────────────────────── remove ───────────────────▶
/// ```
///
/// - KS1 *one scope*: a key has at most one entry, and an entry has at most one scope. A caller that finds the entry `opening` or `ending`
///   waits for the next phase, and arrives again.
/// - KS2 *none ended under a user*: an idle end begins only while no operation runs, in the step that lets no further one begin.
/// - KS3 *no deadlock with oneself*: a task that runs an operation of an ending scope may begin another one, since the end waits for the
///   task anyway.
struct KeyTable<Key: Hashable & Sendable, Scope: Sendable>: ~Copyable {
  /// A key, from the arrival of the caller that opens its scope to the end of the scope.
  ///
  /// `@unchecked Sendable` like its superclass; used under the lock that guards the table.
  final class Entry: LinkedElement, @unchecked Sendable {
    let key: Key
    fileprivate(set) var phase = Phase.opening
    fileprivate(set) var scope: Scope?
    fileprivate(set) var operations = RunningOperations()
    fileprivate(set) var openedAt = Duration.zero
    /// The end of the last operation.
    fileprivate(set) var idleSince = Duration.zero
    /// Opened at the next change of the phase.
    fileprivate var waiters: [Latch] = []

    fileprivate init(_ key: Key) { self.key = key }
  }

  enum Phase { case opening, open, ending }

  private var entries: [Key: Entry] = [:]
  /// The open entries without operations, the longest idle first.
  private var idle = LinkedList<Entry>()

  // MARK: Arriving

  enum Arrival {
    /// The scope is open. The number is that of the operation.
    case use(Entry, Int)
    /// The caller must open the scope, and report by ``opened(_:_:at:by:)`` or ``remove(_:)``.
    case open(Entry)
    /// The caller must wait for the latch, and arrive again. The scope is one that is ending.
    case wait(Latch, Scope?)
  }

  mutating func arrive(at key: Key, by task: UInt) -> Arrival {
    guard let entry = entries[key] else {
      let entry = Entry(key)
      entries[key] = entry
      return .open(entry)
    }
    // KS3
    if entry.phase == .open || entry.phase == .ending && entry.operations.isRun(by: task) {
      return .use(entry, begin(entry, by: task))
    }
    let latch = Latch()
    entry.waiters.append(latch)
    return .wait(latch, entry.scope)
  }

  private mutating func begin(_ entry: Entry, by task: UInt) -> Int {
    _ = idle.remove(entry)
    return entry.operations.begin(by: task)
  }

  /// Publishes a new scope.
  ///
  /// - Returns: The number of the opener's operation, and the callers to wake.
  mutating func opened(_ entry: Entry, _ scope: Scope, at now: Duration, by task: UInt) -> (Int, [Latch]) {
    entry.scope = scope
    entry.phase = .open
    entry.openedAt = now
    return (entry.operations.begin(by: task), exchange(&entry.waiters, with: []))
  }

  /// Adds an operation that no task runs.
  ///
  /// - Returns: Nil if the scope is ending and no other operation delays its end.
  mutating func extend(_ entry: Entry) -> Int? {
    guard entry.phase == .open || entry.operations.count > 0 else { return nil }
    return begin(entry, by: 0)
  }

  // MARK: Leaving

  enum Departure {
    /// Nothing remains to be done.
    case done
    /// The scope has become idle.
    case idle
    /// The caller must end the scope.
    case end
  }

  /// Ends an operation.
  ///
  /// - Parameter endsIdle: Whether an idle scope ends at once.
  /// - Returns: The operation if a task waits for it.
  mutating func leave(
    _ entry: Entry, _ number: Int, at now: Duration, endsIdle: Bool
  ) -> (Departure, ScopeOperation?) {
    let operation = entry.operations.end(number)
    guard entry.phase == .open, entry.operations.count == 0 else { return (.done, operation) }
    if endsIdle {
      entry.phase = .ending
      return (.end, operation)
    }
    entry.idleSince = now
    idle.append(entry)
    return (.idle, operation)
  }

  // MARK: Ending

  /// Lets no further operation begin.
  ///
  /// - Returns: Whether the caller must end the scope.
  mutating func beginEnding(_ entry: Entry) -> Bool {
    guard entry.phase == .open else { return false }
    _ = idle.remove(entry)
    entry.phase = .ending
    return true
  }

  /// The end of the last operation in the longest idle scope; nil if no scope is idle.
  var longestIdleSince: Duration? { idle.first?.idleSince }

  /// Begins to end the longest idle scope.
  ///
  /// - Parameter latest: The latest end of its last operation.
  mutating func beginEndingLongestIdle(since latest: Duration) -> Entry? {
    guard let entry = idle.first, entry.idleSince <= latest, beginEnding(entry) else { return nil }
    return entry
  }

  /// Removes a key whose scope has ended, or could not be opened.
  ///
  /// - Returns: The callers to wake; nil if the key was removed before.
  mutating func remove(_ entry: Entry) -> [Latch]? {
    guard entries[entry.key] === entry else { return nil }
    entries[entry.key] = nil
    _ = idle.remove(entry)
    entry.phase = .ending
    // The scope holds its entry.
    entry.scope = nil
    return exchange(&entry.waiters, with: [])
  }

  // MARK: Inspecting

  subscript(key: Key) -> Entry? { entries[key] }
  var isEmpty: Bool { entries.isEmpty }
  var all: [Entry] { Array(entries.values) }
  var allIdle: [Entry] { idle.all }

  /// The running operations of an entry, for a caller that will wait for them.
  func operations(of entry: Entry, _ make: (UInt) -> ScopeOperation) -> [ScopeOperation] {
    entry.operations.operations(make)
  }
}
