/// A limit on one figure of the container.
///
/// Bounds are values. A bound states what to measure, how to derive the figure from the measurements, and the limit.
struct Bound: Equatable, Sendable {
  /// The row of the list of bounds, such as `P1`.
  let row: String
  let what: String
  let figure: Figure
  let limit: Limit
  /// The unit of the figure, or the reference that it is a multiple of.
  let yardstick: String
  /// The number of cores below which the figure is meaningless.
  var minimumCores = 1
  /// The work that must scale for the figure to be meaningful, if any.
  var freeCores: FreeCores?

  /// Work that scales with the cores that other programs leave free.
  struct FreeCores: Equatable, Sendable {
    /// A ``Figure/bestThroughput(_:of:)`` of work that shares nothing.
    let figure: Figure
    /// The minimum of the figure.
    let atLeast: Double
  }

  /// One contender in one lane of a scenario.
  struct Subject: Equatable, Sendable {
    let scenario: String
    let contender: String
    var lane = 1
    /// The detail to read instead of the contender's own figure, if any.
    var detail: Detail?
  }

  /// What a subject takes beyond its floor.
  struct Excess: Equatable, Sendable {
    let subject: Subject
    let floor: Subject
  }

  /// How to derive the figure from the measurements.
  enum Figure: Equatable, Sendable {
    /// The median of the ratios of each repeat.
    case ratio(Subject, to: Subject)
    /// The second median over the first: a ratio of throughputs.
    case throughput(Subject, of: Subject)
    /// The ratio that all but a quarter of the repeats exceed. Above 1, the subject was slower in at least three of four repeats; two
    /// equal contenders do not show that, however they are disturbed.
    case slowdown(Subject, to: Subject)
    /// The second subject's best repeat over the first's: a ratio of throughputs on a shared machine.
    case bestThroughput(Subject, of: Subject)
    /// The same for what each subject adds to a floor: from its best repeat the floor's is subtracted.
    case bestThroughputBeyondFloors(Excess, of: Excess)
    /// The median.
    case value(Subject)
    /// The median of the differences of each repeat.
    case excess(Subject, over: Subject)
    /// The median of the ratios of the largest to the smallest sample of each repeat.
    case spread([Subject])
    /// The largest exponent of growth of the medians between two consecutive lanes. 0 is constant, 0.5 grows like the square root, 1
    /// grows in proportion.
    case growth([Subject])

    var subjects: [Subject] {
      switch self {
      case .ratio(let subject, to: let reference), .throughput(let subject, of: let reference),
        .slowdown(let subject, to: let reference), .bestThroughput(let subject, of: let reference),
        .excess(let subject, over: let reference):
        [subject, reference]
      case .bestThroughputBeyondFloors(let excess, of: let reference):
        [excess.subject, excess.floor, reference.floor, reference.subject]
      case .value(let subject):
        [subject]
      case .spread(let subjects), .growth(let subjects):
        subjects
      }
    }
  }

  /// The values that the figure may have.
  enum Limit: Equatable, Sendable {
    case atMost(Double)
    case atLeast(Double)
    case below(Double)
    case within(ClosedRange<Double>)
    /// No limit: the figure is only listed.
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

    /// Whether a figure exceeds the limit by more than a busy machine can explain.
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

  /// The limit as text.
  var limitText: String { "\(limit.text) \(yardstick)" }

  /// The scenarios that the bound is measured by.
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
