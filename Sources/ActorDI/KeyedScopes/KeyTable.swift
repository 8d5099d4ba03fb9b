/// The keys that have a scope, are about to have one, or whose scope is ending. It neither locks nor waits, and calls no user code: it
/// compares no keys and reads no clock.
///
/// ```
///            opened         beginEnding           remove
///   opening ───────▶ open ─────────────▶ ending ────────▶ removed
/// ```
///
/// A scope that a shutdown finds while it opens goes from `opening` to `ending`; one that cannot be opened, to `removed`.
///
/// - C1 *one scope*: a key has at most one entry, and an entry has at most one scope. A caller that finds the entry `opening` or `ending`
///   waits for the next phase, and arrives again.
/// - C2 *none ended under a user*: an idle end begins only while no operation runs in the scope or below it, in the step that lets no
///   further one begin in the scope.
/// - C3 *no deadlock with oneself*: a task that runs an operation of an ending scope may begin another one, since the end waits for the
///   task anyway.
@usableFromInline
struct KeyTable: ~Copyable {
  /// A key, from the arrival of the caller that opens its scope to the end of the scope.
  ///
  /// `@unchecked Sendable` like its superclass; its variables are used under the lock that guards the table.
  final class Entry: LinkedElement, @unchecked Sendable {
    let key: Key
    /// A hash of the key, under which the table finds the entry.
    let word: UInt
    fileprivate(set) var phase = Phase.opening
    fileprivate(set) var scope: Container?
    fileprivate(set) var operations = RunningOperations()
    /// The number of operations that run in scopes below, extensions included. The end of the scope finds them by the scopes.
    fileprivate(set) var operationsBelow = 0
    fileprivate(set) var openedAt = Duration.zero
    /// The end of the last operation.
    fileprivate(set) var idleSince = Duration.zero
    var isInUse: Bool { operations.count > 0 || operationsBelow > 0 }
    /// Opened at the next change of the phase.
    fileprivate var waiters: [Latch] = []
    /// An earlier entry with the same word and another key.
    fileprivate var earlier: Entry?

    fileprivate init(_ key: Key, _ word: UInt) {
      self.key = key
      self.word = word
    }
  }

  enum Phase { case opening, open, ending, removed }

  /// A use of a scope in progress: an operation, or an extension, which no task runs.
  @usableFromInline
  struct Use: Sendable {
    let entry: Entry
    /// The number of the use in the scope.
    let number: Int
    @usableFromInline let scope: Container
  }

  private var latestEntries: [UInt: Entry] = [:]
  /// The open entries without operations, the longest idle first.
  private var idle = LinkedList<Entry>()

  // MARK: Arriving

  func latestEntry(of word: UInt) -> Entry? { latestEntries[word] }

  /// Begins an operation if the scope of a key is open, or if it is ending and waits for the task anyway (C3).
  mutating func beginIfPermitted(_ entry: Entry, by task: UInt) -> Use? {
    let isPermitted = entry.phase == .open || entry.phase == .ending && entry.operations.isRun(by: task)
    return isPermitted ? begin(entry, by: task) : nil
  }

  /// The entries of a word, the latest first.
  func entries(of word: UInt) -> [Entry] {
    var entries: [Entry] = []
    var next = latestEntries[word]
    while let entry = next {
      entries.append(entry)
      next = entry.earlier
    }
    return entries
  }

  /// Adds a key, whose scope the caller must open. The caller reports by ``opened(_:at:by:)`` or ``remove(_:)``.
  ///
  /// - Parameter latest: The latest entry of the word that the caller has compared.
  /// - Returns: Nil if there is another entry, which may have the key.
  mutating func insert(_ key: Key, _ word: UInt, before latest: Entry?) -> Entry? {
    guard latestEntries[word] === latest else { return nil }
    let entry = Entry(key, word)
    entry.earlier = latest
    latestEntries[word] = entry
    return entry
  }

  enum Arrival {
    /// The scope is open.
    case use(Use)
    /// The caller must wait for the latch, and arrive again. The scope is one that is ending.
    case wait(Latch, Container?)
    /// The caller must look for the key again.
    case removed
  }

  mutating func arrive(at entry: Entry, by task: UInt) -> Arrival {
    if let use = beginIfPermitted(entry, by: task) { return .use(use) }
    if entry.phase == .removed { return .removed }
    let latch = Latch()
    entry.waiters.append(latch)
    return .wait(latch, entry.phase == .ending ? entry.scope : nil)
  }

  private mutating func begin(_ entry: Entry, by task: UInt) -> Use? {
    guard let scope = entry.scope else { return nil }
    _ = idle.remove(entry)
    return Use(entry: entry, number: entry.operations.begin(by: task), scope: scope)
  }

