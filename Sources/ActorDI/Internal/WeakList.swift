/// A list of weakly held objects, in order of addition.
///
/// The list drops the entries of deallocated objects each time it has doubled since the last sweep. So it has at most about
/// twice as many entries as objects were alive at any one time.
final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let object: Object?
  }

  private struct State: ~Copyable {
    var entries: [Entry] = []
    var sweepAt = 16
  }

  private let state = Lock(State())

  /// Adds an object.
  ///
  /// - Complexity: Amortised O(1).
  func add(_ object: Object) {
    // The strong references taken for the sweep may be the last ones: they are released after the lock.
    _ = state.withLock { state -> [Object] in
      state.entries.append(Entry(object: object))
      guard state.entries.count >= state.sweepAt else { return [] }
      let living = state.entries.compactMap(\.object)
      state.entries = living.map { Entry(object: $0) }
      state.sweepAt = max(16, living.count * 2)
      return living
    }
  }

  /// The objects that are still alive.
  var all: [Object] { state.withLock { $0.entries.compactMap(\.object) } }

  /// The number of entries, including those of deallocated objects.
  var entryCount: Int { state.withLock { $0.entries.count } }
}
