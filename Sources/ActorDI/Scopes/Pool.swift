/// The instances of a pooled service that nobody uses now.
final class Pool: Sendable {
  struct Entry: Sendable {
    let instance: Instance
    /// Its end, which is its own container's to bring about; nil when there is nothing to do then.
    let disposal: Disposal?
    /// When it was made: how often the pool had been emptied.
    let period: Int
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var period = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Lock(State())

  init(limit: Int) { self.limit = limit }

  /// The one that was given back last.
  func take() -> Entry? { state.withLock { $0.entries.popLast() } }

  /// How often it was emptied.
  var period: Int { state.withLock { $0.period } }

  /// - Returns: false when the pool is full or closed, or was emptied since the instance was made.
  func giveBack(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.entries.count < limit, state.period == entry.period
      else { return false }
      state.entries.append(entry)
      return true
    }
  }

  /// What is lent now does not come back.
  ///
  /// - Returns: what is waiting, for the caller to let go of.
  func empty() -> [DroppedInstance] { take(closing: false) }

  /// The same, for good: the registration is gone, or its container is closed. Who has found it before may still make an instance, and what
  /// waited here then would wait forever.
  func close() -> [DroppedInstance] { take(closing: true) }

  private func take(closing isClosing: Bool) -> [DroppedInstance] {
    let old = state.withLock { state in
      if isClosing { state.isClosed = true }
      let old = state.entries
      state.entries = []
      state.period += 1
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
  /// The container that has the pool, and that disposes of what is in it, if it is another one: a link to it may be cancelled.
  private let owner: Container?

  init(of entry: Pool.Entry, to pool: Pool, _ binding: Binding, by lifecycle: Lifecycle) {
    self.entry = entry
    self.pool = pool
    owner = unsafe binding.owner.lifecycle === lifecycle ? nil : binding.owner
    super.init(
      of: binding, in: lifecycle, object: nil,
      isSynchronous: entry.disposal?.isSynchronous ?? true)
  }

  /// Given back, it has not ended; if it has, its own container tells of that.
  override var isTold: Bool { false }

  override func run() async -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return await overflow.told(in: overflow.lifecycle.container)
  }

  override func runSynchronously() -> [any Error]? {
    guard let overflow else { return nil }
    defer { overflow.lifecycle.endActivity() }
    return overflow.toldSynchronously(in: overflow.lifecycle.container)
  }

  /// What has to be disposed of, since the pool does not take it, unless its own container has done so.
  private var overflow: Disposal? {
    guard !pool.giveBack(entry), let disposal = entry.disposal else { return nil }
    return disposal.lifecycle.claim([disposal]).first
  }
}

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
