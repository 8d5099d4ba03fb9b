/// A limit that a figure of the container has to keep.
///
/// Bounds are values: what to measure, how the figure is read off the measurements, and the limit.
struct Bound: Equatable, Sendable {
  /// The row of the list of bounds it belongs to, as in `P1`.
  let row: String
  let what: String
  let figure: Figure
  let limit: Limit
  /// What the figure is a multiple of.
  let yardstick: String
  /// On fewer cores than this the figure would say nothing.
  var minimumCores = 1
  /// What has to have scaled if the figure is to say something of the container, if anything has.
  var freeCores: FreeCores?

  /// Work that scales with the cores that other programs leave free.
  struct FreeCores: Equatable, Sendable {
    /// A ``Figure/bestThroughput(_:of:)`` of work that shares nothing.
    let figure: Figure
    /// How much of it has to be there.
    let atLeast: Double
  }

  /// One contender in one lane of a scenario.
  struct Subject: Equatable, Sendable {
    let scenario: String
    let contender: String
    var lane = 1
    /// What is looked at beside the contender's own figure.
    var detail: Detail?
  }

  /// How the figure is read off the measurements.
  enum Figure: Equatable, Sendable {
    /// The median of the ratios of each repeat.
    case ratio(Subject, to: Subject)
    /// The second median over the first: a ratio of throughputs.
    case throughput(Subject, of: Subject)
    /// The ratio that all but a quarter of the repeats exceed. Above 1 the subject was the slower
    /// one in at least three of four repeats, which two equals are not, however they are disturbed.
    case slowdown(Subject, to: Subject)
    /// The second's best repeat over the first's: a ratio of throughputs on a shared machine.
    case bestThroughput(Subject, of: Subject)
    /// The median itself.
    case value(Subject)
    /// The median of the differences of each repeat.
    case excess(Subject, over: Subject)
    /// The median of the ratios of the largest to the smallest of each repeat.
    case spread([Subject])
    /// The exponent with which the medians grow with the lane, where they grow fastest: between two
    /// lanes that follow each other. 0 is flat, 0.5 as fast as the square root, 1 in proportion.
    case growth([Subject])

    var subjects: [Subject] {
      switch self {
      case .ratio(let subject, to: let reference), .throughput(let subject, of: let reference),
        .slowdown(let subject, to: let reference), .bestThroughput(let subject, of: let reference),
        .excess(let subject, over: let reference):
        [subject, reference]
      case .value(let subject):
        [subject]
      case .spread(let subjects), .growth(let subjects):
        subjects
      }
    }
  }

  /// What the figure is held against.
  enum Limit: Equatable, Sendable {
    case atMost(Double)
    case atLeast(Double)
    case below(Double)
    case within(ClosedRange<Double>)
    /// None: the figure is listed.
    case none

    func admits(_ figure: Double) -> Bool {
      switch self {
      case .atMost(let limit): figure <= limit
      case .atLeast(let limit): figure >= limit
      case .below(let limit): figure < limit
      case .within(let limits): limits.contains(figure)
      case .none: true
      }
    }

    /// Whether a figure is so far beyond that a busy machine does not explain it.
    func isFar(from figure: Double) -> Bool {
      switch self {
      case .atMost(let limit), .below(let limit): limit > 0 && figure > 3 * limit
      case .atLeast(let limit): figure < limit / 3
      case .within, .none: false
      }
    }

    var text: String {
      switch self {
      case .atMost(0): "0"
      case .atMost(let limit) where limit >= 1_000: "≤ \(Format.grouped(Format.short(limit)))"
      case .atMost(let limit): "≤ \(Format.short(limit))"
      case .atLeast(let limit): "≥ \(Format.short(limit))"
      case .below(let limit): "< \(Format.short(limit))"
      case .within(let limits) where limits.lowerBound == limits.upperBound: Format.short(limits.lowerBound)
      case .within(let limits):
        "\(Format.short(limits.lowerBound)) – \(Format.short(limits.upperBound))"
      case .none: "no limit:"
      }
    }
  }

  /// The limit as people read it.
  var limitText: String { "\(limit.text) \(yardstick)" }

  /// The scenarios it is measured by.
  var scenarios: [String] {
    var names: [String] = []
    for subject in figure.subjects where !names.contains(subject.scenario) {
      names.append(subject.scenario)
    }
    return names
  }

  func lanes(of scenario: String) -> Set<Int> {
    Set(figure.subjects.filter { $0.scenario == scenario }.map(\.lane))
  }
}
