import ActorDI
import Synchronization

/// Opened once; tasks wait for that.
///
/// Built on the library's ``Lock``, which ThreadSanitizer understands, and locked again after the
/// wake-up: the sanitizer does not see the ordering of a resumed continuation by itself.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())
  private let hasOpened = Flag()

  var isOpen: Bool { hasOpened.isRaised }

  func open() {
    hasOpened.raise()
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when the gate is open, whether or not the task is cancelled.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    state.withLock { _ in }
  }

  /// Keeps the calling thread until the gate is open.
  func block() {
    while !isOpen { Threads.yield() }
  }
}

/// Opens when it has been signalled as often as was said.
final class Countdown: Sendable {
  private let remaining: Atomic<Int>
  private let gate = Gate()

  init(_ count: Int) {
    remaining = Atomic(count)
    if count == 0 { gate.open() }
  }

  func signal() {
    if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { gate.open() }
  }

  func wait() async {
    await gate.wait()
    _ = remaining.load(ordering: .acquiring)
  }
}

/// Counts, from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .acquiring) }

  /// - Returns: How often it was called before.
  @discardableResult
  func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).oldValue }

  func decrement() { count.subtract(1, ordering: .acquiringAndReleasing) }

  /// Remembers the greatest value seen.
  func raise(to value: Int) { count.max(value, ordering: .acquiringAndReleasing) }
}

/// Raised once, seen by all.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}
