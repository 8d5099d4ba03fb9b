/// A strict JSON parser (RFC 8259).
struct JSONParser {
  /// The position and the reason of a syntax error.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let line: Int
    let column: Int
    let reason: String

    var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// The maximum nesting. Deeper values are not reports, and could overflow the stack.
  static let mostLevels = 128

  /// Parses a JSON value.
  ///
  /// - Throws: ``Failure`` at the first byte that cannot belong to a JSON value.
  static func value(_ text: String) throws(Failure) -> JSONValue {
    var parser = JSONParser(bytes: Array(text.utf8))
    let value = try parser.value(level: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else { throw parser.failure("something follows the value") }
    return value
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private let bytes: [UInt8]
  private var position = 0

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value(level: Int) throws(Failure) -> JSONValue {
    guard level < Self.mostLevels else { throw failure("nested too deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(level: level)
    case UInt8(ascii: "["): return try array(level: level)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"): return try number()
    case let digit? where Self.digits.contains(digit): return try number()
    default: break
    }
    for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw failure(next == nil ? "ends where a value is expected" : "no value begins like this")
  }

  private mutating func object(level: Int) throws(Failure) -> JSONValue {
    var members: [JSONValue.Member] = []
    position += 1
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a member needs a name in quotation marks") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("':' expected") }
      members.append(.init(name: name, value: try value(level: level + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw failure("',' or '}' expected") }
    return .object(members)
  }

  private mutating func array(level: Int) throws(Failure) -> JSONValue {
    var values: [JSONValue] = []
    position += 1
    skipSpace()
    if take("]") { return .array(values) }
    repeat {
      values.append(try value(level: level + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("',' or ']' expected") }
    return .array(values)
  }

  // MARK: - Numbers

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    var isWhole = true
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let int = Int(text) { return .int(int) }
    guard let number = Double(text), number.isFinite else { throw failure("the number is too large") }
    return .number(number)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let digit = next, Self.digits.contains(digit) { position += 1 }
    guard position > start else { throw failure("a digit expected") }
  }

  // MARK: - Strings

  private mutating func string() throws(Failure) -> String {
    var text: [UInt8] = []
    position += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += try escape()
      case ..<0x20:
        throw failure("a control character has to be escaped")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure("the string has no end")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    position += 1
    guard let letter = next else { throw failure("the string has no end") }
    let meanings: [UInt8: UInt8] = [
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
      UInt8(ascii: "t"): 0x09, UInt8(ascii: "\""): letter, UInt8(ascii: "\\"): letter, UInt8(ascii: "/"): letter,
    ]
    if let meaning = meanings[letter] {
      position += 1
      return [meaning]
    }
    guard letter == UInt8(ascii: "u") else { throw failure("unknown escape") }
    position += 1
    var code = try fourDigits()
    if (0xD800..<0xDC00).contains(code) {
      // The first half of a surrogate pair, which encodes one scalar beyond U+FFFF.
      guard take("\\"), take("u") else { throw failure("half of a surrogate pair") }
      let low = try fourDigits()
      guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair") }
    return Array(String(scalar).utf8)
  }

  private mutating func fourDigits() throws(Failure) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    // `UInt32` would accept a sign.
    guard digits.count == 4, digits.allSatisfy({ $0 >= UInt8(ascii: "0") }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits expected") }
    position += 4
    return code
  }

  // MARK: - Steps

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func failure(_ reason: String) -> Failure {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0A } + 1
    let column = position - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return Failure(line: line, column: column, reason: reason)
  }
}

extension JSONValue {
  /// The value of the first member with that name.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var asString: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var asInt: Int? {
    guard case .int(let number) = self else { return nil }
    return number
  }

  /// The number, whole or not.
  var asNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  var asArray: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}
