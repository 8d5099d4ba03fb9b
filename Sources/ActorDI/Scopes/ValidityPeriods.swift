/// The successive validity periods of a ``ManagedScope``.
///
/// - M1: No build begins, and no caller joins one, while a period ends. Instances are removed one by one; without this rule, a new
///   instance could be built from one that is not removed yet.
/// - M2: Builds in flight at that time keep nothing, as after a reset. So all later builds find instances of the new period only.
final class ValidityPeriods: Sendable {
  /// A holder of instances that end with the period, and its container, which runs the instances' disposals.
  ///
  /// The cell of an instance retains its member. If each tuple of arguments has its own cell, several members have the
  /// same holder.
  final class Member: Sendable {
    let periods: ValidityPeriods
    fileprivate weak let holder: (any ResettableHolder)?
    /// Returns the container, if it is still alive.
    fileprivate let loadContainer: @Sendable () -> (any LifecycleOwner)?

    /// Creates a member of the period. No lock may be held, because this may release members that are gone.
    init(
      of periods: ValidityPeriods, _ holder: any ResettableHolder,
      in loadContainer: @escaping @Sendable () -> (any LifecycleOwner)?
    ) {
      self.periods = periods
      self.holder = holder
      self.loadContainer = loadContainer
      periods.members.add(self)
    }
  }

  /// A member, its holder and its container, which are retained until the period has ended, and released after the lock.
  private struct HeldMember: Sendable {
    let member: Member
    let holder: (any ResettableHolder)?
    let container: (any LifecycleOwner)?

    init(_ member: Member) {
      self.member = member
      holder = member.holder
      container = member.loadContainer()
    }
  }

  /// A member is listed before its first build, so a later end of the period finds it.
  private let members = WeakList<Member>()
  /// Held while a period ends, and while a caller arrives at a cell (M1). Taken before a cell's lock, never under one.
  private let gate = Lock(())

  /// Ends the period, and waits until the instances' disposals have run.
  func end() async {
    let (dropped, held) = gate.withLock { _ in
      let held = members.all.map { HeldMember($0) }
      var ended: Set<ObjectIdentifier> = []
      let dropped = held.flatMap { member -> [DroppedReference] in
        // The cells of a holder refer to the container's lifecycle unheld, so without the container the holder is left alone.
        guard member.container != nil, let holder = member.holder, ended.insert(ObjectIdentifier(holder)).inserted
        else { return [] }
        // M2: detaches builds in flight.
        return holder.forget()
      }
      return (dropped, held)
    }
    await dropped.dispose()
    withExtendedLifetime(held) {}
  }

  /// Runs a function while no period ends. The function must not call user code, because the gate is a lock.
  func betweenEnds<Result: Sendable>(_ body: () -> Result) -> Result { gate.withLock { _ in body() } }
}
