/// The validity periods of a ``ManagedScope``, one after the other.
///
/// Instances are taken out one by one. So that nothing is built in between from one that is not out yet, no build begins, and
/// nobody joins one, while a period ends (M1). Builds that are in flight are told to keep nothing (M2), as by a reset. After that,
/// all that a build can find is of the new period.
final class ValidityPeriods: Sendable {
  /// A registration whose instances end with the period, and its container: what the instances have to dispose of, that one's to do.
  /// Held by the registration's binding.
  final class Member: Sendable {
    weak let keeper: (any InstanceKeeper)?
    /// The container, if it is still there.
    let container: @Sendable () -> (any LifecycleOwner)?

    init(_ keeper: any InstanceKeeper, in container: @escaping @Sendable () -> (any LifecycleOwner)?) {
      self.keeper = keeper
      self.container = container
    }
  }

  /// Listed before their first build, so an end that comes later misses none.
  private let members = WeakList<Member>()
  private let gate = Lock(())

  /// No lock is held: it may let go of members that have gone.
  func add(_ member: Member) { members.add(member) }

  /// Ends the period, and waits until what has to be disposed of has been.
  func end() async {
    let (dropped, held) = gate.withLock { _ in
      // Held to the end, containers and bindings, and let go of after the lock.
      let held = members.all.map { member in (member, member.keeper, member.container()) }
      let dropped = held.flatMap { _, keeper, container in
        container == nil ? [] : keeper?.forget() ?? []
      }
      return (dropped, held)
    }
    await dropped.dispose()
    withExtendedLifetime(held) {}
  }

  /// Runs what must not happen while a period ends. No user code: the gate is a lock.
  func betweenEnds<Result: Sendable>(_ body: () -> Result) -> Result {
    gate.withLock { _ in body() }
  }
}

/// What keeps instances of one registration, and can forget them.
protocol InstanceKeeper: AnyObject, Sendable {
  /// - Returns: what was kept, for the caller to let go of.
  func forget() -> [DroppedInstance]
}
