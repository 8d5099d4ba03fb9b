#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Shows the current measurement on standard error, in a line that is overwritten each time.
///
/// Silent if standard error is not a terminal, where the lines would accumulate.
final class Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let beginning = Clock.now()
  /// The number of the current scenario and their total, such as `3/14`.
  private var step = ""

  /// Sets the number of the scenario for the following lines.
  func begin(_ number: Int, of count: Int) {
    step = "\(number)/\(count)"
  }

  func show(_ text: String) {
    guard isShown else { return }
    let seconds = Int((Clock.now() &- beginning) / 1_000_000_000)
    let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    // A line of 80 characters could begin a new line on the usual terminal.
    try? Output.error.write("\r\u{1B}[K" + "\(step)  \(time)  \(text)".prefix(79))
  }

  /// Clears the line for other output.
  func clear() {
    if isShown { try? Output.error.write("\r\u{1B}[K") }
  }
}
