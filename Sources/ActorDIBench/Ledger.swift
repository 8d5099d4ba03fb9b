import Synchronization

/// The findings of a run so far, readable by the handler of an early end.
final class Ledger: Sendable {
  struct Page: Sendable {
    /// The results of the completed scenarios.
    fileprivate(set) var results = Results()
    /// The reasons why scenarios could not be measured, by their names.
    fileprivate(set) var obstacles: [String: String] = [:]
    /// The remaining scenarios in order, beginning with the one being measured.
    fileprivate(set) var left: [String]
    /// The completed turns of the scenario being measured.
    fileprivate(set) var turns: [Series] = []
  }

  private let state = Mutex(Page(left: []))

  var page: Page { state.withLock { $0 } }

  func plan(_ scenarios: [String]) {
    state.withLock { $0.left = scenarios }
  }

  func note(_ obstacle: String, of scenario: String) {
    state.withLock { page in
      page.obstacles[scenario] = obstacle
      page.left.removeAll { $0 == scenario }
    }
  }

  /// Keeps the completed turns of a scenario. A scenario that is measured again has results already, so its turns are not kept.
  func keep(turns: [Series]) {
    state.withLock { page in
      page.turns = turns.first?.scenario == page.left.first ? turns : []
    }
  }

  func finish(_ scenario: String, _ series: [Series]) {
    state.withLock { page in
      page.results.merge(series)
      page.left.removeAll { $0 == scenario }
      page.turns = []
    }
  }
}

/// The state of a run that was ended early.
struct Breakoff: Equatable, Sendable {
  let interruption: Interruption
  /// The scenario that was being measured, if the report has some of its repeats.
  let partial: Partial?
  /// The scenarios without any result.
  let missing: [String]

  struct Partial: Equatable, Sendable {
    let scenario: String
    let repeats: Int
  }

  /// The state as one line of text.
  var text: String {
    var text = "INTERRUPTED"
    if let partial {
      text +=
        "; of \(partial.scenario) there \(partial.repeats == 1 ? "is" : "are") only \(Format.count(partial.repeats, "repeat"))"
    }
    if !missing.isEmpty { text += "; not measured: \(missing.joined(separator: ", "))" }
    return text + "."
  }
}
