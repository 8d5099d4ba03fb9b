/// The closing of a container and everything below it, where a step suspends.
///
/// The one call of ``endMembers()`` and the calls of ``endNow(_:)`` by disposers may run ``end(_:)`` at once, for the same member, too: the
/// lock of `progress` gives each disposal to one of them, and lets one of them finish the member.
final class Closing: RunningClosing {
  /// What finishes the closing of a container whose disposals have run.
  enum Finisher {
    /// The closing itself, by ``Container/finishClosing(after:)``.
    case closing
    /// The runner of a scope whose operation has returned, by ``Container/endScope(_:after:)``. The scope's contents go with it.
    case runner
  }

  /// The container and the containers below it that this closes. Parents precede their children.
  let members: [Container]
  /// Containers below the members that another closing closes, and that this one waits for.
  private let others: [Container]
  private let timeout: Timeout
  private let outcome: ScopeOutcome
  /// What finishes the closing of the first member. This closing finishes that of all others.
  private let finisher: Finisher
  /// The failures so far, and the remaining disposals.
  private let progress = Lock(Progress())

  private struct Progress: ~Copyable {
    var failures: [ShutdownError.Failure] = []
    /// The remaining disposals of each member, the next one last; nothing for a member that has ended. Nil until they are
    /// known.
    var pending: [UInt64: [Disposal]]?
    /// The running disposals: more than one if a disposer closes another member, or for instances that containers above the members keep.
    var running: [Disposal] = []
    /// The task that runs the disposals; nil until they begin.
    var worker: Task<[ShutdownError.Failure], Never>?

    /// The disposals of the members that have not ended; nil until they are known.
    func outstanding(of members: [Container]) -> [ShutdownError.Failure]? {
      guard let pending else { return nil }
      return running.map { $0.failure(.stillDisposing) }
        + members.reversed().flatMap { (pending[$0.id] ?? []).reversed().map { $0.failure(.waiting) } }
    }

    /// Takes the next disposal of a member.
    mutating func begin(_ member: Container) -> Disposal? {
      guard let next = pending?[member.id]?.popLast() else { return nil }
      running.append(next)
      return next
    }

    /// Marks a member as ended.
    ///
    /// - Returns: False if it has ended before, or if one of its disposals is in progress.
    mutating func end(_ member: Container) -> Bool {
      if running.contains(where: { $0.lifecycle === member.lifecycle }) { return false }
      return pending?.removeValue(forKey: member.id) != nil
    }
  }

  init(
    _ members: [Container], waitingFor others: [Container], after outcome: ScopeOutcome, _ timeout: Timeout,
    finishedBy finisher: Finisher
  ) {
    self.finisher = finisher
    self.members = members
    self.others = others
    self.outcome = outcome
    self.timeout = timeout
  }

  /// Whether the ``ClosingOrder`` lists the closing by its members. It lists none with a single member.
  var isListed: Bool { members.count > 1 }

  /// The waits for the other containers.
  var edges: [ClosingOrder.Edge] {
    others.map { ClosingOrder.Edge(from: .container(members[0]), to: .container($0)) }
  }

  /// Waits for builds, runs all disposals, and ends all members. Called in a task of its own.
  ///
  /// - Returns: The failures, including work that exceeded the timeout.
  func run() async -> [ShutdownError.Failure] {
    let isIdle = await waitForBuilds()
    var pending: [UInt64: [Disposal]] = [:]
    for member in members.reversed() {
      let disposals = await takeDisposals(of: member, waiting: isIdle)
      for disposal in disposals { disposal.retainInstance() }
      pending[member.id] = disposals
    }
    progress.withLock { [pending] in
      $0.pending = pending
      $0.worker = .running
    }
    if timeout.duration == nil { return await endMembers() }
    // In a separate task, which continues after the timeout.
    let ended = Latch()
    let worker = Task.detached(priority: Task.currentPriority) {
      defer { ended.open() }
      return await self.endMembers()
    }
    progress.withLock { $0.worker = worker }
    if await timeout.wait(for: [ended]) { return await worker.value }
    // Under one lock: a disposal that fails meanwhile is among the outstanding ones or the failures.
    let failures = progress.withLock { $0.failures + ($0.outstanding(of: members) ?? []) }
    cancelDisposals()
    return failures
  }

  /// Ends all members, children before their parents.
  ///
  /// - Returns: The failures.
  private func endMembers() async -> [ShutdownError.Failure] {
    for member in members.reversed() {
      await end(member)
      // A task that a disposer has started may be ending the member. No disposer waits for this loop.
      if !member.lifecycle.hasEnded { _ = await member.lifecycle.endLatch().wait() }
    }
    return progress.withLock { $0.failures }
  }

