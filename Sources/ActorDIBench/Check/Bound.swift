/// A limit on a figure of the container: a row of the check.
///
/// Bounds are values. A bound states what to measure, how to derive the figure from the measurements, and the limit. The figure may be
/// measured at several points, for example with several numbers of threads. All points must meet the limit.
struct Bound: Equatable, Sendable {
  /// The identifier of the row, such as `P1`. Bounds that belong together share it.
  let row: String
  let what: String
  let points: [Point]
  let limit: Limit
  /// The unit of the figure, or the reference that it is a multiple of.
  let yardstick: String
  /// The number of cores below which the figure is meaningless.
  let minimumCores: Int

  init(row: String, what: String, points: [Point], limit: Limit, yardstick: String, minimumCores: Int = 1) {
    self.row = row
    self.what = what
    self.points = points
    self.limit = limit
    self.yardstick = yardstick
    self.minimumCores = minimumCores
  }

  /// Creates a bound with one point.
  init(row: String, what: String, figure: Figure, limit: Limit, yardstick: String, minimumCores: Int = 1) {
    self.init(
      row: row, what: what, points: [Point("", figure)], limit: limit, yardstick: yardstick, minimumCores: minimumCores)
  }

  /// One measurement of the bounded figure.
  struct Point: Equatable, Sendable {
    /// What distinguishes the point from the others, such as `2 threads`.
    let name: String
    let figure: Figure
    /// The ``Figure/scaling(_:over:)`` of work that shares nothing, if the point needs free cores.
    let freeCores: Figure?

    init(_ name: String, _ figure: Figure, freeCores: Figure? = nil) {
      self.name = name
      self.figure = figure
      self.freeCores = freeCores
    }

    /// All subjects that must be measured.
    var subjects: [Subject] { figure.subjects + (freeCores?.subjects ?? []) }
  }

  /// The share of the cores that must be free for a figure that needs free cores.
  static let leastFreeShare = 0.9

  /// One contender in one lane of a scenario.
  struct Subject: Equatable, Sendable {
    let scenario: String
    let contender: String
    var lane = 1
    /// The detail to read instead of the contender's own figure, if any.
    var detail: Detail?
  }

  /// How to derive the figure from the measurements.
  enum Figure: Equatable, Sendable {
    /// The median of the ratios of each repeat.
    case ratio(Subject, to: Subject)
    /// The second median over the first: a ratio of throughputs.
    case throughput(Subject, of: Subject)
    /// The throughput of a subject with several threads or tasks, for each of them, over that of the subject alone. Read from the best
    /// repeats, because the machine is shared.
    case scaling(Subject, over: Subject)
    /// The median.
    case value(Subject)
    /// The median of the differences of each repeat.
    case excess(Subject, over: Subject)
    /// The median of what the first subject takes beyond the second in each repeat, as a multiple of the last.
    case multipleBeyond(Subject, over: Subject, of: Subject)
    /// The median of the ratios of the largest to the smallest sample of each repeat.
    case spread([Subject])
    /// The largest exponent of growth of the medians between two consecutive lanes. 0 is constant, 0.5 grows like the square root, 1
    /// grows in proportion.
    case growth([Subject])

    var subjects: [Subject] {
      switch self {
      case .ratio(let subject, to: let reference), .throughput(let subject, of: let reference),
        .scaling(let subject, over: let reference), .excess(let subject, over: let reference):
        [subject, reference]
      case .multipleBeyond(let subject, over: let floor, of: let reference):
        [subject, floor, reference]
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

    func admits(_ figure: Double) -> Bool {
      switch self {
      case .atMost(let limit): figure <= limit
      case .atLeast(let limit): figure >= limit
      case .below(let limit): figure < limit
      }
    }

    /// Whether a figure exceeds the limit by more than a busy machine can explain.
    func isFar(from figure: Double) -> Bool {
      switch self {
      case .atMost(let limit), .below(let limit): limit > 0 && figure > 3 * limit
      case .atLeast(let limit): figure < limit / 3
      }
    }

    /// Whether a figure has less margin to the limit, or exceeds it more, than another one.
    func isWorse(_ figure: Double, than other: Double) -> Bool {
      switch self {
      case .atMost, .below: figure > other
      case .atLeast: figure < other
      }
    }

    var text: String {
      switch self {
      case .atMost(0): "0"
      case .atMost(let limit) where limit >= 1_000: "≤ \(Format.grouped(Format.short(limit)))"
      case .atMost(let limit): "≤ \(Format.short(limit))"
      case .atLeast(let limit): "≥ \(Format.short(limit))"
      case .below(let limit): "< \(Format.short(limit))"
      }
    }
  }

  /// The limit as text.
  var limitText: String { "\(limit.text) \(yardstick)" }

  /// All subjects that must be measured.
  var subjects: [Subject] { points.flatMap(\.subjects) }

  /// The scenarios that the bound is measured by.
  var scenarios: Set<String> { Set(subjects.map(\.scenario)) }
}
