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
