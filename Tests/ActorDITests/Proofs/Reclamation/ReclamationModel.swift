/// The reclaimer and its readers, access by access: `Reclaimer.swift`, `Reclaimer+Threads.swift`, `ThreadRecord.swift`,
/// `Lookup.swift` and the end of `Container.publishChange`.
///
/// Objects are numbers. Two are reachable at a time: one by the snapshot, one by the instance word of a binding in it. The
/// model complains if a thread uses an object that was freed, uses an object that may be incomplete for it, or frees an object
/// whose last use did not happen before. It also complains about unlinked objects that are never freed.
///
/// Simplifications, none of which affects these properties:
///
/// - Time between barriers is not modelled. If there is a task, each change either collects or leaves that to the task.
/// - A reclaimer looks at a pin once before it asks the pin's thread to call, and once after.
/// - There is no threshold for plain memory; each retired item is an object.
/// - Any thread that collects frees, so R4 is not modelled.
struct ReclamationModel: ConcurrentModel {
  /// One operation of a reader.
  enum Use: Hashable, Sendable {
    /// `Lookup.hit`: uses the object under the pin.
    case hit(Place)
    /// `Lookup.borrow`: uses the object under a hazard slot.
    case borrow(Place)

    var place: Place {
      switch self {
      case .hit(let place), .borrow(let place): place
      }
    }
  }

  enum Place: Hashable, Sendable { case snapshot, instance }

  /// One operation of a writer. Each ends with `collectAfterChange`.
  enum Change: Hashable, Sendable {
    /// `publishChange`: replaces the snapshot, and retires the old one.
    case replace
    /// `forget`: takes the instance out, and retires it.
    case reset
  }

  enum Thread: Sendable {
    case reader([Use])
    case writer([Change])
    /// `collectLater`: the task that collects for changes that follow too soon after a barrier.
    case task
  }

  let threads: [Thread]
  /// Whether the system has no process-wide barrier, so that readers execute fences themselves.
  let isFenced: Bool
  let weakening: ReclamationWeakening?
  let recordCount: Int
  /// Whether the readers have records from the start and never exit. This saves states in scenarios that do not test adoption and exit.
  let haveRecords: Bool

  private let layout: WeakMemory.Layout
  let readerCount: Int
  let objectCount: Int

  init(
    _ threads: [Thread], records: Int = 2, haveRecords: Bool = false, isFenced: Bool = false,
    without weakening: ReclamationWeakening? = nil
  ) {
    self.threads = threads
    self.isFenced = isFenced
    self.weakening = weakening
    recordCount = records
    self.haveRecords = haveRecords
    var (readers, objects) = (0, 2)
    for thread in threads {
      switch thread {
      case .reader: readers += 1
      case .writer(let changes): objects += changes.count { $0 == .replace }
      case .task: break
      }
    }
    (readerCount, objectCount) = (readers, objects)
    layout = WeakMemory.Layout(
      threads: threads.count, locks: 2,
      capacities: [4, 3] + (0..<records).flatMap { _ in records == 1 ? [12, 12, 8, 6] : [9, 8, 5, 4] },
      marks: objects * (1 + readers))
  }

  // MARK: Locations, locks and marks

  static let snapshot = 0
  static let instance = 1
  func pins(_ record: Int) -> Int { 2 + 4 * record }
  func flags(_ record: Int) -> Int { 3 + 4 * record }
  func depth(_ record: Int) -> Int { 4 + 4 * record }
  func slot(_ record: Int) -> Int { 5 + 4 * record }

  /// The flags of a record that ask its thread to call, after an unpin or after a pop.
  static let awaited = 1
  static let popAwaited = 2

  static let reclaimerLock = 0
  static let registryLock = 1

  /// The mark of an object's completion.
  func making(_ object: Int) -> Int { object - 1 }
  /// The mark of a reader's last use of an object.
  func using(_ object: Int, _ reader: Int) -> Int { objectCount * (1 + reader) + object - 1 }

  // MARK: State

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    /// Sets of objects, one bit each.
    var retired: UInt16 = 0
    var waiting: UInt16 = 0
    var inUse: UInt16 = 0
    var unlinked: UInt16 = 0
    var freed: UInt16 = 0
    /// Sets of records, one bit each.
    var records: UInt16 = 0
    var unused: UInt16 = 0
    var pending: UInt16 = 0
    /// Whether the reclaimer's lock is taken.
    var isLocked = false
    /// Whether a task is scheduled to collect.
    var hasTask = false
    var lastObject: UInt8 = 2
  }

  /// A thread's position and local variables.
  struct Frame: Hashable, Sendable {
    var at: Point
    var done: UInt8 = 0
    var record: UInt8 = 0
    var object: UInt8 = 0
    /// Whether the pin has ended and the borrowed instance is in use.
    var isLent = false
    /// Whether flags that were loaded too early ask the thread to call.
    var isAsked = false
    /// Local variables of `collect`. `used` and `free` are sets of objects, `users` is a set of records.
    var next: UInt8 = 0
    var used: UInt16 = 0
    var users: UInt16 = 0
    var free: UInt16 = 0
    /// Whether a thread may have popped its slot and missed the request.
    var isNew = false
  }

  enum Point: UInt8, Hashable, Sendable {
    case adopt, pin, load, latePin, loadInstance, use, latePush, lateUse, flags, latePinEnd, clear, lent, exit
    case change, retire, check
    // Steps of the task.
    case idle, task, taskEnd
    // Steps of `collect`, under the reclaimer's lock.
    case lock, scanDepth, scanSlot, requestSlots, requestPins, look, lookAgain, begin
    case done
  }

  var initial: State {
    var values = [1, 2]
    for _ in 0..<recordCount { values += [0, 0, 0, 0] }
    var state = State(memory: WeakMemory(layout, initially: values), frames: [])
    for (number, thread) in threads.enumerated() {
      switch thread {
      case .reader where haveRecords:
        state.records |= Self.bit(number)
        state.frames.append(Frame(at: .pin, record: UInt8(number)))
      case .reader: state.frames.append(Frame(at: .adopt))
      case .writer: state.frames.append(Frame(at: .change))
      case .task: state.frames.append(Frame(at: .idle))
      }
    }
    return state
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .reader: "reader \(number + 1)"
      case .writer: "writer \(number + 1)"
      case .task: "task"
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool {
    state.frames[thread].at == .done || state.frames[thread].at == .idle
  }

  func complaint(atEnd state: State) -> String? {
    let left = state.unlinked & ~state.freed
    return left == 0 ? nil : "no thread is left to free \(Self.objects(left))"
  }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    switch threads[thread] {
    case .reader(let uses): read(uses, thread, &state, &move)
    case .writer(let changes): change(changes, thread, &state, &move)
    case .task: collectLater(thread, &state, &move)
    }
    if move.isBlocked { return }
    state.memory.tidy(readers: threads.indices.filter { !isFinished($0, in: state) })
  }

  func isReader(_ thread: Int) -> Bool { if case .reader = threads[thread] { true } else { false } }

  static func bit(_ number: Int) -> UInt16 { 1 << UInt16(number) }

  static func objects(_ set: UInt16) -> String {
    (0..<16).filter { set & bit($0) != 0 }.map { "object \($0)" }.joined(separator: ", ")
  }

  func lacks(_ weakening: ReclamationWeakening) -> Bool { self.weakening == weakening }
}
