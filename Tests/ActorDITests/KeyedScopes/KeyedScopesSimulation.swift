import ActorDITestSupport

@testable import ActorDI

/// Callers of scopes by key, without threads: the real table and seats, and one step of one actor at a time. A step is what the collection
/// does in one critical section.
///
/// The table and the seats cannot be copied, so the exploration reaches a state by repeating the steps that led to it.
final class KeyedScopesSimulation {
  struct Setting {
    /// The key of each caller.
    var callers: [Int]
    var max: Int?
    /// Whether an idle scope ends with its last operation.
    var endsIdle = false
    /// Keys that are ended by `end(_:)`.
    var ended: [Int] = []
    /// Whether these keys are ended by a shutdown, which also finds scopes that are not open yet.
    var isShutDown = false
    /// Whether the time of any idle scope may be up.
    var hasSweeper = false
    /// Whether callers may fail to open a scope, and may be cancelled while they wait for a seat.
    var hasFailures = false
    /// Keys below whose open scopes a task opens a scope of its own.
    var openedBelow: [Int] = []
    /// Whether the hashes of all keys are equal.
    var hasOneWord = false
    var mistake: Mistake?
  }

  /// A rule that the simulation breaks.
  enum Mistake: CaseIterable {
    /// A change of the phase wakes nobody.
    case forgottenWaiters
    /// A caller that leaves a scope idle does not look for callers that wait for a seat.
    case leaverDoesNotLook
    /// A caller that finds no idle scope does not look again.
    case waiterLooksOnce
    /// A seat is not released when its scope cannot be opened.
    case keptSeat
    /// A scope may end while an operation runs in it.
    case endWithoutWaiting
    /// A scope that opens below another one does not keep that one in use.
    case uncountedBelow
  }

  private enum Step: Hashable {
    case findKey
    case insert, arrive
    case waitForPhase
    case takeSeat
    // The steps of `Seats.endIdleScopes`.
    case makeRoom, findIdleScope, findNone, lookAgain
    case waitForSeat
    case open, publish
    case leave
    case openBelow, countBelow, leaveBelow
    case endScope
    case done
  }

  private final class Actor {
    let key: Int
    var step: Step
    /// The latest entry of the key's word that the caller has compared.
    var first: KeyTable.Entry?
    var entry: KeyTable.Entry?
    var use: KeyTable.Use?
    var latch: ObjectIdentifier?
    var waiter: Seats.Waiter?
    var isSeated = false
    var isCancelled = false
    /// The step after those of `Seats.endIdleScopes`.
    var afterRoom = Step.waitForSeat
    /// Whether the scope ends although operations may run, which the actor waits for.
    var waitsForOperations = false

    init(_ key: Int, _ step: Step) {
      self.key = key
      self.step = step
    }
  }

  /// One step: of an actor, with a choice; or of the sweeper.
  struct Choice: Hashable {
    let actor: Int
    var fails = false
  }

  private let setting: Setting
  private var table = KeyTable()
  private var seats: Seats.State
  private var actors: [Actor]
  private var woken: Set<ObjectIdentifier> = []
  /// Retained, so that their identities stay unique.
  private var latches: [Latch] = []
  private var alive: [Int: Container] = [:]
  /// The number of scopes that are open below those of the keys.
  private var openBelow: [Int: Int] = [:]
  /// The number of these that keep the scopes of the keys in use.
  private var usesBelow: [Int: Int] = [:]
  private var now = 0
  private(set) var violation: String?

  init(_ setting: Setting) {
    self.setting = setting
    seats = Seats.State(max: setting.max ?? .max)
    actors = setting.callers.map { Actor($0, .findKey) } + setting.ended.map { Actor($0, .done) }
    for index in setting.callers.count..<actors.count { actors[index].step = .endScope }
    actors += setting.openedBelow.map { Actor($0, .openBelow) }
  }

  // MARK: The exploration

  var choices: [Choice] {
    var choices: [Choice] = []
    for (index, actor) in actors.enumerated() {
      if canStep(actor) { choices.append(Choice(actor: index)) }
      let mayFail = actor.step == .open || actor.step == .waitForSeat
      if setting.hasFailures && mayFail && !actor.isCancelled { choices.append(Choice(actor: index, fails: true)) }
    }
    if setting.hasSweeper, table.longestIdleSince != nil { choices.append(Choice(actor: -1)) }
    return choices
  }

  var isFinished: Bool { actors.allSatisfy { $0.step == .done || $0.step == .openBelow } }

