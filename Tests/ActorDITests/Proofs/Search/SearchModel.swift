/// A search that starts in a child without registrations of its own, against concurrent changes.
///
/// The search is that of `Search.swift`, with the hazard slots of `Lookup.borrow`, `Produce.swift` and `TryMaking.swift`. The changes are
/// those of `Container.publishChange`, `Container.closeRegistry` and `LinkList`.
///
/// The child has a parent and may be linked with another container. Both have a registration of the service, and the link takes
/// precedence. The link array holds the last reference to the linked container: freeing the array frees the container and
/// everything in it at once.
///
/// The model complains if
///
/// - an object is used after it was freed, or before it is complete;
/// - an object is freed and its last use did not happen before;
/// - a search that begins after a change has returned finds what the change removed.
///
/// The reclaimer is reduced to what a search relies on: a barrier, a look at each pin until it has ended, and a scan of the
/// hazard slots until they are free. ``ReclamationModel`` covers the rest.
struct SearchModel: ConcurrentModel {
  enum Step: Hashable, Sendable {
    /// `Lookup.hit`: uses the instance under the pin.
    case hit
    /// `Lookup.borrow`: uses the instance under hazard slots.
    case borrow
    /// `Binding.buildUncontended` and transients: uses the binding and its container under hazard slots.
    case build
    /// Waits until a change has returned.
    case await(Int)
  }

  enum Change: Hashable, Sendable {
    /// A change of the registration in the parent.
    case register, unregister
    case closeParent
    case link, unlink
    case closeLinked
  }

  enum Thread: Hashable, Sendable {
    case reader([Step])
    case writer(Change)
  }

  let threads: [Thread]
  /// Whether the link exists from the start.
  let isLinked: Bool
  /// Whether the system has no process-wide barrier, so that readers execute fences themselves.
  let isFenced: Bool
  let weakening: SearchWeakening?
  private let layout: WeakMemory.Layout
  private let readerCount: Int

  init(_ threads: [Thread], isLinked: Bool, isFenced: Bool = false, without weakening: SearchWeakening? = nil) {
    self.threads = threads
    self.isLinked = isLinked
    self.isFenced = isFenced
    self.weakening = weakening
    var (readers, searches) = (0, 0)
    for case .reader(let steps) in threads {
      readers += 1
      searches = max(searches, steps.count { if case .await = $0 { false } else { true } })
    }
    readerCount = readers
    let perReader = searches == 1 ? [3, 4, 2, 2] : [5, 7, 3, 3]
    layout = WeakMemory.Layout(
      threads: threads.count, locks: 2, capacities: [2, 2, 2, 2, 2] + (0..<readers).flatMap { _ in perReader },
      marks: Object.count * (1 + readers))
  }

  // MARK: Objects, locations and marks

  /// The objects that may be freed. The parent's new binding never is.
  enum Object {
    static let (oldSnapshot, newSnapshot, binding, instance, newBinding) = (1, 2, 3, 4, 5)
    static let (links, linked, linkedSnapshot, linkedBinding, linkedInstance) = (6, 7, 8, 9, 10)
    static let count = 10

    static func name(_ object: Int) -> String {
      [
        "the parent's old snapshot", "the parent's new snapshot", "the parent's binding", "its instance",
        "the parent's new binding", "the link array", "the linked container", "its snapshot", "its binding",
        "the instance in it",
      ][object - 1]
    }
  }

  /// The marks that stand in place of a snapshot.
  static let (nothing, closed) = (0, 15)

  static let (parentSnapshot, linkArray, linkedSnapshot, parentInstance, linkedInstance) = (0, 1, 2, 3, 4)
  func pins(_ reader: Int) -> Int { 5 + 4 * reader }
  func depth(_ reader: Int) -> Int { 6 + 4 * reader }
  func slot(_ number: Int, _ reader: Int) -> Int { 7 + number + 4 * reader }

  private static let registryLock = 0
  private static let linksLock = 1

  private func making(_ object: Int) -> Int { object - 1 }
  private func using(_ object: Int, _ reader: Int) -> Int { Object.count * (1 + reader) + object - 1 }

