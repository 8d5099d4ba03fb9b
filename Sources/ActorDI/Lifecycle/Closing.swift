/// The closing of a container and all that is below it, where something of it suspends.
final class Closing: Sendable {
  /// What is closed by this: the container, and what is below it. Children stand behind their parents.
  private let members: [Container]
  /// What somebody else is closing already.
  private let others: [Container]
  private let timeout: Timeout
  /// What has been found so far, and where the disposing is.
  private let progress = Lock(Progress())

  private struct Progress: Sendable {
    var failures: [ShutdownError.Failure] = []
    /// What is still to be disposed of, the next one last.
    var pending: [Disposal] = []
  }

  /// Closes what is below a container that is closed already: from now on nothing is resolved from any of them.
  init(of root: Container, _ timeout: Duration?) {
    (members, others) = Self.collect(root)
    self.timeout = Timeout(timeout, root.configuration.clock)
  }

  func run() async -> [ShutdownError.Failure] {
    let isIdle = await waitForBuilds()
    // Those of children first.
    var disposals: [Disposal] = []
    for member in members.reversed() {
      var rest = await rest(of: member, waiting: isIdle)
      while let disposal = rest.disposals.popLast() { disposals.append(disposal) }
    }
    disposals.reverse()
    progress.withLock { [disposals] in $0.pending = disposals }
    let ended = Latch<Bool>()
    let worker = Task.detached(priority: Task.currentPriority) { [members] in
      await self.disposeOfAll()
      for member in members.reversed() {
        member.letGoOfInstances()
        member.lifecycle.finishClosing()
        member.parent?.lifecycle.remove(member.lifecycle)
      }
      ended.open(with: true)
    }
    if await !timeout.wait(for: ended) { worker.cancel() }
    return report()
  }

  private static func collect(_ root: Container) -> (members: [Container], others: [Container]) {
    var (members, others, next) = ([root], [Container](), 0)
    while next < members.count {
      for child in members[next].children {
        if child.lifecycle.beginClosing() {
          child.closeRegistry()
          members.append(child)
        } else {
          others.append(child)
        }
      }
      next += 1
    }
    return (members, others)
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
    let latches = members.map { $0.lifecycle.idleLatch() } + others.map { $0.lifecycle.closedLatch() }
    guard await !timeout.wait(for: latches) else { return true }
    let late = members.flatMap { member in
      member.attemptsInFlight.map {
        ShutdownError.Failure($0.identity, in: member.name, .stillBuilding)
      }
    }
    progress.withLock { $0.failures += late }
    return false
  }

  private func disposeOfAll() async {
    while let disposal = progress.withLock({ $0.pending.last }) {
      let failures = await disposal.perform()
      // What has been disposed of may be the last reference to the instance: it goes after the lock.
      _ = progress.withLock { progress in
        progress.failures += failures
        return progress.pending.popLast()
      }
    }
  }

  private func report() -> [ShutdownError.Failure] {
    progress.withLock { progress in
      progress.failures
        + progress.pending.reversed().enumerated().map { index, disposal in
          disposal.failure(index == 0 ? .stillDisposing : .waiting)
        }
    }
  }
}
