/// The validity periods of a ``ManagedScope``, one after the other.
///
/// Instances are taken out one by one. So that nothing is built in between from one that is not out yet, no build begins, and
/// nobody joins one, while a period ends (V1). Builds that are in flight are told to keep nothing (V2), as by a reset. After that,
/// all that a build can find is of the new period.
final class ValidityPeriods: Sendable {
  /// A registration whose instances end with the period, and its container: what the instances have to dispose of, that one's to do.
  private struct Member: Sendable {
    weak let binding: Binding?
    let container: ContainerReference
  }

  private struct State: Sendable {
    var members: [Member] = []
    var sweepAt = 16
  }

  /// Listed before their first build, so an end that comes later misses none.
  private let state = Lock(State())
  private let gate = Lock(())

  /// Instances of this binding end with the period.
  ///
  /// - Complexity: amortised O(1).
  func add(_ binding: Binding, in container: Container) {
    let member = Member(binding: binding, container: ContainerReference(container))
    // The strong references that the sweep has to take may be the last ones: they go after the lock.
    _ = state.withLock { state -> [Binding] in
      state.members.append(member)
      guard state.members.count >= state.sweepAt else { return [] }
      var living: [Binding] = []
      state.members = state.members.filter { member in
        guard let binding = member.binding else { return false }
        living.append(binding)
        return true
      }
      state.sweepAt = max(16, living.count * 2)
      return living
    }
  }

  /// Ends the period, and waits until what has to be disposed of has been.
  func end() async {
    let (dropped, held) = gate.withLock { _ in
      // Held to the end, containers and bindings, and let go of after the lock.
      let held = state.withLock { $0.members }.compactMap { member -> (Binding, Container)? in
        guard let container = member.container.container, let binding = member.binding else { return nil }
        return (binding, container)
      }
      return (held.flatMap { $0.0.forget() }, held)
    }
    await dropped.dispose()
    withExtendedLifetime(held) {}
  }

  /// Runs what must not happen while a period ends. No user code: the gate is a lock.
  func betweenEnds<Result: Sendable>(_ body: () -> Result) -> Result {
    gate.withLock { _ in body() }
  }
}
