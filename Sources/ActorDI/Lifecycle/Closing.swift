/// The closing of a container and all that is below it, where something of it suspends.
final class Closing: Sendable {
  /// What is closed by this: the container, and what is below it. Children stand behind their parents.
  private let members: [Container]
  let memberIDs: [ObjectIdentifier]
  /// What somebody else is closing already, and this has to wait for.
  private let others: [Container]
  private let edges: [ClosingOrder.Edge]
  private let timeout: Timeout
  private let outcome: ScopeOutcome
  /// What has been found so far, and where the disposing is.
  private let progress = Lock(Progress())

  fileprivate struct Progress: Sendable {
    var failures: [ShutdownError.Failure] = []
    /// What each member has still to dispose of, the next one last; nothing for one that has ended. Nil before it is known.
    var pending: [ObjectIdentifier: [Disposal]]?
    /// What is being disposed of: more than one where a disposer closes another member.
    var running: [Disposal] = []
  }

  /// Closes what is below a container that is closed already: from now on nothing is resolved from any of them.
  static func begin(of root: Container, after outcome: ScopeOutcome, _ timeout: Duration?) -> Closing {
    let closing = ClosingOrder.begin(root) { members, others, edges in
      Closing(members, others, edges, outcome, Timeout(timeout, root.configuration.clock))
    }
    // It may let go of what is the user's.
    for member in closing.members.dropFirst() { member.closeRegistry() }
    return closing
  }

  private init(
    _ members: [Container], _ others: [Container], _ edges: [ClosingOrder.Edge], _ outcome: ScopeOutcome,
    _ timeout: Timeout
  ) {
    self.outcome = outcome
    self.members = members
    memberIDs = members.map { ObjectIdentifier($0) }
    self.others = others
    self.edges = edges
    self.timeout = timeout
  }

  func run() async -> [ShutdownError.Failure] {
    let isIdle = await waitForBuilds()
    var pending: [ObjectIdentifier: [Disposal]] = [:]
    for member in members.reversed() {
      var rest = await rest(of: member, waiting: isIdle)
      var disposals: [Disposal] = []
      while let disposal = rest.disposals.popLast() {
        disposal.hold()
        disposals.append(disposal)
      }
      pending[ObjectIdentifier(member)] = disposals.reversed()
    }
    progress.withLock { [pending] in $0.pending = pending }
    let ended = Latch<Bool>()
    let worker = Task.detached(priority: Task.currentPriority) { [members] in
      // Those of children first.
      for member in members.reversed() { await self.end(member) }
      ended.open(with: true)
    }
    if await !timeout.wait(for: ended) { worker.cancel() }
    return report()
  }

  /// Ends a member, and those below it, for a disposer of another one, which this closing waits for: so it is that one's to do.
  ///
  /// Before the instances of all members are known it does nothing: then the disposer is not this closing's own, and ends before them.
  func endNow(_ member: Container) async {
    guard progress.withLock({ $0.pending != nil }) else { return }
    for other in members.reversed() where other.isBelow(member) { await end(other) }
  }

  /// Disposes of all that a member has made, and lets go of it.
  private func end(_ member: Container) async {
    let id = ObjectIdentifier(member)
    while let disposal = progress.withLock({ $0.begin(id) }) {
      let failures = await disposal.perform(after: outcome)
      // What has been disposed of may be the last reference to the instance: it goes after the lock.
      _ = progress.withLock { progress in
        progress.failures += failures
        return progress.running.firstIndex { $0 === disposal }.map { progress.running.remove(at: $0) }
      }
    }
    // What is in progress ends it.
    guard progress.withLock({ $0.end(id, member.lifecycle) }) else { return }
    member.letGoOfInstances()
    member.endFeeds()
    member.lifecycle.finishClosing()
    ClosingOrder.end(id)
    member.parent?.lifecycle.remove(member.lifecycle)
  }

  /// Waits once more for who has taken something meanwhile to dispose of it.
  private func rest(of member: Container, waiting: Bool) async -> Lifecycle.Rest {
    while waiting {
      if let rest = member.lifecycle.takeAllIfIdle() { return rest }
      guard await timeout.wait(for: member.lifecycle.idleLatch()) else { break }
    }
    return member.lifecycle.takeAll()
  }

  /// - Returns: whether they have ended in time.
  private func waitForBuilds() async -> Bool {
    for member in members { member.attemptsInFlight.forEach { $0.cancel() } }
    defer { ClosingOrder.remove(edges) }
    let latches = members.map { $0.lifecycle.idleLatch() } + others.map { $0.lifecycle.closedLatch() }
    guard await !timeout.wait(for: latches) else { return true }
    let late = members.flatMap { member in
      member.servicesInFlight.map { ShutdownError.Failure($0, in: member.name, .stillBuilding) }
    }
    progress.withLock { $0.failures += late }
    return false
  }

  private func report() -> [ShutdownError.Failure] {
    progress.withLock { progress in
      progress.failures + progress.running.map { $0.failure(.stillDisposing) }
        + memberIDs.reversed().flatMap { member in
          (progress.pending?[member] ?? []).reversed().map { $0.failure(.waiting) }
        }
    }
  }
}

extension Closing.Progress {
  /// The next one that a member has to dispose of.
  fileprivate mutating func begin(_ member: ObjectIdentifier) -> Disposal? {
    guard let next = pending?[member]?.popLast() else { return nil }
    running.append(next)
    return next
  }

  /// - Returns: whether it is the caller who has to end a member: nobody has, and nothing of it is in progress.
  fileprivate mutating func end(_ member: ObjectIdentifier, _ lifecycle: Lifecycle) -> Bool {
    if running.contains(where: { $0.lifecycle === lifecycle }) { return false }
    return pending?.removeValue(forKey: member) != nil
  }
}
