/// The report as a documentation page: the main figures are visible, all others can be expanded.
struct MarkdownReport {
  let report: Report

  var text: String {
    var sections = [head]
    if let breakoff = report.breakoff { sections.append("**\(breakoff.text)**\n") }
    if let outcomes = report.outcomes { sections.append(check(outcomes)) }
    if let comparison = report.comparison { sections.append(comparison.markdown) }
    sections.append(losses)
    for name in report.results.scenarios {
      guard let scenario = Scenarios.named(name) else { continue }
      sections.append(MarkdownScenario(report: report, scenario: scenario).text)
    }
    sections.append(method)
    return sections.joined(separator: "\n")
  }

  private var head: String {
    let environment = report.environment
    var head = """
      # Benchmarks

      How long a container takes, beside what no container can beat (the floors **F**, a `static let`, and **C**, plain construction) and \
      what one would write instead. Compare figures within this page only: machines differ, and drift.

      | | |
      | --- | --- |
      | Processor | \(environment.processor), \(Format.count(environment.cores, "core")) |
      | System | \(environment.system) |
      | Toolchain | \(environment.compiler), \(environment.buildText) |
      | Date, commit | \(environment.date), \(environment.commit) |
      | This page | `\(Repetition.command(report.commandLine))` |

      """
    if let warning = environment.warning { head += "\n\(warning)\n" }
    return head
  }

  // MARK: - Bounds

  private func check(_ outcomes: [Outcome]) -> String {
    """
    ## Bounds

    \(report.conclusion(of: outcomes)) F and C are the floors at the same number of threads; `\(report.repetition.command(row: "P1"))` \
    measures a row again.

    \(Self.rows(outcomes).markdown())
    <details><summary>Every bound by itself</summary>

    \(report.grid(of: outcomes).markdown())
    </details>

    """
  }

  /// The bounds, with one line for all bounds of a row that have the same limit.
  static func rows(_ outcomes: [Outcome]) -> Grid {
    var grid = Grid([
      .init(title: "row", isNumber: false), .init(title: "what", isNumber: false),
      .init(title: "bound", isNumber: false), .init(title: "measured"), .init(title: "verdict", isNumber: false),
    ])
    for group in groups(outcomes) {
      guard let first = group.first else { continue }
      let ends = [group.compactMap(\.measured).min(), group.compactMap(\.measured).max()].compactMap {
        $0.map(Format.figure)
      }
      let range = Set(ends).count > 1 ? ends.joined(separator: " – ") : ends.first ?? "–"
      let short = group.count { $0.verdict == .fellShort }
      let open = group.first { $0.verdict != .met && $0.verdict != .fellShort }
      let verdict =
        short > 0
        ? Verdict.fellShort.text + (group.count > 1 ? " (\(short) of \(group.count))" : "")
        : open?.verdict.text ?? Verdict.met.text
      grid.add([
        first.bound.row, title(of: group.map(\.bound.what)), first.bound.limitText, range, verdict,
      ])
    }
    return grid
  }

  private static func groups(_ outcomes: [Outcome]) -> [[Outcome]] {
    var groups: [[Outcome]] = []
    for outcome in outcomes {
      let bound = outcome.bound
      let same = groups.firstIndex { $0[0].bound.row == bound.row && $0[0].bound.limitText == bound.limitText }
      if let same { groups[same].append(outcome) } else { groups.append([outcome]) }
    }
    return groups
  }

  /// The common title of several bounds: the words that all begin with, followed by the rest of each.
  static func title(of whats: [String]) -> String {
    guard whats.count > 1, let first = whats.first else { return whats.first ?? "" }
    let parts = whats.map { $0.split(separator: ", ").map(String.init) }
    var shared = 0
    while parts.allSatisfy({ $0.count > shared + 1 && $0[shared] == parts[0][shared] }) { shared += 1 }
    let rests = parts.map { $0.dropFirst(shared).joined(separator: ", ") }
    guard rests.joined().count <= 60 else { return "\(first), and \(whats.count - 1) more" }
    return (parts[0].prefix(shared) + [rests.joined(separator: " / ")]).joined(separator: ", ")
  }

  // MARK: - Losses

  /// The measurements in which something else was faster than the container: the worst one for each scenario and reference, and all of
  /// them.
  private var losses: String {
    let losses = Loss.all(in: report.results)
    guard !losses.isEmpty else {
      return """
        ## What the container loses

        In no place of this run is the container slower than its floor or a baseline.

        """
    }
    return """
      ## What the container loses

      Where the container is slower than its floor or than a baseline: of each scenario the worst place against each of them.

      \(Loss.grid(Loss.worst(losses)).markdown())
      <details><summary>All \(losses.count) places</summary>

      \(Loss.grid(losses.map { ($0, 1) }).markdown())
      </details>

      """
  }

  // MARK: - Method

  private var method: String {
    let pace = report.pace
    let unmeasured = report.obstacles.sorted { $0.key < $1.key }
      .map { "- `\($0.key)`: \($0.value).\n" }.joined()
    return """
      ## How it was measured

      - A figure is the median of \(pace.repeats) repeats of at least \(pace.shortestRepeat / 1_000_000) ms; the spread is half of what \
      the middle half of the repeats spans. Rows that a check measured again have more repeats.
      - Floors, baselines and the container take turns within each repeat. A ratio is taken in each repeat, and the median of those is shown.
      - ns/op is wall time over the operations of all threads together, so perfect scaling halves it from one thread to two. Threads begin \
      together and do the same number of operations each. Speed-up is how many times as much is done as by one.
      - F is a non-inlined function that returns a `static let` of the same type; C is plain construction of the same objects in a \
      non-inlined function.
      - Every result is handed to a function that the optimiser cannot look into. A run fails when an operation takes less than \
      \(Format.short(Runner.shortestLoad)) ns, or when a service gives a wrong answer.
      - The container is a local `let`, captured by the measured closure.
      - Children and request scopes have registrations of their own, and a scope stays open while it is resolved from.
      - The dictionary without a lock is one for each thread.
      - `first-resolve` rounds each have a registry of their own, made before the clock starts; the factory's runs are counted, and the run \
      fails unless it was one in each round.
      - Bounds on scaling speak of free cores: where even arithmetic that shares nothing does not scale, other programs had the cores, and \
      the verdict says so.
      - Allocations are counted in the C library's allocator, after warm-up; system calls where they pass its function `syscall`, which \
      `membarrier` and `futex` have no way around.

      ## What it does not show

      Other machines; services whose construction takes longer than finding them, where the choice of container does not matter; the effect \
      on caches that a program has other uses for. With more threads than cores the figures tell how the system shares its cores as much as \
      what a resolve costs.

      \(unmeasured)
      """
  }
}
