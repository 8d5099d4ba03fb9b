/// The validity periods of a ``ManagedScope``, one after the other.
///
/// Instances are taken out one by one. So that nothing is built in between from one that is not out yet, no build begins, and
/// nobody joins one, while a period ends (M1). Builds that are in flight are told to keep nothing (M2), as by a reset. After that,
/// all that a build can find is of the new period.
final class ValidityPeriods: Sendable {
  /// What keeps an instance that ends with the period, and its container: what the instance has to dispose of, that one's to do. Held by
  /// the instance's cell; where each tuple of arguments has one, there are several of one keeper.
  final class Member: Sendable {
    let periods: ValidityPeriods
    fileprivate weak let keeper: (any InstanceKeeper)?
    /// The container, if it is still there.
    fileprivate let container: @Sendable () -> (any LifecycleOwner)?

    fileprivate init(
      of periods: ValidityPeriods, _ keeper: any InstanceKeeper,
      in container: @escaping @Sendable () -> (any LifecycleOwner)?
    ) {
      self.periods = periods
      self.keeper = keeper
      self.container = container
    }
  }

  /// Listed before their first build, so an end that comes later misses none.
  private let members = WeakList<Member>()
  private let gate = Lock(())

  /// Makes a member. No lock is held: this may let go of members that have gone.
  func member(_ keeper: any InstanceKeeper, in container: @escaping @Sendable () -> (any LifecycleOwner)?) -> Member {
    let member = Member(of: self, keeper, in: container)
    members.add(member)
    return member
  }

  /// Ends the period, and waits until what has to be disposed of has been.
  func end() async {
    let (dropped, held) = gate.withLock { _ in
      // Held to the end, containers and bindings, and let go of after the lock.
      let held = members.all.map { member in (member, member.keeper, member.container()) }
      var ended: Set<ObjectIdentifier> = []
      let dropped = held.flatMap { _, keeper, container -> [DroppedInstance] in
        guard container != nil, let keeper, ended.insert(ObjectIdentifier(keeper)).inserted else { return [] }
        return keeper.forget()
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

/// What keeps instances of one registration in one container, and can forget them.
protocol InstanceKeeper: AnyObject, Sendable {
  /// - Returns: what was kept, for the caller to let go of.
  func forget() -> [DroppedInstance]
}
