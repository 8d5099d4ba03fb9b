/// The report for a terminal.
struct TableReport {
  let report: Report

  var text: String {
    var text = head
    for name in report.results.scenarios {
      guard let scenario = Scenarios.named(name), report.outcomes == nil else { continue }
      text += "\n\(scenario.name): \(scenario.summary)\n\n"
      text += report.grid(of: scenario).text(indent: "  ")
      for line in report.disturbances(of: scenario) { text += "  \(line)\n" }
    }
    if let outcomes = report.outcomes {
      text += "\n" + report.grid(of: outcomes).text()
      text += "\n\(report.conclusion(of: outcomes))\n"
    } else {
      for (scenario, reason) in report.obstacles.sorted(by: { $0.key < $1.key }) {
        text += "\n\(scenario): \(reason)\n"
      }
      text += """

        ns/op is wall time over the operations of all threads; medians, and ratios as medians of the
        ratios of each repeat. F: a non-inlined function that returns a static let. C: plain
        construction of the same objects.

        """
    }
    return text
  }

  private var head: String {
    let environment = report.environment
    let milliseconds = report.pace.shortestRepeat / 1_000_000
    var head = """
      ActorDIBench: \(environment.processor), \(Format.count(environment.cores, "core")), \
      \(environment.system), \(environment.compiler), \(environment.buildText)
      Medians of \(report.pace.repeats) repeats of at least \(milliseconds) ms.

      """
    if let warning = environment.warning { head += "\(warning)\n" }
    return head
  }
}
