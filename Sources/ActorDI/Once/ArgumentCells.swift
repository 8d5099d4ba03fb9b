/// The once cells of a service of which one instance is kept for each tuple of argument values.
///
/// A tuple is found by its hash under the lock, and compared after it: `==` is the user's. So that a tuple has one cell at a time,
/// a new one is only listed if its bucket has not changed since it was looked through.
///
/// A cell in which nothing is kept or being built, as after a failure, a reset or the end of a weakly kept instance, is unlisted
/// when the list has doubled since the last sweep. It is retired at the same time (T1): who still has it in hand is told to look
/// again, and never builds beside its successor.
final class ArgumentCells: Sendable {
  private struct Entry: Sendable {
    let values: ArgumentValues
    let cell: OnceCell
  }

  private struct State: Sendable {
    /// By the hash of the values.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var sweepAt = ArgumentCells.smallestSweep
    var isRetired = false
  }

  private static var smallestSweep: Int { 16 }

  private let state = Lock(State())

  /// The cell of a tuple.
  ///
  /// - Parameter make: makes one that nobody has yet.
  /// - Complexity: O(1) with a good hash; a sweep is amortised.
  func cell(for values: ArgumentValues, orMake make: () -> OnceCell) -> OnceCell {
    var bucket = state.withLock { $0.buckets[values.hash] ?? [] }
    if let entry = bucket.first(where: { $0.values.equals(values) }) { return entry.cell }
    let new = Entry(values: values, cell: make())
    // Listed, it would never be found again: each resolve has an instance of its own.
    guard values.equalsItself else { return new.cell }
    while true {
      switch insert(new, after: bucket) {
      case .inserted:
        return new.cell
      case .retired:
        _ = new.cell.retire()
        return new.cell
      case .full:
        sweep()
      case .changed(let now):
        if let entry = now.first(where: { $0.values.equals(values) }) { return entry.cell }
        bucket = now
      }
    }
  }

  /// All cells that are listed.
  var all: [OnceCell] { state.withLock { $0.buckets.values.flatMap { $0.map(\.cell) } } }

  /// How many cells are listed.
  var count: Int { state.withLock { $0.count } }

  /// Forgets all instances, and returns them for the caller to release.
  func forget() -> [DroppedInstance] { all.flatMap { $0.forget() } }

  /// As `reset`, for good: the registration is gone.
  func retire() -> [DroppedInstance] {
    let old = state.withLock { state in
      let old = state.buckets
      state.buckets = [:]
      state.count = 0
      state.isRetired = true
      return old
    }
    return old.values.joined().flatMap { $0.cell.retire() }
  }

  // MARK: Steps

  private enum Insertion: Sendable {
    case inserted
    /// The bucket is not the one that was looked through.
    case changed([Entry])
    /// It is time to look for cells that are not needed any more.
    case full
    case retired
  }

  private func insert(_ entry: Entry, after seen: [Entry]) -> Insertion {
    state.withLock { state in
      if state.isRetired { return .retired }
      let hash = entry.values.hash
      let bucket = state.buckets[hash] ?? []
      guard bucket.elementsEqual(seen, by: { $0.cell === $1.cell }) else { return .changed(bucket) }
      if state.count >= state.sweepAt { return .full }
      state.buckets[hash, default: []].append(entry)
      state.count += 1
      return .inserted
    }
  }

  private func sweep() {
    for cell in all { cell.readClock() }
    // What is unlisted holds values of the user's, and goes after the lock.
    let (dropped, _) = state.withLock { state in
      var dropped: [DroppedInstance] = []
      let old = state.buckets
      state.buckets = old.compactMapValues { bucket in
        // The cells' own locks are taken under this one, never the other way round.
        let used = bucket.filter { entry in
          let (isRetired, instances) = entry.cell.retireIfEmpty()
          dropped += instances
          return !isRetired
        }
        return used.isEmpty ? nil : used
      }
      state.count = state.buckets.values.reduce(0) { $0 + $1.count }
      state.sweepAt = max(Self.smallestSweep, state.count * 2)
      return (dropped, old)
    }
    dropped.release()
  }
}
