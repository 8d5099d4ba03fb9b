import ActorDI

/// A JSON value and its text.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// An object, whose members keep their order.
  case object([Member])

  struct Member: Equatable, Sendable {
    let name: String
    let value: JSONValue
  }

  /// An object with its members in the order of the literal.
  static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  static func strings(_ strings: [String]) -> JSONValue {
    .array(strings.map(JSONValue.string))
  }

  static func numbers(_ numbers: [Double]) -> JSONValue {
    .array(numbers.map(JSONValue.number))
  }

  /// The value as JSON, indented by two spaces. Arrays of scalar values stay on one line.
  var text: String { text(indent: "") }

  private func text(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null:
      return "null"
    case .bool(let value):
      return value ? "true" : "false"
    case .int(let value):
      return String(value)
    case .number(let value):
      // JSON has no infinities and no NaN.
      return value.isFinite ? "\(value)" : "null"
    case .string(let value):
      return JSONText.quoted(value)
    case .array(let values):
      if values.allSatisfy(\.isPlain) {
        return "[" + values.map { $0.text(indent: "") }.joined(separator: ", ") + "]"
      }
      let lines = values.map { inner + $0.text(indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { member in
        inner + JSONText.quoted(member.name) + ": " + member.value.text(indent: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}
