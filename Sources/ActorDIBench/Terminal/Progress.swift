#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Says on standard error what is being measured, in one line that is written over and over.
///
/// Silent when standard error is not a terminal, where the line would pile up.
struct Progress: Sendable {
  private let isShown: Bool

  init() {
    isShown = isatty(STDERR_FILENO) == 1
  }

  func show(_ text: String) {
    guard isShown else { return }
    Output.error.write("\r\u{1B}[K\(text.prefix(79))")
  }

  /// Leaves the line empty for whatever comes next.
  func clear() {
    guard isShown else { return }
    Output.error.write("\r\u{1B}[K")
  }
}
