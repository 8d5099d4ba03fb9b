/// What came of a bound.
enum Verdict: Equatable, Sendable {
  case met
  case fellShort
  /// There is no limit: the figure is shown beside the bounds.
  case listed
  /// How many cores were free, when too few were for the figure to say anything of the container.
  case tooBusy(Double)
  /// Why there is no figure; not a success, and not a failure of the container.
  case notMeasurable(String)

  /// Whether another measurement may come to something else.
  var isOpen: Bool {
    switch self {
    case .fellShort, .tooBusy: true
    case .met, .listed, .notMeasurable: false
    }
  }

  var text: String {
    switch self {
    case .met: "met"
    case .fellShort: "FELL SHORT"
    case .listed: "listed"
    case .tooBusy(let cores): "not measurable now: \(Format.fixed(cores, digits: 2)) cores free"
    case .notMeasurable(let reason): reason
    }
  }
}

/// A bound, the figure that was measured, and what came of it.
struct Outcome: Equatable, Sendable {
  let bound: Bound
  /// `nil` when it was not measured.
  let measured: Double?
  let verdict: Verdict
  /// How often it was measured; more than once when it fell short at first.
  var measurements = 1

  /// Whether another measurement may come to another verdict.
  var isOpen: Bool {
    guard verdict == .fellShort, let measured else { return verdict.isOpen }
    return !bound.limit.isFar(from: measured)
  }
}

extension Bound {
  /// Reads the figure off the results and holds it against the limit.
  ///
  /// A figure that is missing for no known reason falls short: a bound that nobody measures would
  /// otherwise be kept for ever.
  ///
  /// - Parameters:
  ///   - obstacles: Why scenarios could not be measured, by their names.
  func judge(_ results: Results, cores: Int, obstacles: [String: String] = [:]) -> Outcome {
    if cores < minimumCores {
      let reason = "not measurable here: needs \(minimumCores) cores"
      return Outcome(bound: self, measured: nil, verdict: .notMeasurable(reason))
    }
    for scenario in scenarios {
      if let reason = obstacles[scenario] {
        return Outcome(bound: self, measured: nil, verdict: .notMeasurable(reason))
      }
    }
    for subject in figure.subjects {
      if let reason = subject.detail?.obstacle {
        return Outcome(bound: self, measured: nil, verdict: .notMeasurable(reason))
      }
    }
    guard let measured = figure.read(results), measured.isFinite else {
      return Outcome(bound: self, measured: nil, verdict: .fellShort)
    }
    if limit == .none { return Outcome(bound: self, measured: measured, verdict: .listed) }
    if limit.admits(measured) { return Outcome(bound: self, measured: measured, verdict: .met) }
    if let freeCores, let free = freeCores.figure.read(results), free < freeCores.atLeast {
      return Outcome(bound: self, measured: measured, verdict: .tooBusy(free))
    }
    return Outcome(bound: self, measured: measured, verdict: .fellShort)
  }
}