  /// A text that is equal for equal states.
  var digest: String {
    let steps = actors.map { actor in
      let isAwake = actor.latch.map(woken.contains) ?? false
      let entry = actor.entry.map { "\($0.phase)\($0.operations.count)\($0.operationsBelow)" } ?? ""
      let isFirst = actor.first === table.entries(of: word(of: actor.key)).first
      return "\(actor.step)\(actor.key)\(isAwake)\(actor.isSeated)\(actor.isCancelled)\(isFirst)\(entry)"
    }
    let words = Set(actors.map { word(of: $0.key) }).sorted()
    let entries = words.map { table.entries(of: $0) }
    let keys = entries.map { $0.map { "\(key(of: $0))\($0.phase)\($0.operations.count)\($0.operationsBelow)" } }
    let idle = entries.joined().filter { $0.phase == .open && !$0.isInUse }.sorted { $0.idleSince < $1.idleSince }.map(
      key)
    let queue = seats.queue.map { waiter in actors.firstIndex { $0.waiter === waiter } ?? -1 }
    let below = Set(actors.map(\.key)).sorted().map { "\(openBelow[$0, default: 0])\(usesBelow[$0, default: 0])" }
    return "\(steps) \(keys) \(idle) \(alive.keys.sorted()) \(below) \(queue) \(seats.taken) \(seats.leaving)"
  }

  private func word(of key: Int) -> UInt { setting.hasOneWord ? 1 : UInt(key) }
  private func key(of entry: KeyTable.Entry) -> Int { entry.key.value(as: Int.self) ?? -1 }

  private func canStep(_ actor: Actor) -> Bool {
    switch actor.step {
    case .done: false
    case .waitForPhase: actor.latch.map(woken.contains) ?? true
    case .waitForSeat: actor.isSeated || actor.isCancelled
    case .openBelow: alive[actor.key] != nil
    case .endScope: setting.mistake == .endWithoutWaiting || !isAwaited(actor)
    default: true
    }
  }

  /// Whether the actor ends a scope, and waits for operations in it or below it. One may open below while an idle scope ends.
  private func isAwaited(_ actor: Actor) -> Bool {
    guard let entry = actor.entry else { return false }
    return actor.waitsForOperations && entry.operations.count > 0 || openBelow[actor.key, default: 0] > 0
  }

  // MARK: Steps

  func take(_ choice: Choice) {
    guard choice.actor >= 0 else {
      if let entry = table.beginEndingLongestIdle(since: .seconds(now)) { end(entry) }
      return
    }
    let actor = actors[choice.actor]
    switch actor.step {
    case .findKey:
      let entries = table.entries(of: word(of: actor.key))
      actor.first = entries.first
      actor.entry = entries.first { key(of: $0) == actor.key }
      actor.step = actor.entry == nil ? .insert : .arrive
    case .insert:
      actor.entry = table.insert(TypedKey(actor.key), word(of: actor.key), before: actor.first)
      actor.step = actor.entry == nil ? .findKey : .takeSeat
    case .arrive: arrive(actor, by: UInt(choice.actor + 1))
    case .waitForPhase: actor.step = .findKey
    case .takeSeat:
      actor.waiter = setting.max == nil ? nil : seats.take()
      actor.isSeated = actor.waiter == nil
      actor.step = actor.isSeated ? .open : .makeRoom
    case .makeRoom: actor.step = setting.max != nil && seats.beginLeaving() ? .findIdleScope : actor.afterRoom
    case .findIdleScope: findIdleScope(actor)
    case .findNone:
      seats.cancelLeaving()
      actor.step = .lookAgain
    case .lookAgain:
      let looksAgain = setting.mistake != .waiterLooksOnce
      actor.step = looksAgain && table.longestIdleSince != nil ? .makeRoom : actor.afterRoom
    case .waitForSeat: waitForSeat(actor, isCancelled: choice.fails)
    case .open: open(actor, fails: choice.fails)
    case .publish: publish(actor, by: UInt(choice.actor + 1))
    case .leave: leave(actor)
    case .openBelow: openBelow(actor)
    case .countBelow: countBelow(actor)
    case .leaveBelow: leaveBelow(actor)
    case .endScope: endScope(actor)
    case .done: break
    }
  }

  private func arrive(_ actor: Actor, by task: UInt) {
    guard let entry = actor.entry else { return }
    switch table.arrive(at: entry, by: task) {
    case .use(let use): begin(use, by: actor)
    case .wait(let latch, _):
      latches.append(latch)
      actor.latch = ObjectIdentifier(latch)
      actor.step = .waitForPhase
    case .removed: actor.step = .findKey
    }
  }

  private func begin(_ use: KeyTable.Use, by actor: Actor) {
    actor.use = use
    actor.step = .leave
    if alive[actor.key] !== use.scope { violation = "an operation in a scope that has ended" }
  }

  private func waitForSeat(_ actor: Actor, isCancelled: Bool) {
    guard let waiter = actor.waiter, let entry = actor.entry else { return }
    if actor.isSeated { return actor.step = .open }
    // The cancellation opens the latch first, and the caller leaves in a later step.
    if isCancelled { return actor.isCancelled = true }
    _ = seats.remove(waiter)
    wake(table.remove(entry)?.waiters ?? [])
    actor.step = .done
  }

