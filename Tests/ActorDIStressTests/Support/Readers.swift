import ActorDI
import Synchronization

/// Threads and tasks that read repeatedly while a writer changes the container.
struct Readers: Sendable {
  private var threads: [@Sendable () -> () -> Void] = []
  private var tasks: [@Sendable () -> () async -> Void] = []

  init() {}

  /// Adds threads of the operating system.
  ///
  /// - Parameter makeRead: A closure that each thread calls once. It returns the read that the thread repeats.
  mutating func threads(_ count: Int, _ makeRead: @escaping @Sendable () -> () -> Void) {
    for _ in 0..<count { threads.append(makeRead) }
  }

  /// Adds tasks.
  ///
  /// - Parameter makeRead: A closure that each task calls once. It returns the read that the task repeats.
  mutating func tasks(_ count: Int, _ makeRead: @escaping @Sendable () -> () async -> Void) {
    for _ in 0..<count { tasks.append(makeRead) }
  }

  /// Runs `write` after each reader has read once, then stops the readers.
  ///
  /// - Parameter write: The writer. Its parameter suspends until a reader has begun and ended another read. A fast writer calls
  ///   it now and then, so that the readers see intermediate states.
  func run(whileWriting write: (_ pace: () async -> Void) async throws -> Void) async throws {
    let begun = Countdown(threads.count + tasks.count)
    let ended = Countdown(threads.count + tasks.count)
    let readings = Readings()
    let isOver = Flag()
    for makeRead in threads {
      Threads.start {
        let read = makeRead()
        read()
        begun.signal()
        while !isOver.isRaised {
          let reading = readings.begin()
          read()
          readings.end(reading)
        }
        ended.signal()
      }
    }
    for makeRead in tasks {
      Task {
        let read = makeRead()
        await read()
        begun.signal()
        while !isOver.isRaised {
          let reading = readings.begin()
          await read()
          readings.end(reading)
          await Task.yield()
        }
        ended.signal()
      }
    }
    await begun.wait()
    let result: Result<Void, any Error>
    do {
      try await write { await readings.pace() }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    isOver.raise()
    await ended.wait()
    try result.get()
  }
}

/// Detects that a reader has begun and ended a read.
private final class Readings: Sendable {
  private let asked = Atomic<Int>(0)
  private let answered = Atomic<Int>(0)

  func begin() -> Int { asked.load(ordering: .acquiring) }

  func end(_ reading: Int) { answered.max(reading, ordering: .acquiringAndReleasing) }

  func pace() async {
    let question = asked.add(1, ordering: .acquiringAndReleasing).newValue
    while answered.load(ordering: .acquiring) < question { await Task.yield() }
  }
}
