/// Objects that are listed without being kept alive, in order of addition.
///
/// The list is swept of what is gone whenever it has grown to twice what it was after the last sweep, so it takes room for no
/// more than twice the objects that lived at some time together.
final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let object: Object?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var sweepAt = 16
  }

  private let state = Lock(State())

  /// - Complexity: amortised O(1).
  func add(_ object: Object) {
    // The strong references that the sweep has to take may be the last ones: they go after the lock.
    _ = state.withLock { state -> [Object] in
      state.entries.append(Entry(object: object))
      guard state.entries.count >= state.sweepAt else { return [] }
      let living = state.entries.compactMap(\.object)
      state.entries = living.map { Entry(object: $0) }
      state.sweepAt = max(16, living.count * 2)
      return living
    }
  }

  /// The objects that are alive now.
  var all: [Object] { state.withLock { $0.entries.compactMap(\.object) } }

  /// How many entries there are, those of objects that are gone included.
  var entryCount: Int { state.withLock { $0.entries.count } }
}
