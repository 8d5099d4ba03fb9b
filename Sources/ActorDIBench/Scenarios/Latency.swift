import ActorDI
import Synchronization

/// The durations of single resolves. The clock is read before and after each resolve, so that slow ones are visible instead of being
/// averaged out.
///
/// The cost of the clock, the median of intervals around nothing, is subtracted from each. The contender that does nothing shows the
/// remaining noise of the clock and of interruptions by the system.
struct Latency: Scenario {
  static let name = "latency"
  static let summary = "single resolves of an existing singleton, any Greeter: the median, p99 and p99.9"

  static let nothing = "nothing (the clock)"
  static let sync = "container, sync"
  static let await = "container, await"

  let unit = MeasuredUnit.single

  var notes: [String] {
    let overhead = Format.short(Clock.overhead)
    return [
      "Reading the clock takes \(overhead) ns, which is subtracted. The clock's resolution is \(Clock.step) ns."
    ]
  }

  /// A fixed total of operations, whatever the number of threads, because a contended lock may take a thousand times as long.
  func fixedIterations(lane: Int) -> Int? { max(1_000, 20_000 / lane) }

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let dictionary = Fixtures.warmDictionary()
    return [
      Contender(
        name: Self.nothing, role: .probe, answer: { Answers.greeter },
        work: Self.threads { count, note in repeating(count) { note(Clock.now(), Clock.now()) } }),
      Contender(
        name: ContenderName.staticLet, role: .floor,
        answer: { Floors.greeter().answer(Answers.question) },
        work: Self.threads { count, note in
          repeating(count) {
            let before = Clock.now()
            consume(Floors.greeter())
            note(before, Clock.now())
          }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.resolve((any Greeter).self).answer(Answers.question) },
        work: Self.threads { count, note in
          repeating(count) {
            let before = Clock.now()
            consume(dictionary.resolve((any Greeter).self))
            note(before, Clock.now())
          }
        }),
      Contender(
        name: Self.sync, role: .container,
        answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
        work: Self.threads { count, note in
          try repeating(count) {
            let before = Clock.now()
            consume(try container.resolve((any Greeter).self))
            note(before, Clock.now())
          }
        }),
      Contender(
        name: Self.await, role: .container,
        answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
        work: .own { load in
          let times = Times(load)
          _ = try await TaskTeam.run(tasks: load.lane) {
            var mine = Times.Own(load.iterations)
            for _ in 0..<load.iterations {
              let before = Clock.now()
              consume(try await container.resolve((any Greeter).self))
              mine.note(before, Clock.now())
            }
            times.add(mine)
          }
          return times.sample
        }),
    ]
  }

  private static func threads(
    _ body: @escaping @Sendable (_ count: Int, _ note: (UInt64, UInt64) -> Void) throws -> Void
  ) -> Contender.Work {
    .own { load in
      let times = Times(load)
      _ = try ThreadTeam.run(threads: load.lane) { _ in
        var mine = Times.Own(load.iterations)
        try body(load.iterations) { mine.note($0, $1) }
        times.add(mine)
      }
      return times.sample
    }
  }
}

/// The times of single operations on all threads.
final class Times: Sendable {
  /// The times of one thread or task.
  struct Own {
    private(set) var nanoseconds: [Double] = []

    init(_ count: Int) {
      nanoseconds.reserveCapacity(count)
    }

    mutating func note(_ before: UInt64, _ after: UInt64) {
      nanoseconds.append(Double(after &- before))
    }
  }

  private let all = Mutex<[Double]>([])

  init(_ load: Load) {
    all.withLock { $0.reserveCapacity(load.iterations * load.lane) }
  }

  func add(_ own: Own) {
    all.withLock { $0 += own.nanoseconds }
  }

  /// The median and the upper percentiles, without the cost of the clock.
  var sample: Sample {
    let overhead = Clock.overhead
    let times = all.withLock { $0 }.sorted()
    func share(_ share: Double) -> Double {
      max(0, (Statistics.quantile(sorted: times, share) ?? 0) - overhead)
    }
    return Sample(
      total: share(0.5), operations: 1,
      details: [.percentile99: share(0.99), .percentile999: share(0.999)])
  }
}
