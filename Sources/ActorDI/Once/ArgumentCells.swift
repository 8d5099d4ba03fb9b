/// The once cells of a service that keeps one instance per tuple of argument values.
///
/// The list finds a tuple by its hash under the lock, and compares values outside it, because `==` is user code. A new cell is
/// listed only if its bucket has not changed since the comparison, so a tuple has at most one listed cell.
///
/// A cell is empty if it keeps no instance and runs no build. Examples are cells after a failure, after a reset, or after the release of
/// a weakly kept instance. A sweep unlists empty cells whenever the list has doubled since the last sweep. It retires them at the same
/// time (T1). A caller that still holds a retired cell looks the tuple up again, so it never builds beside the cell's successor.
final class ArgumentCells: Sendable {
  /// The cell of one tuple of argument values.
  private struct Entry {
    let values: ArgumentValues
    let cell: OnceCell
  }

  private struct State: ~Copyable {
    /// Entries by the hash of their values.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var sweepAt = ArgumentCells.smallestSweep
    var isRetired = false
  }

  private static var smallestSweep: Int { 16 }

  private let state = Lock(State())

  /// Returns the cell of a tuple of argument values.
  ///
  /// - Parameter make: Creates a cell if the tuple has none yet.
  /// - Complexity: O(1) with a good hash; sweeps are amortised.
  func cell(for values: ArgumentValues, orMake make: () -> OnceCell) -> OnceCell {
    var new: Entry?
    while true {
      let bucket = state.withLock { $0.buckets[values.hash] ?? [] }
      if let entry = bucket.first(where: { $0.values.equals(values) }) { return entry.cell }
      let entry = new ?? Entry(values: values, cell: make())
      new = entry
      // No lookup would find values that do not equal themselves, so the cell is not listed: each resolve gets its own instance.
      guard values.equalsItself else { return entry.cell }
      if state.withLock({ $0.count >= $0.sweepAt }) { sweep() }
      guard let isListed = insert(entry, after: bucket) else { continue }
      if !isListed { _ = entry.cell.retire() }
      return entry.cell
    }
  }

  /// All listed cells.
  var all: [OnceCell] { state.withLock { $0.buckets.values.flatMap { $0.map(\.cell) } } }

  /// Forgets all instances, and returns them for the caller to release.
  func forget() -> [DroppedReference] { all.flatMap { $0.forget() } }

  /// Retires all cells, because the registration has been removed.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  func retire() -> [DroppedReference] {
    let old = state.withLock { state in
      state.count = 0
      state.isRetired = true
      return exchange(&state.buckets, with: [:])
    }
    return old.values.joined().flatMap { $0.cell.retire() }
  }

  // MARK: Steps

  /// Lists an entry.
  ///
  /// - Returns: True if the entry is listed, false if the registration has been removed; nil if the bucket has changed since the
  ///   comparison.
  private func insert(_ entry: Entry, after seen: [Entry]) -> Bool? {
    state.withLock { state in
      if state.isRetired { return false }
      let hash = entry.values.hash
      let bucket = state.buckets[hash] ?? []
      guard bucket.elementsEqual(seen, by: { $0.cell === $1.cell }) else { return nil }
      state.buckets[hash, default: []].append(entry)
      state.count += 1
      return true
    }
  }

  private func sweep() {
    for cell in all { cell.storage.readClock() }
    // The old buckets hold the user's values, so they are released after the lock.
    let (dropped, _) = state.withLock { state in
      var dropped: [DroppedReference] = []
      let old = state.buckets
      state.buckets = old.compactMapValues { bucket in
        // Lock order: this lock first, then the lock of a cell; never the reverse.
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
