/// Requests for a collection, with the lists that they publish, against a change of the registry.
///
/// The requests are those of `Resolver+Elements.swift`, the change is that of `Container.publishChange` and `RegistryCell`. One container
/// publishes; a parent's registry behaves like its own. How a list is protected while it is in use is not in this model: a hazard slot for
/// the lists, as for the link array in ``SearchModel``.
///
/// The model complains if
///
/// - a request misses what an earlier one of the same thread has found;
/// - a request that begins after the change has returned misses the change;
/// - a list is used before it is complete;
/// - a list from before the change stays published.
struct ElementListModel: ConcurrentModel {
  enum Step: Hashable, Sendable {
    /// A request for the collection.
    case collect
    /// A request for the new service alone, which reads the snapshot.
    case resolve
    /// Waits until the change has returned.
    case await
  }

  /// The orderings and rules, each of which a test removes in turn.
  enum Weakening: String, CaseIterable, Sendable {
    /// `lookUpElements`: a list is used only if its version is the registry's.
    case sameVersion
    /// `makeElementList`: the version is read before the registrations.
    case versionFirst
    /// `beginVersion`: the version is marked before the change is published.
    case changing
    /// `PublishedReference.replace`: the exchange releases.
    case listRelease
    /// `PublishedReference.current`: the load acquires.
    case listAcquire
    /// `publish`: looks at the version again, after it has published the list.
    case lookAgain
    /// `endVersion`: the store is sequentially consistent.
    case endOrder
    /// `PublishedReference.clear`: the load is sequentially consistent.
    case clearOrder

    // Redundant: without these, the checker finds no error.
    /// `version`: the load before the search acquires. A request that finds no list takes the registry's lock.
    case versionOrder

    static let redundant: [Weakening] = [.versionOrder]
  }

  /// The steps of each request's thread. A last thread changes the registry.
  let threads: [[Step]]
  let weakening: Weakening?
  private let layout: WeakMemory.Layout

  init(_ threads: [[Step]], without weakening: Weakening? = nil) {
    self.threads = threads
    self.weakening = weakening
    layout = WeakMemory.Layout(threads: threads.count + 1, locks: 1, capacities: [3, 2, 12], marks: 4 * threads.count)
  }

  private static let (version, registrations, list) = (0, 1, 2)
  private static let (oldVersion, newVersion, changing) = (2, 4, 1)
  private static let (old, new) = (0, 1)

