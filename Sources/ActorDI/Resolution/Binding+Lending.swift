internal import Synchronization

// Instances of pools, for the time of a container.
extension Binding {
  /// Takes an instance from the pool, or makes one, for a container that gives it back when it is closed. For one that is not pooled,
  /// makes it.
  func lent(
    to container: Container, _ attempt: Attempt, _ placement: Placement? = nil,
    _ make: () throws -> Product
  ) throws -> Product {
    guard let pool, placement.lends(self) else { return try make() }
    let container = placement?.keeper ?? container
    if let entry = pool.take() { return try lend(entry, from: pool, to: container, attempt) }
    let period = pool.period
    let product = try make()
    let entry = Pool.Entry(instance: product.instance, disposal: attempt.disposal, period: period)
    return try lend(entry, from: pool, to: container, attempt)
  }

  /// The same for an asynchronous factory.
  func lent(
    to container: Container, _ attempt: Attempt, _ placement: Placement? = nil,
    _ make: () async throws -> Product
  ) async throws -> Product {
    guard let pool, placement.lends(self) else { return try await make() }
    let container = placement?.keeper ?? container
    if let entry = pool.take() { return try lend(entry, from: pool, to: container, attempt) }
    let period = pool.period
    let product = try await make()
    let entry = Pool.Entry(instance: product.instance, disposal: attempt.disposal, period: period)
    return try lend(entry, from: pool, to: container, attempt)
  }

  private func lend(
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

/// That a container has to give an instance back to its pool.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
private final class PoolReturn: BindingDisposal, @unchecked Sendable {
  private let entry: Pool.Entry
  private let pool: Pool
  /// The container that has the pool, and that disposes of what is in it, if it is another one: a link to it may be cancelled.
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

  /// Given back, it has not ended; if it has, its own container tells of that.
  override var isTold: Bool { false }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return await overflow.told(after: outcome)
  }

  override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return overflow.toldSynchronously(after: outcome)
  }

  /// What has to be disposed of, since the pool does not take it, unless its own container has done so.
  private var overflow: Disposal? {
    guard isDiscarded.load(ordering: .acquiring) || !pool.giveBack(entry), let disposal = entry.disposal else {
      return nil
    }
    return disposal.lifecycle.claim([disposal]).first
  }
}