  private func open(_ actor: Actor, fails: Bool) {
    guard let entry = actor.entry else { return }
    if fails {
      actor.step = .done
      if let removal = table.remove(entry) { wake(removal.waiters) }
      if setting.mistake != .keptSeat { releaseSeat() }
      return
    }
    if alive[actor.key] != nil { violation = "two scopes of one key" }
    let scope = Container()
    alive[actor.key] = scope
    if let max = setting.max, alive.count > max { violation = "more scopes than seats" }
    table.prepare(entry, scope)
    actor.step = .publish
  }

  private func publish(_ actor: Actor, by task: UInt) {
    guard let entry = actor.entry else { return }
    guard let (use, waiters) = table.opened(entry, at: .zero, by: task) else {
      // A shutdown has found the scope.
      return actor.step = .endScope
    }
    wake(waiters)
    begin(use, by: actor)
  }

  private func leave(_ actor: Actor) {
    guard let use = actor.use else { return }
    if alive[actor.key] !== use.scope { violation = "a scope ended under an operation" }
    now += 1
    left(actor, table.leave(use, at: .seconds(now), endsIdle: setting.endsIdle).effect)
  }

  private func openBelow(_ actor: Actor) {
    guard let scope = alive[actor.key] else { return }
    actor.entry = table.entries(of: word(of: actor.key)).first { $0.scope === scope }
    openBelow[actor.key, default: 0] += 1
    actor.step = .countBelow
  }

  private func countBelow(_ actor: Actor) {
    guard let entry = actor.entry else { return }
    usesBelow[actor.key, default: 0] += 1
    if setting.mistake != .uncountedBelow { table.beginBelow(entry) }
    actor.step = .leaveBelow
  }

  private func leaveBelow(_ actor: Actor) {
    guard let entry = actor.entry else { return }
    if alive[actor.key] == nil || alive[actor.key] !== entry.scope { violation = "a scope ended above an open one" }
    openBelow[actor.key, default: 0] -= 1
    usesBelow[actor.key, default: 0] -= 1
    now += 1
    guard setting.mistake != .uncountedBelow else { return actor.step = .done }
    left(actor, table.leaveBelow(entry, at: .seconds(now), endsIdle: setting.endsIdle))
  }

  private func isUsedBelow(_ key: Int) -> Bool { usesBelow[key, default: 0] > 0 }

  private func left(_ actor: Actor, _ effect: KeyTable.Effect) {
    switch effect {
    case .stays: actor.step = .done
    case .becomesIdle:
      actor.afterRoom = .done
      actor.step = setting.mistake == .leaverDoesNotLook ? .done : .makeRoom
    case .ends:
      if isUsedBelow(actor.key) { violation = "the end of a scope in use" }
      actor.step = .endScope
    }
  }

  private func findIdleScope(_ actor: Actor) {
    if let longest = table.longestIdleSince, let entry = table.beginEndingLongestIdle(since: longest) {
      end(entry)
      actor.step = .makeRoom
    } else {
      actor.step = .findNone
    }
  }

  /// Adds an actor that ends a scope.
  private func end(_ entry: KeyTable.Entry) {
    if entry.operations.count > 0 || isUsedBelow(key(of: entry)) { violation = "the end of a scope in use" }
    let actor = Actor(key(of: entry), .endScope)
    actor.entry = entry
    actors.append(actor)
  }

  private func endScope(_ actor: Actor) {
    guard let entry = actor.entry else {
      // `end(_:)` has not begun.
      let entries = table.entries(of: word(of: actor.key))
      // `end(_:)` leaves a scope alone that is not open yet; a shutdown does not.
      let found = entries.first { key(of: $0) == actor.key }
      guard let entry = found, setting.isShutDown ? entry.scope != nil : entry.phase != .opening else {
        return actor.step = .done
      }
      // If another caller ends the scope, both wait for its operations, and the later one finds it removed.
      _ = table.beginEnding(entry)
      actor.entry = entry
      actor.waitsForOperations = true
      return
    }
    if let waiters = table.remove(entry)?.waiters {
      alive[actor.key] = nil
      wake(waiters)
      releaseSeat()
    }
    actor.step = .done
  }

  private func wake(_ latches: [Latch]) {
    if setting.mistake == .forgottenWaiters { return }
    for latch in latches { woken.insert(ObjectIdentifier(latch)) }
  }

  private func releaseSeat() {
    guard setting.max != nil else { return }
    while let waiter = seats.release() {
      guard let actor = actors.first(where: { $0.waiter === waiter }), !actor.isCancelled else { continue }
      actor.isSeated = true
      return
    }
  }
}
