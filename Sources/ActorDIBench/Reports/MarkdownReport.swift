/// The report as a page of documentation.
struct MarkdownReport {
  let report: Report

  var text: String {
    var sections = [head]
    if let outcomes = report.outcomes { sections.append(check(outcomes)) }
    sections.append(losses)
    for name in report.results.scenarios {
      if let scenario = Scenarios.named(name) { sections.append(section(of: scenario)) }
    }
    sections.append(method)
    return sections.joined(separator: "\n")
  }

  private var head: String {
    let environment = report.environment
    var head = """
      # Benchmarks

      Written by `ActorDIBench`. Compare figures within this page only: machines differ, and drift.

      | | |
      | --- | --- |
      | Processor | \(environment.processor), \(Format.count(environment.cores, "core")) |
      | System | \(environment.system) |
      | Toolchain | \(environment.compiler), \(environment.buildText) |
      | Date | \(environment.date) |
      | Commit | \(environment.commit) |
      | Command | `\(report.commandLine.joined(separator: " "))` |

      """
    if let warning = environment.warning { head += "\n\(warning)\n" }
    return head
  }

  private func check(_ outcomes: [Outcome]) -> String {
    """
    ## Bounds

    \(report.grid(of: outcomes).markdown())
    \(report.conclusion(of: outcomes))

    """
  }

  private func section(of scenario: any Scenario) -> String {
    var section = """
      ## \(scenario.name)

      \(scenario.summary.prefix(1).uppercased())\(scenario.summary.dropFirst()).

      \(report.grid(of: scenario).markdown())
      """
    for line in report.disturbances(of: scenario) { section += "\n- \(line)" }
    return section + "\n"
  }

  /// Every measured place where something else was faster than the container.
  private var losses: String {
    var grid = Grid([
      .init(title: "scenario", isNumber: false),
      .init(title: "threads or tasks"),
      .init(title: "contender", isNumber: false),
      .init(title: "is slower than", isNumber: false),
      .init(title: "by"),
    ])
    for loss in Loss.all(in: report.results) {
      grid.add([
        loss.scenario, String(loss.lane), loss.contender, loss.reference,
        "\(Format.fixed(loss.factor, digits: 2)) ×",
      ])
    }
    let body =
      grid.rows.isEmpty
      ? "In none of the rows of this run is the container slower than its floor or a baseline.\n"
      : grid.markdown()
    return """
      ## What the container loses

      Every row of this run in which the container is slower than its floor or than a baseline.

      \(body)
      """
  }

  private var method: String {
    let pace = report.pace
    let unmeasured = report.obstacles.sorted { $0.key < $1.key }
      .map { "- `\($0.key)`: \($0.value).\n" }.joined()
    return """
      ## How it was measured

      - Each figure is the median of \(pace.repeats) repeats of at least \
      \(pace.shortestRepeat / 1_000_000) ms; beside it are the fastest and the slowest repeat. Rows \
      that a check measured again have more.
      - Floors, baselines and the container take turns within each repeat. A ratio is taken in each \
      repeat, and the median of those is shown.
      - ns/op is wall time over the operations of all threads together, so perfect scaling halves it \
      from one thread to two. Threads begin together and do the same number of operations each.
      - F is a non-inlined function that returns a `static let` of the same type; C is plain \
      construction of the same objects in a non-inlined function.
      - Every result is handed to a function that the optimiser cannot look into. A run fails when \
      an operation takes less than \(Format.short(Runner.shortestLoad)) ns, or when a service gives \
      a wrong answer.
      - The container is a local `let`, captured by the measured closure.
      - `first-resolve` rounds each have a registry of their own, made before the clock starts; the \
      factory's runs are counted, and the run fails unless it was one in each round.
      - Bounds on scaling speak of free cores: where even arithmetic that shares nothing does not \
      scale, other programs had the cores, and the verdict says so.
      - Allocations are counted in the C library's allocator, after warm-up.

      What it does not show: other machines; containers with many registrations; services whose \
      construction takes longer than finding them, where the choice of container does not matter; \
      the effect on caches that a program has other uses for. With more threads than cores the \
      figures tell how the system shares its cores as much as what a resolve costs.

      \(unmeasured)
      """
  }
}

/// One measured place where the container is not the fastest.
struct Loss: Equatable, Sendable {
  let scenario: String
  let lane: Int
  let contender: String
  let reference: String
  let factor: Double

  static func all(in results: Results) -> [Loss] {
    results.series.filter { $0.role == .container && $0.unit.isTime }.flatMap { one in
      results.series(scenario: one.scenario, lane: one.lane).compactMap { other -> Loss? in
        guard other.role == .floor || other.role == .baseline, let factor = one.ratio(to: other),
          factor > 1
        else {
          return nil
        }
        return Loss(
          scenario: one.scenario, lane: one.lane, contender: one.contender,
          reference: other.contender, factor: factor)
      }
    }
  }
}
