import ActorDI
import Synchronization

/// A thread that resolves a singleton in a loop.
final class Reader: Sendable {
  private final class State: Sendable {
    let isToEnd = Atomic<Bool>(false)
    let reads = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
  }

  private let state: State
  private let thread: SystemThread

  /// Starts the thread.
  ///
  /// - Parameter container: The container, which has a greeter.
  /// - Throws: ``BenchmarkError/threads(_:)``.
  init(of container: Container) throws {
    let state = State()
    let thread = SystemThread {
      while !state.isToEnd.load(ordering: .relaxed) {
        var failures = 0
        for _ in 0..<64 {
          let greeter = try? container.resolve((any Greeter).self)
          if greeter?.answer(Answers.question) != Answers.greeter { failures += 1 }
        }
        state.reads.add(64, ordering: .relaxed)
        state.failures.add(failures, ordering: .relaxed)
      }
    }
    guard let thread else { throw BenchmarkError.threads(1) }
    self.state = state
    self.thread = thread
  }

  /// The number of resolves so far.
  var reads: Int { state.reads.load(ordering: .relaxed) }

  /// The number of resolves with a wrong result.
  var failures: Int { state.failures.load(ordering: .relaxed) }

  /// Stops the thread. Call it once.
  func end() {
    state.isToEnd.store(true, ordering: .relaxed)
    thread.join()
  }
}
