/// The reason why the figures of a run cannot be trusted or measured.
enum BenchmarkError: Error, CustomStringConvertible {
  /// A contender's service returned a wrong answer.
  case wrongAnswer(scenario: String, contender: String, answer: Int, expected: Int)
  /// An operation took less time than a load: the optimiser has removed it.
  case tooFast(scenario: String, contender: String, nanoseconds: Double)
  /// A factory that should run once did not.
  case builds(scenario: String, contender: String, builds: Int)
  /// Nothing disturbed the readers, so the figure is meaningless.
  case undisturbed(scenario: String)
  /// The system could not start the requested number of threads.
  case threads(Int)

  var description: String {
    switch self {
    case .wrongAnswer(let scenario, let contender, let answer, let expected):
      "\(scenario): '\(contender)' answered \(answer) instead of \(expected)"
    case .tooFast(let scenario, let contender, let nanoseconds):
      "\(scenario): '\(contender)' took \(Format.fixed(nanoseconds, digits: 3)) ns per operation, "
        + "less than a load: the optimiser has removed it"
    case .builds(let scenario, let contender, let builds):
      "\(scenario): '\(contender)' ran the factory of one singleton \(builds) times"
    case .undisturbed(let scenario):
      "\(scenario): the disturbing task made no step during the measurement"
    case .threads(let count):
      "the system did not start \(count) threads; ask for fewer with --threads"
    }
  }
}
