/// The page: one HTML text with its style and script.
enum InspectorPage {
  /// - Parameter stateURL: The address of the JSON, relative to the page's.
  static func html(stateURL: String) -> String {
    """
    <!doctype html>
    <html lang="en" data-state="\(escaped(stateURL))">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Container</title>
    <link rel="icon" href="data:,">
    <style>\(style)</style>
    </head>
    <body>
    \(body)
    <script>\(script)</script>
    </body>
    </html>

    """
  }

  static let script =
    "\n\"use strict\";\n\n" + [model, layout, routing, drawing, panels, input, main].joined(separator: "\n") + "\n"

  /// The hashes belong to ``script`` and ``style``. `Server/Tools/inspect-browser` prints those that a change needs.
  static let contentSecurityPolicy = """
    default-src 'none'; script-src 'sha256-tJsAscKRVqW8T8z9gaJxC/1lko/gS9a0YHzfBqCtHhQ='; style-src 'sha256-kBSQj6n1WwY1W4IoNbetKkyrjqmOV51XUMci+0KvxBI='; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  /// Text within a quoted attribute.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
