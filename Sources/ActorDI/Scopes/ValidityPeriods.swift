/// The successive validity periods of a ``ManagedScope``.
///
/// - M1: No build begins, and no caller joins one, while a period ends. Instances are removed one by one; without this rule, a new
///   instance could be built from one that is not removed yet.
/// - M2: Builds in flight at that time keep nothing, as after a reset. So all later builds find instances of the new period only.
final class ValidityPeriods: Sendable {
  /// A keeper of instances that end with the period.
  ///
  /// The cell of the instance holds its member. If each tuple of arguments has its own cell, several members have the same keeper.
  /// A member also refers to the keeper's container, which runs the instances' disposals.
  final class Member: Sendable {
    let periods: ValidityPeriods
    fileprivate weak let keeper: (any InstanceKeeper)?
    /// Returns the container, if it is still alive.
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

  /// A member is listed before its first build, so a later end of the period finds it.
  private let members = WeakList<Member>()
  private let gate = Lock(())

  /// Creates a member. No lock may be held, because this may release members that are gone.
  func member(_ keeper: any InstanceKeeper, in container: @escaping @Sendable () -> (any LifecycleOwner)?) -> Member {
    let member = Member(of: self, keeper, in: container)
    members.add(member)
    return member
  }

  /// Ends the period, and waits until the instances' disposals have run.
  func end() async {
    let (dropped, held) = gate.withLock { _ in
      // Containers and bindings are retained until the end, and released after the lock.
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

  /// Runs a function while no period ends. It must not call user code, because the gate is a lock.
  func betweenEnds<Result: Sendable>(_ body: () -> Result) -> Result { gate.withLock { _ in body() } }
}

/// A holder of the instances that one registration has in one container.
protocol InstanceKeeper: AnyObject, Sendable {
  /// Forgets the instances.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  func forget() -> [DroppedInstance]
}
