/// The idle instances of a pooled service.
///
/// A ``CheckOut`` reads the generation before the factory runs. So the pool refuses an instance whose build was in progress when the pool
/// was emptied, and the return of the instance disposes of it.
final class Pool: Sendable {
  /// A pooled instance.
  struct Entry: Sendable {
    let instance: Instance
    /// The instance's disposal, which the container of the registration runs, not the one that checks it out; nil if it needs none.
    let disposal: Disposal?
    /// The pool's generation in which the build of the instance began.
    let generation: Int
  }

  private struct State: ~Copyable {
    var entries: [Entry] = []
    /// The number of times that the pool has been emptied.
    var generation = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Lock(State())

  init(limit: Int) { self.limit = limit }

  /// The pool's generation now.
  var generation: Int { state.withLock { $0.generation } }

  /// Takes out the instance that was returned last; nil if none is idle.
  func take() -> Entry? { state.withLock { $0.entries.popLast() } }

  /// Takes an instance back.
  ///
  /// - Returns: False if the pool is full or closed, or has been emptied since the build of the instance began.
  func giveBack(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.entries.count < limit, state.generation == entry.generation else { return false }
      state.entries.append(entry)
      return true
    }
  }

  /// Removes all idle instances. Instances that are checked out now will not be accepted back.
  ///
  /// - Returns: The idle instances, for the caller to release.
  func empty() -> [DroppedReference] { removeAll(closing: false) }

  /// Empties the pool for good, because the registration has been removed or its container is closed.
  ///
  /// A caller that found the registration earlier may still make an instance. A closed pool refuses it, because nothing would remove
  /// it later.
  ///
  /// - Returns: The idle instances, for the caller to release.
  func close() -> [DroppedReference] { removeAll(closing: true) }

  private func removeAll(closing isClosing: Bool) -> [DroppedReference] {
    let old = state.withLock { state in
      if isClosing { state.isClosed = true }
      state.generation += 1
      return exchange(&state.entries, with: [])
    }
    return old.flatMap { entry -> [DroppedReference] in
      [.owned(entry.instance)] + (entry.disposal.map { [.ended($0)] } ?? [])
    }
  }
}
