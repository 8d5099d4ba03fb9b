import Synchronization

/// Says on standard error what is being measured, in one line that is written over and over.
///
/// Silent when standard error is not a terminal, where the line would pile up.
final class Progress: Sendable {
  private struct State {
    /// Which of how many scenarios, as in `3/14`.
    var step = ""
    var hasEnded = false
  }

  private let output: Output
  private let terminal: Terminal
  private let beginning = Clock.now()
  private let state = Mutex(State())

  init(output: Output = .error) {
    self.output = output
    self.terminal = Terminal(output)
  }

  /// The lines from now on are of this one of the scenarios.
  func begin(_ number: Int, of count: Int) {
    state.withLock { $0.step = "\(number)/\(count)" }
  }

  func show(_ text: String) {
    guard let width = terminal.width else { return }
    state.withLock { state in
      guard !state.hasEnded else { return }
      let line = Self.line(text, step: state.step, seconds: seconds)
      // The last column stays free: some terminals begin a new line when it is written to.
      output.write("\r\u{1B}[K" + Paint.faint.on(String(line.prefix(width - 1)), terminal))
    }
  }

  /// Leaves the line empty for whatever comes next; no other line follows.
  func end() {
    guard terminal.isTerminal else { return }
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      output.write("\r\u{1B}[K")
    }
  }

  static func line(_ text: String, step: String, seconds: Int) -> String {
    let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    return [step, time, text].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private var seconds: Int { Int((Clock.now() &- beginning) / 1_000_000_000) }
}