  // MARK: State

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    /// A set of objects, one bit each.
    var freed: UInt16 = 0
    /// The set of changes that have returned, one bit per thread.
    var returned: UInt16 = 0
  }

  struct Frame: Hashable, Sendable {
    var at: Point
    var next: UInt8 = 0
    // Local variables of a reader.
    var links: UInt8 = 0
    var binding: UInt8 = 0
    var instance: UInt8 = 0
    var slots: UInt8 = 0
    /// The objects that the reader's next search must not find.
    var gone: UInt16 = 0
    /// The binding that the last search found, for the weakening that caches it.
    var copied: UInt8 = 0
    // Local variables of a writer; the first two are sets of objects.
    var retired: UInt16 = 0
    var used: UInt16 = 0
    var hasLooked = false
  }

  enum Point: Hashable, Sendable {
    case begin, links, linked, parent, instance, push, pushAgain, unpin, latePush, use, pop
    case publish, forget, barrier, look, scan, free
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(
        layout,
        initially: [
          Object.oldSnapshot, isLinked ? Object.links : 0, Object.linkedSnapshot, Object.instance,
          Object.linkedInstance,
        ] + Array(repeating: 0, count: 4 * readerCount)),
      frames: threads.map { thread in
        switch thread {
        case .reader: Frame(at: .begin)
        case .writer: Frame(at: lacks(.publicationFirst) ? .barrier : .publish)
        }
      })
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .reader: "reader \(number + 1)"
      case .writer(let change): "\(change)"
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool { state.frames[thread].at == .done }
  func complaint(atEnd state: State) -> String? { nil }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    switch threads[thread] {
    case .reader(let steps): read(steps, thread, &state, &move)
    case .writer(let change): write(change, thread, &state, &move)
    }
    if move.isBlocked { return }
    state.memory.tidy(readers: threads.indices.filter { !isFinished($0, in: state) })
  }

  func lacks(_ weakening: SearchWeakening) -> Bool { self.weakening == weakening }
  static func bit(_ number: Int) -> UInt16 { 1 << UInt16(number) }
  /// The reader's index among the readers.
  func reader(_ thread: Int) -> Int { threads[..<thread].count { if case .reader = $0 { true } else { false } } }

  // MARK: Use and end

  func touch(_ object: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    if state.freed & Self.bit(object) != 0 { move.complain("\(Object.name(object)) is used after it was freed") }
    if !state.memory.hasSeen(making(object), by: thread) {
      move.complain("\(Object.name(object)) may not be complete for a thread that uses it")
    }
    state.memory.mark(using(object, reader(thread)), by: thread)
  }

  func free(_ objects: UInt16, _ thread: Int, _ state: inout State, _ move: inout Move) {
    var objects = objects
    if objects & Self.bit(Object.links) != 0, !lacks(.arrayHolds) { objects |= Self.bit(Object.linked) }
    if objects & Self.bit(Object.linked) != 0 {
      // Freeing the container frees what it still owns. A snapshot that was replaced belongs to the reclaimer.
      for object in [Object.linkedBinding, Object.linkedInstance] { objects |= Self.bit(object) }
      if state.memory.newest(Self.linkedSnapshot) == Object.linkedSnapshot {
        objects |= Self.bit(Object.linkedSnapshot)
      }
      if state.memory.newest(Self.linkedInstance) == 0 { objects &= ~Self.bit(Object.linkedInstance) }
    }
    for object in 1...Object.count where objects & Self.bit(object) != 0 {
      move.notify("frees \(Object.name(object))")
      for reader in 0..<readerCount where !state.memory.hasSeen(using(object, reader), by: thread) {
        move.complain("\(Object.name(object)) is freed though its last use did not happen before")
      }
    }
    state.freed |= objects
  }

  // MARK: Writing

  private func write(_ change: Change, _ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .publish:
      publish(change, &me, thread, &state, &move)
    case .forget:
      let location = change == .closeLinked ? Self.linkedInstance : Self.parentInstance
      let old = state.memory.modify(location, .acquiringAndReleasing, by: thread) { _ in 0 }
      if old != 0 { retire(Self.bit(old), &me, thread, &state, &move) }
      move.notify("forgets the instance")
      hasPublished(&me, thread, &state)
    case .barrier:
      if !lacks(.barrier) {
        if isFenced { state.memory.fence(by: thread) } else { state.memory.processBarrier() }
      }
      move.notify("has all threads fence")
      (me.at, me.next) = (.look, 0)
    case .look:
      let found = state.memory.load(pins(Int(me.next)), .sequentiallyConsistent, by: thread, &move)
      move.notify("finds reader \(me.next + 1) \(found == 0 ? "unpinned" : "pinned")")
      if found == 0 { me.next += 1 }
      if me.next == readerCount {
        me.next = 0
        me.hasLooked = true
        me.at = lacks(.publicationFirst) ? .publish : lacks(.scan) ? .free : .scan
      }
    case .scan:
      let reader = Int(me.next)
      let count = state.memory.load(depth(reader), .sequentiallyConsistent, by: thread, &move)
      for number in 0..<count {
        me.used |= Self.bit(state.memory.load(slot(number, reader), .acquiring, by: thread, &move))
      }
      move.notify("finds \(count) hazard slots of reader \(reader + 1) in use")
      me.next += 1
      if me.next == readerCount {
        me.next = 0
        me.at = me.used & me.retired == 0 ? .free : .scan
        me.used = 0
      }
    default:
      free(me.retired, thread, &state, &move)
      me = Frame(at: .done)
    }
    state.frames[thread] = me
  }

  /// Publishes a change, and retires what it unlinks.
  private func publish(
    _ change: Change, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    move.notify("publishes")
    switch change {
    case .register, .unregister, .closeParent:
      state.memory.acquire(lock: Self.registryLock, by: thread)
      defer { state.memory.release(lock: Self.registryLock, by: thread) }
      let old = state.memory.newest(Self.parentSnapshot)
      var new = Self.closed
      if change != .closeParent {
        new = Object.newSnapshot
        for object in [Object.newSnapshot, Object.newBinding] { state.memory.mark(making(object), by: thread) }
      }
      let ordering: WeakMemory.Ordering =
        lacks(.snapshotRelease) ? .relaxed : lacks(.snapshotOrder) ? .releasing : .sequentiallyConsistent
      state.memory.store(Self.parentSnapshot, new, ordering, by: thread)
      var retired = Self.bit(old)
      // A closed container keeps its bindings until it is freed.
      if change != .closeParent { retired |= Self.bit(Object.binding) }
      retire(retired, &me, thread, &state, &move)
      me.at = .forget
    case .closeLinked:
      let old = state.memory.modify(Self.linkedSnapshot, .sequentiallyConsistent, by: thread) { _ in Self.closed }
      retire(Self.bit(old), &me, thread, &state, &move)
      me.at = .forget
    case .link, .unlink:
      state.memory.acquire(lock: Self.linksLock, by: thread)
      defer { state.memory.release(lock: Self.linksLock, by: thread) }
      let new = change == .link ? Object.links : 0
      if change == .link {
        for object in Object.links...Object.linkedInstance { state.memory.mark(making(object), by: thread) }
      }
      let ordering: WeakMemory.Ordering =
        lacks(.linkRelease) ? .acquiring : lacks(.linkOrder) ? .acquiringAndReleasing : .sequentiallyConsistent
      let old = state.memory.modify(Self.linkArray, ordering, by: thread) { _ in new }
      if lacks(.arrayHolds), old != 0 { free(Self.bit(Object.linked), thread, &state, &move) }
      if lacks(.retiringLinks), old != 0 {
        free(Self.bit(old), thread, &state, &move)
      } else if old != 0 {
        me.retired |= Self.bit(old)
      }
      hasPublished(&me, thread, &state)
    }
  }

  private func retire(_ objects: UInt16, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    if lacks(.retiring) { free(objects, thread, &state, &move) } else { me.retired |= objects }
  }

  /// Lets the change return. What it retired is freed later.
  private func hasPublished(_ me: inout Frame, _ thread: Int, _ state: inout State) {
    state.returned |= Self.bit(thread)
    me.at = me.retired == 0 ? .done : me.hasLooked ? .free : .barrier
    if me.at == .done { me = Frame(at: .done) }
  }
}
