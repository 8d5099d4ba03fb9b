/// The findings of a run, independent of the output format.
struct Report: Sendable {
  let environment: Environment
  /// The arguments of the process, beginning with its name.
  let commandLine: [String]
  let pace: Pace
  var results: Results
  /// The reasons why scenarios could not be measured, by their names.
  let obstacles: [String: String]
  /// The summary, if it was measured.
  let summary: [Summary.Line]?
  /// The outcomes of the bounds, if they were checked.
  let outcomes: [Outcome]?
}
