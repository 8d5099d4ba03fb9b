/// The elements of a drawing, as text.
enum SVG {
  /// An element, on lines of its own.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String? = nil
  ) -> String {
    let head = name + attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    return content.map { "<\(head)>\($0)</\(name)>\n" } ?? "<\(head)/>\n"
  }

  static func text(
    _ text: String, x: Double, y: Double, class name: String, anchor: String = "start"
  ) -> String {
    element(
      "text", ["class": name, "x": number(x), "y": number(y), "text-anchor": anchor], escaped(text))
  }

  static func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class name: String) -> String {
    element(
      "line",
      ["class": name, "x1": number(start.x), "y1": number(start.y), "x2": number(end.x), "y2": number(end.y)])
  }

  /// A coordinate, rounded to a tenth of a pixel.
  static func number(_ number: Double) -> String { Format.short((number * 10).rounded() / 10) }

  /// The text with XML's special characters escaped, and with characters that XML cannot represent replaced.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
