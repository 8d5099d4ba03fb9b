/// The result of checking a bound.
enum Verdict: Equatable, Sendable {
  case met
  case fellShort
  /// There is no limit; the figure is shown with the bounds.
  case listed
  /// Too few cores were free for a meaningful figure. The value is their number.
  case tooBusy(Double)
  /// The reason why there is no figure. Neither a success nor a failure of the container.
  case notMeasurable(String)

  /// Whether another measurement may have another result.
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

/// A bound, its measured figure and the verdict.
struct Outcome: Equatable, Sendable {
  let bound: Bound
  /// The figure; `nil` if it was not measured.
  let measured: Double?
  let verdict: Verdict
  /// The number of measurements; more than one if the first fell short.
  var measurements = 1

  /// Whether another measurement may have another verdict.
  var isOpen: Bool {
    guard verdict == .fellShort, let measured else { return verdict.isOpen }
    return !bound.limit.isFar(from: measured)
  }
}

extension Bound {
  /// Derives the figure from the results and compares it with the limit.
  ///
  /// A figure that is missing for no known reason falls short. Otherwise a bound that nothing measures would be met forever.
  ///
  /// - Parameters:
  ///   - obstacles: The reasons why scenarios could not be measured, by their names.
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
