import Synchronization

/// A counter that any thread increments. Tasks can wait until it reaches a number.
package final class Counter: Sendable {
  private struct State {
    var count = 0
    var waiters: [(goal: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  @discardableResult
  package func increment() -> Int {
    let (count, ready) = state.withLock { state in
      state.count += 1
      let count = state.count
      let ready = state.waiters.filter { $0.goal <= count }.map(\.continuation)
      state.waiters.removeAll { $0.goal <= count }
      return (count, ready)
    }
    for continuation in ready { continuation.resume() }
    return count
  }

  /// Suspends until the count is at least `goal`.
  package func wait(for goal: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count >= goal { return true }
        state.waiters.append((goal, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

/// A list to which any thread appends.
package final class Journal<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])
  package init() {}
  package var entries: [Entry] { state.withLock { $0 } }
  package func note(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

/// A variable that any thread reads and sets.
package final class Shelf<Value: Sendable>: Sendable {
  private let state: Mutex<Value>
  package init(_ value: Value) { state = Mutex(value) }
  package var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