  /// Stores a new scope, which no caller can use yet. Without effect if an observer of its registrations has ended it: the scope holds its
  /// entry.
  mutating func prepare(_ entry: Entry, _ scope: Container) { if entry.phase != .removed { entry.scope = scope } }

  /// Publishes the new scope.
  ///
  /// - Returns: The opener's operation, and the callers to wake; nil if the scope must end.
  mutating func opened(_ entry: Entry, at now: Duration, by task: UInt) -> (Use, [Latch])? {
    guard entry.phase == .opening, let use = begin(entry, by: task) else { return nil }
    entry.phase = .open
    entry.openedAt = now
    return (use, exchange(&entry.waiters, with: []))
  }

  /// Adds an operation that no task runs. A module may extend a scope that is opening.
  ///
  /// - Returns: Nil if the scope is ending and no other operation delays its end.
  mutating func extend(_ entry: Entry) -> Use? {
    guard entry.phase != .ending || entry.isInUse else { return nil }
    return begin(entry, by: 0)
  }

  /// Begins an operation in a scope below.
  mutating func beginBelow(_ entry: Entry) {
    _ = idle.remove(entry)
    entry.operationsBelow += 1
  }

  // MARK: Leaving

  /// What a scope does at the end of an operation.
  enum Effect: Sendable {
    /// It stays in its phase.
    case stays
    /// It stays open, but no operation runs.
    case becomesIdle
    /// It ends, and the caller must end it.
    case ends(Container)
  }

  /// Ends an operation.
  ///
  /// - Parameter endsIdle: Whether an idle scope ends at once.
  /// - Returns: The effect, and the operation if a task waits for it. The caller must notify the task, once the scope has ended if it does.
  mutating func leave(_ use: Use, at now: Duration, endsIdle: Bool) -> (effect: Effect, awaited: ScopeOperation?) {
    // The end of the scope waits for its operations, and so does the end of a scope of several tasks above it, below which this one
    // stays open.
    let awaited = use.entry.operations.leave(use.number)
    return (becomeIdleOrEnd(use.entry, at: now, endsIdle: endsIdle), awaited)
  }

  /// Ends an operation in a scope below.
  mutating func leaveBelow(_ entry: Entry, at now: Duration, endsIdle: Bool) -> Effect {
    entry.operationsBelow -= 1
    return becomeIdleOrEnd(entry, at: now, endsIdle: endsIdle)
  }

  private mutating func becomeIdleOrEnd(_ entry: Entry, at now: Duration, endsIdle: Bool) -> Effect {
    guard entry.phase == .open, !entry.isInUse, let scope = entry.scope else { return .stays }
    if endsIdle {
      entry.phase = .ending
      return .ends(scope)
    }
    entry.idleSince = now
    idle.append(entry)
    return .becomesIdle
  }

  // MARK: Ending

  /// Lets no further operation begin. A scope that is not open yet will not open.
  ///
  /// - Returns: Whether the caller must end the scope.
  mutating func beginEnding(_ entry: Entry) -> Bool {
    guard entry.phase == .open || entry.phase == .opening else { return false }
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

  /// What the removal of a key leaves to its caller, outside of the lock.
  struct Removal: Sendable {
    /// The callers to wake.
    let waiters: [Latch]
    /// The scope, which may have no other reference; its release runs user code.
    fileprivate let scope: Container?
  }

  /// Removes a key whose scope has ended, or could not be opened.
  ///
  /// - Returns: Nil if the key was removed before.
  mutating func remove(_ entry: Entry) -> Removal? {
    guard entry.phase != .removed else { return nil }
    entry.phase = .removed
    _ = idle.remove(entry)
    unlink(entry)
    // The scope holds its entry.
    return Removal(waiters: exchange(&entry.waiters, with: []), scope: exchange(&entry.scope, with: nil))
  }

  private mutating func unlink(_ entry: Entry) {
    defer { entry.earlier = nil }
    guard let latest = latestEntries[entry.word], latest !== entry else {
      latestEntries[entry.word] = entry.earlier
      return
    }
    var later = latest
    while let next = later.earlier, next !== entry { later = next }
    later.earlier = entry.earlier
  }

  // MARK: Inspecting

  var all: [Entry] { latestEntries.keys.flatMap { entries(of: $0) } }

  /// The status of an entry, for inspectors.
  func status(of entry: Entry, at now: Duration) -> KeyedScopeStatus {
    let isIdle = entry.phase == .open && !entry.isInUse
    // A scope may have become idle after the caller has read the clock.
    let idleFor = isIdle ? max(.zero, now - entry.idleSince) : nil
    return KeyedScopeStatus(key: entry.key, uses: entry.operations.count, idleFor: idleFor)
  }

  /// The running operations of an entry, for a caller that will wait for them. Makes and stores those that no caller has waited for yet.
  func operations(of entry: Entry, _ make: (UInt) -> ScopeOperation) -> [ScopeOperation] {
    entry.operations.operations(make)
  }
}