  /// Ends a member and everything below it, for a disposer of another member.
  ///
  /// This closing waits for that disposer, so the disposer's own task must end the member. Before the disposals of all
  /// members are known, the call has no effect: the disposer started before the closing, and the members' disposals
  /// wait for its end. Nor has it an effect for a member above the disposer's own, which ends later.
  func endNow(_ member: Container) async {
    let canEnd = progress.withLock { progress in
      progress.pending != nil && !progress.running.contains { $0.lifecycle.container?.isSameOrBelow(member) ?? false }
    }
    guard canEnd else { return }
    for other in members.reversed() where other.isSameOrBelow(member) { await end(other) }
  }

  /// Runs the disposals of a member, and releases its instances.
  private func end(_ member: Container) async {
    while let disposal = progress.withLock({ $0.begin(member) }) {
      let failures = await disposal.perform(after: outcome)
      // The disposal may hold the last reference to the instance, so it is released after the lock.
      _ = progress.withLock { progress in
        progress.failures += failures
        return progress.running.firstIndex { $0 === disposal }.map { progress.running.remove(at: $0) }
      }
    }
    // A disposal in progress ends the member later.
    guard progress.withLock({ $0.end(member) }) else { return }
    await disposeOfInstances(aboveMember: member)
    switch member === members[0] ? finisher : .closing {
    case .closing: member.finishClosing(after: outcome)
    case .runner: member.lifecycle.markEnded()
    }
    if isListed { ClosingOrder.remove(member) }
    if member === members[0] { member.lifecycle.setClosing(nil) }
  }

  /// Disposes of the instances that named containers above a member keep for its registrations. The end of the member waits for these
  /// disposals, as for its own.
  private func disposeOfInstances(aboveMember member: Container) async {
    let disposals = member.takeInstancesAbove().reclaim()
    if disposals.isEmpty { return }
    progress.withLock { $0.running += disposals }
    // Not in order: an end does not wait for the disposals of containers above, which may wait for it.
    let failures = await DisposalRun.run(for: [member]) { await disposals.dispose(after: outcome, inOrder: false) }
    progress.withLock { progress in
      progress.failures += failures
      progress.running.removeAll { running in disposals.contains { $0 === running } }
    }
  }

  /// Takes a member's pending disposals. Waits again for callers that have since taken a disposal and are running it.
  private func takeDisposals(of member: Container, waiting: Bool) async -> [Disposal] {
    var condition = waiting ? Lifecycle.TakingCondition.ifIdle : .always
    while true {
      if let disposals = member.lifecycle.takeDisposals(condition) { return disposals.all }
      if await timeout.wait(for: [member.lifecycle.idleLatch()]) { continue }
      condition = .always
      let late = member.lifecycle.takenDisposals
      progress.withLock { $0.failures += late.map { $0.failure(.stillDisposing) } }
      for disposal in late { disposal.cancel() }
    }
  }

  /// Cancels the members' builds, and waits until they have ended.
  ///
  /// - Returns: False on timeout.
  private func waitForBuilds() async -> Bool {
    for build in members.flatMap(\.lifecycle.builds) { build.cancel() }
    defer { ClosingOrder.remove(edges) }
    let latches = members.map { $0.lifecycle.idleLatch() } + others.map { $0.lifecycle.endLatch() }
    guard await !timeout.wait(for: latches) else { return true }
    let late = outstanding
    progress.withLock { $0.failures += late }
    cancelDisposals()
    return false
  }

  /// The work that this closing waits for. First, that is the builds of the members, their disposals that other callers have taken, and the
  /// work of the other closings. Then it is its own disposals.
  var outstanding: [ShutdownError.Failure] {
    if let disposals = progress.withLock({ $0.outstanding(of: members) }) { return disposals }
    let builds = members.flatMap { member in
      member.servicesInFlight.map {
        ShutdownError.Failure(identity: $0, container: member.name, reason: .stillBuilding)
      }
    }
    let disposals = members.flatMap(\.lifecycle.takenDisposals).map { $0.failure(.stillDisposing) }
    return builds + disposals + others.flatMap { $0.lifecycle.closing?.outstanding ?? [] }
  }

  func cancelDisposals() {
    let (worker, running) = progress.withLock { ($0.worker, $0.running) }
    worker?.cancel()
    for disposal in running + members.flatMap(\.lifecycle.takenDisposals) { disposal.cancel() }
    for other in others { other.lifecycle.closing?.cancelDisposals() }
  }
}
