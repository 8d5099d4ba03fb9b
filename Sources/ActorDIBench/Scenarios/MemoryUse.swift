import ActorDI
import Synchronization

/// P15: the growth of memory over 100,000 overrides and resets, while a thread reads.
///
/// The live heap, minus its size before the creation of the container, is sampled all along. The figure is its median in the last
/// quarter of the steps over that in the second quarter; the first quarter absorbs one-time growth. Medians, because a reader that the
/// system suspends briefly holds back memory that it may still be reading. The figure would reveal a leak of one block per override or
/// per other step.
struct MemoryUse: Scenario {
  static let name = "memory"
  static let summary = "live heap with a reader: last quarter of 100,000 overrides and resets ÷ second quarter"

  static let steps = 100_000
  /// Enough services that memory freed meanwhile by other threads and earlier scenarios is negligible.
  private static let services = 10_000

  let unit = MeasuredUnit.ratio
  let lanes = Lanes.single
  let fixedIterations: Int? = MemoryUse.steps
  let expectedAnswer = Answers.greeter
  /// One repeat takes seconds.
  let mostRepeats = 1

  var obstacle: String? { Memory.obstacle }

  func contenders() -> [Contender] {
    [
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try Self.container().resolve((any Greeter).self).answer(Answers.question) },
        // In a task of its own: on the main actor, each call would change threads.
        work: .own { load in
          try await Task.detached { try await Self.measure(load) }.value
        })
    ]
  }

  /// Every second step is a reset. The others alternately override a service for a task and replace a service for all.
  private static func step(_ number: Int, in container: Container) async throws {
    let key = number % services
    switch number % 4 {
    case 0:
      try await container.withOverrides {
        Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
      } operation: {
        consume(try await container.resolve((any Greeter).self))
      }
    case 2:
      try await container.register(Bystander.self, key: key, scope: .singleton) { _ in Bystander() }
    default:
      consume(try await container.resolve(Bystander.self, key: key))
      await container.reset(Bystander.self, key: key)
    }
  }

  private static func container() throws -> Container {
    let container = Container {
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
      ManyServices.registrations(services, .key)
    }
    _ = try container.resolve((any Greeter).self)
    return container
  }

  private static func measure(_ load: Load) async throws -> Sample {
    let before = Memory.live
    let hasPeak = Memory.beginPeak()
    let container = try container()
    let reader = try Reader(of: container)
    defer { reader.end() }
    var looks = Looks(steps: load.iterations)
    let beginning = Clock.now()
    for number in 0..<load.iterations {
      try await step(number, in: container)
      looks.note(number) { Double(Memory.live - before) }
    }
    let seconds = Double(Clock.now() &- beginning) / 1e9
    guard reader.failures == 0 else {
      throw BenchmarkError.wrongAnswer(
        scenario: name, contender: "failures of the reader", answer: reader.failures, expected: 0)
    }
    var details: [Detail: Double] = [.live: looks.median(3) ?? .nan, .disturbance: Double(reader.reads) / seconds]
    if hasPeak { details[.peak] = Memory.peak.map(Double.init) }
    return Sample(total: looks.growth, operations: 1, details: details)
  }
}

/// Samples taken at equal intervals in the course of many steps.
struct Looks {
  private static let inQuarter = 32

  private let distance: Int
  private var figures: [Double] = []

  init(steps: Int) {
    distance = max(1, steps / (4 * Self.inQuarter))
  }

  /// Takes a sample if one is due.
  mutating func note(_ step: Int, _ look: () -> Double) {
    guard step % distance == distance - 1, figures.count < 4 * Self.inQuarter else { return }
    figures.append(look())
  }

  /// The median of a quarter, beginning with 0.
  func median(_ quarter: Int) -> Double? {
    Statistics.median(Array(figures.dropFirst(quarter * Self.inQuarter).prefix(Self.inQuarter)))
  }

  /// The median of the last quarter over that of the second; NaN if there were too few steps.
  var growth: Double {
    guard let last = median(3), let second = median(1) else { return .nan }
    return last / second
  }
}
