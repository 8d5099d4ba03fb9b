/// The formatting of values as JSON.
enum JSON {
  static func object(_ members: (name: String, value: String)...) -> String {
    "{" + members.map { "\(string($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
  }

  static func strings(_ texts: [String]) -> String {
    "[" + texts.map { string($0) }.joined(separator: ", ") + "]"
  }

  /// A list with one line for each element.
  static func lines(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n" + elements.joined(separator: ",\n") + "]"
  }

  /// A duration as a number of seconds.
  static func seconds(_ duration: Duration?) -> String {
    duration.map { "\(Double($0.components.seconds) + Double($0.components.attoseconds) * 1e-18)" } ?? "null"
  }

  /// A string in quotation marks, with special characters escaped; null for nil.
  static func string(_ text: String?) -> String {
    guard let text else { return "null" }
    // Most texts have no special character.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
