/// The result of comparing a figure with a limit. The cases are in ascending order of precedence for a bound with several points.
enum Verdict: Equatable, Sendable {
  case met
  /// The reason why there is no figure. Neither a success nor a failure of the container.
  case notMeasurable(String)
  /// Too few cores were free for a meaningful figure. The value is their share.
  case tooBusy(Double)
  case fellShort

  var precedence: Int {
    switch self {
    case .met: 0
    case .notMeasurable: 1
    case .tooBusy: 2
    case .fellShort: 3
    }
  }

  var text: String {
    switch self {
    case .met: "met"
    case .notMeasurable(let reason): reason
    case .tooBusy(let share): "not measurable now: \(Format.fixed(share * 100, digits: 0)) % of the cores free"
    case .fellShort: "FELL SHORT"
    }
  }
}

/// The figure of a bound at one of its points, and its verdict.
struct Finding: Equatable, Sendable {
  let point: Bound.Point
  /// The figure; `nil` if it was not measured.
  let measured: Double?
  let verdict: Verdict
}

/// A bound and the findings at its points.
struct Outcome: Equatable, Sendable {
  let bound: Bound
  /// The findings, in the order of the bound's points.
  var findings: [Finding]
  /// The number of measurements; more than one if the first fell short.
  var measurements = 1

  /// The finding that decides about the bound: the worst one.
  var worst: Finding? {
    findings.max { one, other in
      guard one.verdict.precedence == other.verdict.precedence else {
        return one.verdict.precedence < other.verdict.precedence
      }
      guard let figure = one.measured, let otherFigure = other.measured else {
        return one.measured != nil && other.measured == nil
      }
      return bound.limit.isWorse(otherFigure, than: figure)
    }
  }

  /// The figure at the worst point.
  var measured: Double? { worst?.measured }

  var verdict: Verdict { worst?.verdict ?? .fellShort }

  /// Whether another measurement may change a finding.
  func isOpen(_ finding: Finding) -> Bool {
    switch finding.verdict {
    case .met, .notMeasurable: false
    case .tooBusy: true
    case .fellShort: finding.measured.map { !bound.limit.isFar(from: $0) } ?? true
    }
  }

  var isOpen: Bool { findings.contains(where: isOpen) }
}

extension Bound {
  /// Derives the figures from the results and compares them with the limit.
  ///
  /// - Parameters:
  ///   - obstacles: The reasons why scenarios could not be measured, by their names.
  func judge(_ results: Results, cores: Int, obstacles: [String: String] = [:]) -> Outcome {
    Outcome(bound: self, findings: points.map { judge($0, results, cores: cores, obstacles: obstacles) })
  }

  /// Derives the figure at a point and compares it with the limit.
  ///
  /// A figure that is missing for no known reason falls short. Otherwise a bound that nothing measures would be met forever.
  func judge(_ point: Point, _ results: Results, cores: Int, obstacles: [String: String]) -> Finding {
    func finding(_ verdict: Verdict, _ measured: Double? = nil) -> Finding {
      Finding(point: point, measured: measured, verdict: verdict)
    }
    if cores < minimumCores { return finding(.notMeasurable("not measurable here: needs \(minimumCores) cores")) }
    for subject in point.subjects {
      if let reason = obstacles[subject.scenario] ?? subject.detail?.obstacle {
        return finding(.notMeasurable(reason))
      }
    }
    guard let measured = point.figure.read(results), measured.isFinite else { return finding(.fellShort) }
    if limit.admits(measured) { return finding(.met, measured) }
    if let free = point.freeCores?.read(results), free < Self.leastFreeShare {
      return finding(.tooBusy(free), measured)
    }
    return finding(.fellShort, measured)
  }
}
