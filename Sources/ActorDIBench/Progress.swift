#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Shows the current measurement and the remaining time on standard error, in a line that is overwritten each time.
///
/// Silent if standard error is not a terminal, where the lines would accumulate.
final class Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let beginning = Clock.now()
  private var estimate = Estimate()
  /// The number of the current scenario and their total, such as `3/14`.
  private var step = ""

  /// Adds planned seconds to the run.
  func expect(_ seconds: Double) {
    estimate.planned += seconds
  }

  /// Notes that work is done for which the given seconds were planned.
  func advance(by seconds: Double) {
    estimate.done += seconds
  }

  /// Sets the number of the scenario for the following lines.
  func begin(_ number: Int, of count: Int) {
    step = "\(number)/\(count)"
  }

  func show(_ text: String) {
    guard isShown else { return }
    let rest = estimate.rest(after: Double(Clock.now() &- beginning) / 1e9)
    // A line of 80 characters could begin a new line on the usual terminal.
    try? Output.error.write("\r\u{1B}[K" + "\(step)  \(Format.duration(rest)) left  \(text)".prefix(79))
  }

  /// Clears the line for other output.
  func clear() {
    if isShown { try? Output.error.write("\r\u{1B}[K") }
  }
}

/// An estimate of a run's remaining time, from the planned time and from how long the finished part took.
struct Estimate {
  /// The seconds at the beginning that count as planned, so that the first measurements do not decide alone.
  private static let trusted = 5.0

  /// The planned seconds of the whole run.
  var planned = 0.0
  /// The planned seconds of the finished part.
  var done = 0.0

  /// The remaining seconds.
  ///
  /// - Parameter elapsed: The seconds that the finished part took.
  func rest(after elapsed: Double) -> Double {
    let slowness = (elapsed + Self.trusted) / (done + Self.trusted)
    return max(0, planned - done) * slowness
  }
}
