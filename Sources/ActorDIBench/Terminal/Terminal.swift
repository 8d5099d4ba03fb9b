#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The capabilities of the terminal at the end of a stream.
struct Terminal: Equatable, Sendable {
  /// The number of columns; `nil` unless the stream is a terminal that can move its cursor.
  let width: Int?
  let hasColours: Bool

  /// A pipe or a file, which receives text without control sequences.
  static let plain = Terminal(width: nil, hasColours: false)

  var isTerminal: Bool { width != nil }

  /// The terminal that a descriptor leads to.
  init(_ output: Output) {
    let kind = Self.environment("TERM")
    self.init(
      isTerminal: isatty(output.descriptor) == 1, kind: kind,
      isMonochrome: Self.environment("NO_COLOR") != nil, width: Self.width(of: output.descriptor))
  }

  init(width: Int?, hasColours: Bool) {
    self.width = width
    self.hasColours = hasColours
  }

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the stream is a terminal.
  ///   - kind: The variable `TERM`.
  ///   - isMonochrome: Whether the variable `NO_COLOR` is set to a nonempty value.
  ///   - width: The width reported by the terminal, if any.
  init(isTerminal: Bool, kind: String?, isMonochrome: Bool, width: Int?) {
    let isAble = isTerminal && kind != "dumb"
    self.init(width: isAble ? width ?? 80 : nil, hasColours: isAble && !isMonochrome)
  }

  /// The value of an environment variable; `nil` if it is unset or empty.
  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  private static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Colours that exist in the palettes of dark and light terminals.
enum Paint: String {
  case good = "32"
  case bad = "31"
  case container = "36"
  case faint = "2"
  case heading = "1"

  func on(_ text: String, _ terminal: Terminal) -> String {
    terminal.hasColours && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
