import Synchronization

/// Shows the current measurement on standard error, in a line that is overwritten each time.
///
/// Silent if standard error is not a terminal, where the lines would accumulate.
final class Progress: Sendable {
  private struct State {
    /// The number of the current scenario and their total, such as `3/14`.
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

  /// Sets the number of the scenario for the following lines.
  func begin(_ number: Int, of count: Int) {
    state.withLock { $0.step = "\(number)/\(count)" }
  }

  func show(_ text: String) {
    guard let width = terminal.width else { return }
    state.withLock { state in
      guard !state.hasEnded else { return }
      let line = Self.line(text, step: state.step, seconds: seconds)
      // The last column stays free, because some terminals begin a new line after it.
      output.write("\r\u{1B}[K" + Paint.faint.on(String(line.prefix(width - 1)), terminal))
    }
  }

  /// Clears the line for other output. No further line follows.
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
