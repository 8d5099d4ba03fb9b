import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs work on operating system threads that all begin at the same moment.
///
/// Threads, not tasks: the concurrency runtime's pool has one thread per core, so it cannot show how synchronous code behaves on more
/// threads.
enum ThreadTeam {
  /// Runs a number of operations, the same on each thread.
  ///
  /// The operations run in portions, and a thread stops after the portion in which the limit expires. Otherwise a contended lock that
  /// suddenly becomes a hundred times slower would prolong the run.
  ///
  /// - Returns: The time, and the number of operations completed in it.
  static func run(
    _ load: Load, _ body: @escaping @Sendable (_ iterations: Int) throws -> Void
  ) throws -> Sample {
    let done = Tally()
    let portion = max(1, load.iterations / 64)
    let time = try run(threads: load.lane) { _ in
      let end = Clock.now() &+ load.limit
      var left = load.iterations
      repeat {
        let count = min(portion, left)
        try body(count)
        left -= count
      } while left > 0 && Clock.now() < end
      done.count.add(load.iterations - left, ordering: .relaxed)
    }
    return Sample(total: Double(time), operations: done.count.load(ordering: .acquiring))
  }

  private final class Tally: Sendable {
    let count = Atomic<Int>(0)
  }

  /// Runs `body` once per round on each thread, and waits for all of them.
  ///
  /// A round begins when the last thread has arrived, and ends when the last thread has finished; only the time between counts. The
  /// same threads run all rounds, so that one-time costs of a thread affect only the first round.
  ///
  /// - Returns: The nanoseconds of all rounds together.
  /// - Throws: The first error thrown by `body`, or ``BenchmarkError/threads(_:)``.
  static func run(
    threads: Int, rounds: Int = 1, _ body: @escaping @Sendable (_ round: Int) throws -> Void
  ) throws -> UInt64 {
    let shift = Shift(threads: threads, rounds: rounds, body: body)
    var started: [SystemThread] = []
    for _ in 0..<threads {
      guard let thread = SystemThread({ shift.work() }) else {
        shift.abandon()
        break
      }
      started.append(thread)
    }
    for thread in started {
      thread.join()
    }
    guard started.count == threads else { throw BenchmarkError.threads(threads) }
    if let failure = shift.failure.withLock({ $0 }) { throw failure }
    return shift.elapsed.load(ordering: .acquiring)
  }
}

/// The state shared by the threads of one run.
private final class Shift: Sendable {
  let elapsed = Atomic<UInt64>(0)
  let failure = Mutex<(any Error)?>(nil)

  private let threads: Int
  private let rounds: Int
  private let body: @Sendable (Int) throws -> Void
  private let arrived = Atomic<Int>(0)
  private let begun = Atomic<Int>(0)
  private let finished = Atomic<Int>(0)
  private let beginning = Atomic<UInt64>(0)
  private let abandoned = Atomic<Bool>(false)

  init(threads: Int, rounds: Int, body: @escaping @Sendable (Int) throws -> Void) {
    self.threads = threads
    self.rounds = rounds
    self.body = body
  }

  /// Releases the threads that wait for one that could not be started.
  func abandon() {
    abandoned.store(true, ordering: .releasing)
  }

  func work() {
    for round in 0..<rounds {
      // The count continues from round to round. A thread arrives at a round only after it has finished the one before, so a full count
      // means that every thread is here.
      let everyone = (round + 1) * threads
      if arrived.add(1, ordering: .acquiringAndReleasing).newValue == everyone {
        beginning.store(Clock.now(), ordering: .relaxed)
        begun.store(round + 1, ordering: .releasing)
      } else if !waitForBeginning(of: round) {
        return
      }
      do {
        try body(round)
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
      if finished.add(1, ordering: .acquiringAndReleasing).newValue == everyone {
        let time = Clock.now() &- beginning.load(ordering: .relaxed)
        elapsed.add(time, ordering: .acquiringAndReleasing)
      }
    }
  }

  /// Spins, because waking a sleeping thread takes longer than many measured rounds. Yields occasionally, because there may be more
  /// threads than cores.
  private func waitForBeginning(of round: Int) -> Bool {
    var spins = 0
    while begun.load(ordering: .acquiring) <= round {
      if abandoned.load(ordering: .acquiring) { return false }
      spins += 1
      if spins % 512 == 0 { sched_yield() }
    }
    return true
  }
}
