/// An error in the command line, with a hint.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let message: String
  let hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }

  /// The error as one line, regardless of the arguments' content.
  var description: String {
    let line = "\(message) (\(hint))"
    return String(line.map { $0.isNewline ? " " : $0 })
  }
}
