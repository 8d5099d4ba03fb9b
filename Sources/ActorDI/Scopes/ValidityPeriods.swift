/// The validity periods of a ``ManagedScope``, one after the other.
///
/// Instances are taken out one by one. So that nothing is built in between from one that is not out yet, no build begins, and
/// nobody joins one, while a period ends (V1). Builds that are in flight are told to keep nothing (V2), as by a reset. After that,
/// all that a build can find is of the new period.
final class ValidityPeriods: Sendable {
  /// Whose instances end with the period. Listed before their first build, so an end that comes later misses none.
  private let bindings = WeakList<Binding>()
  private let gate = Lock(())

  /// Instances of this binding end with the period. No lock is held: it may let go of bindings that have gone.
  func add(_ binding: Binding) { bindings.add(binding) }

  /// - Returns: what has to be disposed of.
  func end() -> [Disposal] {
    let (dropped, _) = gate.withLock { _ in
      let all = bindings.all
      // The bindings, too, are let go of after the lock.
      return (all.flatMap { $0.forget() }, all)
    }
    return dropped.reclaim()
  }

  /// Runs what must not happen while a period ends. No user code: the gate is a lock.
  func betweenEnds<Result: Sendable>(_ body: () -> Result) -> Result {
    gate.withLock { _ in body() }
  }
}
