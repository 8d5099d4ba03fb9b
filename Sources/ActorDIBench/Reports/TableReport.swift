/// The report for a terminal, or for a plain text file.
struct TableReport {
  let report: Report
  let terminal: Terminal

  var text: String {
    var text = head
    if report.outcomes == nil { text += figures }
    if let comparison = report.comparison { text += "\n" + comparison.text(for: terminal) }
    if let outcomes = report.outcomes {
      text += "\n" + report.grid(of: outcomes).text(for: terminal)
      text += "\n\(report.conclusion(of: outcomes))\n"
    }
    if let breakoff = report.breakoff { text += "\n\(Paint.bad.on(breakoff.text, terminal))\n" }
    return text
  }

  private var figures: String {
    var text = ""
    for name in report.results.scenarios {
      guard let scenario = Scenarios.named(name) else { continue }
      text += "\n\(Paint.heading.on(scenario.name, terminal)): \(scenario.summary)\n\n"
      text += report.grid(of: scenario, for: terminal, indent: 2).text(indent: "  ", for: terminal)
      for line in scenario.notes { text += "  \(line)\n" }
    }
    for (scenario, reason) in report.obstacles.sorted(by: { $0.key < $1.key }) {
      text += "\n\(scenario): \(reason)\n"
    }
    return text + """

      ns/op is wall time over the operations of all threads; medians, and ratios as medians of the
      ratios of each repeat. The spread is of the middle half of the repeats. F: a non-inlined
      function that returns a static let. C: plain construction of the same objects.

      """
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
