import ActorDI
import Synchronization

/// A gate that stays open once opened. Tasks and threads wait for it.
///
/// Uses the library's ``Lock``, which ThreadSanitizer understands. A resumed task locks it once more, since the sanitizer does
/// not see the ordering of a resumed continuation.
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

  /// Suspends until the gate is open, even if the task is cancelled.
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

  /// Blocks the calling thread until the gate is open.
  func block() {
    while !isOpen { Threads.yield() }
  }
}

/// A gate that opens after a number of signals.
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

/// A counter that any thread changes.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .acquiring) }

  /// - Returns: The previous value.
  @discardableResult
  func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).oldValue }

  func decrement() { count.subtract(1, ordering: .acquiringAndReleasing) }

  /// Raises the value to at least `value`.
  func raise(to value: Int) { count.max(value, ordering: .acquiringAndReleasing) }
}

/// A flag that any thread raises and reads.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}
