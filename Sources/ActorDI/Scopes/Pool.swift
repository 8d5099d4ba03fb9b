/// The instances of a pooled service that nobody uses now.
final class Pool: Sendable {
  struct Entry: Sendable {
    let instance: Instance
    /// Its end, which is its own container's to bring about; nil when there is nothing to do then.
    let disposal: Disposal?
  }

  private let limit: Int
  private let entries = Lock<[Entry]>([])

  init(limit: Int) { self.limit = limit }

  /// The one that was given back last.
  func take() -> Entry? { entries.withLock { $0.popLast() } }

  /// - Returns: false when the pool is full.
  func giveBack(_ entry: Entry) -> Bool {
    entries.withLock { entries in
      guard entries.count < limit else { return false }
      entries.append(entry)
      return true
    }
  }

  /// - Returns: what is waiting, for the caller to let go of.
  func empty() -> [DroppedInstance] {
    let old = entries.withLock { entries in
      let old = entries
      entries = []
      return old
    }
    return old.flatMap { entry -> [DroppedInstance] in
      [.owned(entry.instance)] + (entry.disposal.map { [.ended($0)] } ?? [])
    }
  }
}

/// That a container has to give an instance back to its pool.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
private final class PoolReturn: Disposal, @unchecked Sendable {
  private let entry: Pool.Entry
  private let pool: Pool

  init(of entry: Pool.Entry, to pool: Pool, _ binding: Binding, by lifecycle: Lifecycle) {
    self.entry = entry
    self.pool = pool
    super.init(
      of: binding, in: lifecycle, object: nil,
      isSynchronous: entry.disposal?.isSynchronous ?? true)
  }

  /// Given back, it has not ended; if it has, its own container tells of that.
  override var isTold: Bool { false }

  override func run() async -> [any Error]? {
    guard let overflow else { return nil }
    return await overflow.told(in: overflow.lifecycle.container)
  }

  override func runSynchronously() -> [any Error]? {
    guard let overflow else { return nil }
    return overflow.toldSynchronously(in: overflow.lifecycle.container)
  }

  /// What has to be disposed of, since the pool does not take it, unless its own container has done so.
  private var overflow: Disposal? {
    guard !pool.giveBack(entry), let disposal = entry.disposal else { return nil }
    return disposal.lifecycle.claim([disposal]).first
  }
}

extension ServiceBinding {
  /// Takes an instance from the pool, or makes one, for a container that gives it back when it is closed. For one that is not pooled,
  /// makes it.
  func lent(
    to container: Container, _ attempt: Attempt, _ placement: Placement? = nil,
    _ make: () throws -> Product
  ) throws -> Product {
    guard let pool, placement.lends(self) else { return try make() }
    let container = placement?.keeper ?? container
    if let entry = pool.take() { return try lend(entry, from: pool, to: container, attempt) }
    let product = try make()
    let entry = Pool.Entry(instance: product.instance, disposal: attempt.disposal)
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
    let product = try await make()
    let entry = Pool.Entry(instance: product.instance, disposal: attempt.disposal)
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
    let box = unsafe unsafeDowncast(entry.instance.object, to: Box<Service>.self)
    return product(box)
  }
}
