import Synchronization

/// What a run has found out so far, where the one who ends it early can read it.
final class Ledger: Sendable {
  struct Page: Sendable {
    /// Of the scenarios that are through.
    fileprivate(set) var results = Results()
    /// Why scenarios could not be measured, by their names.
    fileprivate(set) var obstacles: [String: String] = [:]
    /// The scenarios to come, in order, the one that is being measured first.
    fileprivate(set) var left: [String]
    /// The whole turns of the scenario that is being measured.
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

  /// Keeps what each turn of a scenario has added. Of a scenario that is measured again there is more already.
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

/// How far a run had come when it was ended early.
struct Breakoff: Equatable, Sendable {
  let interruption: Interruption
  /// The scenario that was being measured, if some of its repeats are in the report.
  let partial: Partial?
  /// The scenarios of which there is nothing.
  let missing: [String]

  struct Partial: Equatable, Sendable {
    let scenario: String
    let repeats: Int
  }

  /// In a word or a list.
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
