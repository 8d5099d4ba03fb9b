internal import Synchronization

/// The check-out of a pooled instance by a container, until the container closes.
///
/// A build calls `takeIdle` before its factory, and `finish` after it.
struct CheckOut {
  private let binding: Binding
  private let container: Container
  private let attempt: Attempt
  private let pool: Pool
  /// The pool's generation at the beginning of the build.
  private let generation: Int

  /// Creates the check-out of a build's instance; nil if the instance comes from no pool.
  ///
  /// - Parameter request: The request, whose container returns the instance when it closes.
  init?(for request: Request, _ attempt: Attempt) {
    let placement = request.placement
    guard let pool = request.binding.pool, placement.checksOut(request.binding) else { return nil }
    binding = request.binding
    container = placement.substitute ?? request.asked
    self.attempt = attempt
    self.pool = pool
    generation = pool.generation
  }

  /// Takes an idle instance out of the pool, and checks it out.
  ///
  /// - Returns: The product of the instance; nil if none is idle, so that the build must make one.
  func takeIdle() throws -> Product? { try pool.take().map(checkOut) }

  /// Checks a new instance out.
  func finish(_ made: Product) throws -> Product {
    let disposal = attempt.disposal
    // The return takes its place in the build.
    if let disposal { attempt.addDisposal(ofPooled: disposal) }
    return try checkOut(Pool.Entry(instance: made.instance, disposal: disposal, generation: generation))
  }

  private func checkOut(_ entry: Pool.Entry) throws -> Product {
    // From now on, only the return runs the instance's own disposal, even if the container is closed.
    attempt.setDisposal(nil)
    let giveBack = PoolReturn(of: entry, to: pool, binding, by: container.lifecycle)
    attempt.setDisposal(try binding.add(giveBack, in: container))
    return Product(instance: entry.instance)
  }
}

/// The pending return of a checked-out instance to its pool.
///
/// `@unchecked Sendable` because its superclass is; the added properties are immutable or atomic.
private final class PoolReturn: BindingDisposal, @unchecked Sendable {
  private let entry: Pool.Entry
  private let pool: Pool
  /// The container that owns the pool and disposes of its instances. Weak: once the link to it is cancelled, the instance must not keep it
  /// alive. Without a shutdown, it would dispose of nothing either.
  private weak let owner: Container?
  private let isDiscarded = Atomic<Bool>(false)

  init(of entry: Pool.Entry, to pool: Pool, _ binding: Binding, by lifecycle: Lifecycle) {
    self.entry = entry
    self.pool = pool
    unsafe owner = binding.owner
    super.init(of: binding, in: lifecycle, nil, isSynchronous: entry.disposal?.isSynchronous ?? true)
  }

  override func discard() { isDiscarded.store(true, ordering: .releasing) }

  /// A returned instance has not ended. If the pool refuses it, the pool's own container notifies observers of its disposal.
  override var isObserved: Bool { false }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    let batch = DisposalBatch()
    guard let owner, let overflow = takeOverflow(of: owner, in: batch) else { return nil }
    defer { owner.lifecycle.endDisposal(overflow) }
    return await DisposalRun.run(for: [], in: batch) { await overflow.perform(after: outcome) }.compactMap(\.error)
  }

  override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    guard let owner, let overflow = takeOverflow(of: owner, in: DisposalBatch()) else { return nil }
    defer { owner.lifecycle.endDisposal(overflow) }
    var failures: [ShutdownError.Failure] = []
    overflow.performSynchronously(after: outcome, &failures)
    return failures.compactMap(\.error)
  }

  /// Takes the disposal to run, because the pool of a container refuses the instance. Nil if the pool takes the instance, or if the container
  /// has disposed of it.
  private func takeOverflow(of owner: Container, in batch: DisposalBatch) -> Disposal? {
    guard isDiscarded.load(ordering: .acquiring) || !pool.giveBack(entry), let disposal = entry.disposal else {
      return nil
    }
    return owner.lifecycle.take([disposal], in: batch).first
  }
}