  /// A published list as a value: its registrations, its version and the thread that made it. 0 is no list.
  private func published(_ registrations: Int, _ version: Int, by thread: Int) -> Int {
    1 + registrations + (version == Self.newVersion ? 2 : 0) + 4 * thread
  }
  private func registrations(of list: Int) -> Int { (list - 1) & 1 }
  private func version(of list: Int) -> Int { (list - 1) & 2 == 0 ? Self.oldVersion : Self.newVersion }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    /// Whether the writer holds the registry's lock.
    var isLocked = false
    var hasReturned = false
  }

  struct Frame: Hashable, Sendable {
    var at: Point
    var next: UInt8 = 0
    var version: UInt8 = 0
    var list: UInt8 = 0
    var registrations: UInt8 = 0
    /// Whether the thread knows of the change.
    var knows = false
    /// The set of lists that the thread has made, one bit each. If it makes one again, the two count as the same object.
    var made: UInt16 = 0
  }

  enum Point: Hashable, Sendable {
    case begin, list, make, lateVersion, publish, lookAgain
    case lock, change, end, clear
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [Self.oldVersion, Self.old, 0]),
      frames: threads.map { _ in Frame(at: .begin) } + [Frame(at: .lock)])
  }

  var threadNames: [String] { threads.indices.map { "request \($0 + 1)" } + ["change"] }
  func isFinished(_ thread: Int, in state: State) -> Bool { state.frames[thread].at == .done }

  func complaint(atEnd state: State) -> String? {
    let list = state.memory.newest(Self.list)
    return list != 0 && version(of: list) == Self.oldVersion ? "a list from before the change stays published" : nil
  }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    if thread < threads.count { request(thread, &state, &move) } else { change(thread, &state, &move) }
    if move.isBlocked { return }
    state.memory.tidy(readers: state.frames.indices.filter { !isFinished($0, in: state) })
  }

  private func lacks(_ weakening: Weakening) -> Bool { self.weakening == weakening }

  // MARK: Requests

  private func request(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .begin:
      switch threads[thread][Int(me.next)] {
      case .await:
        guard state.hasReturned else { return move.block() }
        state.memory.hand(from: threads.count, to: thread)
        move.notify("waits for the change to return")
        me.knows = true
        goOn(thread, &me)
      case .resolve:
        let found = state.memory.load(Self.registrations, .acquiring, by: thread, &move)
        move.notify("finds the \(found == Self.new ? "new" : "old") snapshot")
        finish(found, thread, &me, &move)
      case .collect:
        me.version = loadVersion(thread, &state, &move)
        me.at = Int(me.version) & Self.changing == 0 ? .list : .make
      }
    case .list:
      let ordering: WeakMemory.Ordering = lacks(.listAcquire) ? .relaxed : .acquiring
      let list = state.memory.load(Self.list, ordering, by: thread, &move)
      me.list = UInt8(list)
      move.notify(list == 0 ? "finds no list" : "finds a list of version \(version(of: list))")
      if list != 0, version(of: list) == Int(me.version) || lacks(.sameVersion) {
        if !state.memory.hasSeen(list - 1, by: thread) { move.complain("a list may not be complete when it is used") }
        finish(registrations(of: list), thread, &me, &move)
      } else {
        me.at = .make
      }
    case .make:
      if state.isLocked { return move.block() }
      state.memory.acquire(by: thread)
      me.registrations = UInt8(state.memory.newest(Self.registrations))
      state.memory.release(by: thread)
      move.notify("lists the \(Int(me.registrations) == Self.new ? "new" : "old") registrations")
      me.at = lacks(.versionFirst) ? .lateVersion : .publish
    case .lateVersion:
      me.version = loadVersion(thread, &state, &move)
      me.at = .publish
    case .lookAgain:
      let version = state.memory.load(Self.version, .sequentiallyConsistent, by: thread, &move)
      move.notify("loads version \(version)")
      if version > Int(me.version) { clear(.sequentiallyConsistent, thread, &state, &move) }
      finish(Int(me.registrations), thread, &me, &move)
    default:
      let publishes = Int(me.version) & Self.changing == 0
      if publishes { publish(thread, &me, &state, &move) }
      if publishes, !lacks(.lookAgain) {
        me.at = .lookAgain
      } else {
        finish(Int(me.registrations), thread, &me, &move)
      }
    }
    state.frames[thread] = me
  }

  private func loadVersion(_ thread: Int, _ state: inout State, _ move: inout Move) -> UInt8 {
    let ordering: WeakMemory.Ordering = lacks(.versionOrder) ? .relaxed : .acquiring
    let version = state.memory.load(Self.version, ordering, by: thread, &move)
    move.notify("loads version \(version)")
    return UInt8(version)
  }

  private func publish(_ thread: Int, _ me: inout Frame, _ state: inout State, _ move: inout Move) {
    let list = published(Int(me.registrations), Int(me.version), by: thread)
    guard state.memory.newest(Self.list) == Int(me.list) else { return move.notify("finds another list published") }
    let version = me.version
    if me.made & 1 << UInt16(list) == 0 { state.memory.mark(list - 1, by: thread) }
    me.made |= 1 << UInt16(list)
    let ordering: WeakMemory.Ordering = lacks(.listRelease) ? .acquiring : .sequentiallyConsistent
    state.memory.modify(Self.list, ordering, by: thread) { _ in list }
    move.notify("publishes a list of version \(version)")
  }

  /// Takes `PublishedReference.clear` as one step.
  private func clear(_ ordering: WeakMemory.Ordering, _ thread: Int, _ state: inout State, _ move: inout Move) {
    if state.memory.load(Self.list, ordering, by: thread, &move) == 0 { return move.notify("finds no list to clear") }
    state.memory.modify(Self.list, .sequentiallyConsistent, by: thread) { _ in 0 }
    move.notify("clears the lists")
  }

  private func finish(_ registrations: Int, _ thread: Int, _ me: inout Frame, _ move: inout Move) {
    if registrations == Self.new {
      me.knows = true
    } else if me.knows {
      move.complain("a request misses a registration that its thread knows of")
    }
    goOn(thread, &me)
  }

  private func goOn(_ thread: Int, _ me: inout Frame) {
    let isLast = Int(me.next) + 1 == threads[thread].count
    me = Frame(at: isLast ? .done : .begin, next: me.next + 1, knows: me.knows, made: me.made)
  }

  // MARK: The change

  private func change(_ thread: Int, _ state: inout State, _ move: inout Move) {
    switch state.frames[thread].at {
    case .lock:
      state.isLocked = true
      state.memory.acquire(by: thread)
      if !lacks(.changing) { state.memory.modify(Self.version, .relaxed, by: thread) { $0 | Self.changing } }
      move.notify("takes the lock and marks the version")
      state.frames[thread].at = .change
    case .change:
      state.memory.store(Self.registrations, Self.new, .sequentiallyConsistent, by: thread)
      move.notify("publishes the new snapshot")
      state.frames[thread].at = .end
    case .end:
      let ordering: WeakMemory.Ordering = lacks(.endOrder) ? .releasing : .sequentiallyConsistent
      state.memory.store(Self.version, Self.newVersion, ordering, by: thread)
      state.memory.release(by: thread)
      state.isLocked = false
      move.notify("sets the new version and unlocks")
      state.frames[thread].at = .clear
    default:
      clear(lacks(.clearOrder) ? .relaxed : .sequentiallyConsistent, thread, &state, &move)
      state.hasReturned = true
      state.frames[thread] = Frame(at: .done)
    }
  }
}
