internal import Synchronization

// Pooled instances, checked out by a container until it closes.
extension Binding {
  /// Checks an instance out of the pool for a container, which returns it when the container closes. Makes one if the pool is empty or
  /// the binding is not pooled.
  func checkedOut(
    to container: Container, _ attempt: Attempt, _ placement: Placement?, _ make: () throws -> Product
  ) throws -> Product {
    guard let pool, placement.checksOut(self) else { return try make() }
    let (idle, period) = pool.take()
    let entry = try idle ?? Pool.Entry(instance: make().instance, disposal: attempt.disposal, period: period)
    return try checkOut(entry, from: pool, to: placement?.keeper ?? container, attempt)
  }

  /// Checks an instance out of the pool for a container, with an asynchronous factory.
  func checkedOut(
    to container: Container, _ attempt: Attempt, _ placement: Placement?, _ make: () async throws -> Product
  ) async throws -> Product {
    guard let pool, placement.checksOut(self) else { return try await make() }
    let (idle, period) = pool.take()
    let entry: Pool.Entry
    if let idle {
      entry = idle
    } else {
      entry = try await Pool.Entry(instance: make().instance, disposal: attempt.disposal, period: period)
    }
    return try checkOut(entry, from: pool, to: placement?.keeper ?? container, attempt)
  }

  private func checkOut(
    _ entry: Pool.Entry, from pool: Pool, to container: Container, _ attempt: Attempt
  ) throws -> Product {
    let giveBack = PoolReturn(of: entry, to: pool, self, by: container.lifecycle)
    if case .tooLate = container.lifecycle.add(giveBack) {
      giveBack.performInBackground()
      attempt.setDisposal(nil)
      throw ResolutionError(.closed, for: identity, container: container.name)
    }
    attempt.setDisposal(giveBack)
    return product(entry.instance)
  }
}

/// The pending return of a checked-out instance to its pool.
///
/// `@unchecked Sendable` because its superclass is; the added properties are immutable or atomic.
private final class PoolReturn: BindingDisposal, @unchecked Sendable {
  private let entry: Pool.Entry
  private let pool: Pool
  /// The container that owns the pool and disposes of its instances, if it is not the one that checked this instance out. Retained
  /// because a link to it may be cancelled.
  private let owner: Container?
  private let isDiscarded = Atomic<Bool>(false)

  init(of entry: Pool.Entry, to pool: Pool, _ binding: Binding, by lifecycle: Lifecycle) {
    self.entry = entry
    self.pool = pool
    owner = unsafe binding.owner.lifecycle === lifecycle ? nil : binding.owner
    super.init(
      of: binding, in: lifecycle, object: nil,
      isSynchronous: entry.disposal?.isSynchronous ?? true)
  }

  override func discard() { isDiscarded.store(true, ordering: .releasing) }

  /// A returned instance has not ended. If the pool refuses it, the pool's own container notifies observers of its disposal.
  override var isObserved: Bool { false }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return await overflow.performObserved(after: outcome)
  }

  override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return overflow.performObservedSynchronously(after: outcome)
  }

  /// The disposal to run because the pool does not take the instance back; nil if the pool takes it, or if its container has disposed
  /// of it.
  private var overflow: Disposal? {
    guard isDiscarded.load(ordering: .acquiring) || !pool.giveBack(entry), let disposal = entry.disposal else {
      return nil
    }
    return disposal.lifecycle.claim([disposal]).first
  }
}
