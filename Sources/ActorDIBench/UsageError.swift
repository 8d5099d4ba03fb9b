/// What is wrong with the command line, and how it would be right.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let message: String
  let hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }

  /// One line, whatever the arguments contained.
  var description: String {
    let line = "\(message) (\(hint))"
    return String(line.map { $0.isNewline ? " " : $0 })
  }
}
