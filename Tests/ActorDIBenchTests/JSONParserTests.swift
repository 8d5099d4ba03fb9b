import Testing

@testable import ActorDIBench

@Suite("Reading JSON")
struct JSONParserTests {
  @Test(
    "What is JSON is read",
    arguments: [
      (" null ", .null), ("true", .bool(true)), ("-0", .int(0)), ("12", .int(12)), ("-1.5e2", .number(-150)),
      ("1E+2", .number(100)), ("99999999999999999999", .number(1e20)), ("\"\"", .string("")),
      ("\"a\\n\\\"\\\\\\/\\b\\f\\r\\t\"", .string("a\n\"\\/\u{8}\u{C}\r\t")),
      ("\"\\u00e9 \\uD83D\\uDE00 é\"", .string("é 😀 é")), ("[]", .array([])), ("[1 ,\t2]", .array([.int(1), .int(2)])),
      ("{}", .object([])),
      ("{\"a\":{\"b\":[null]}}", .members(["a": .members(["b": .array([.null])])])),
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONParser.value(text) == value)
  }

  @Test(
    "What is not is refused",
    arguments: [
      "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "1e999", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"",
      "\"\\uD83D\"", "\"\\uD83D\\u0041\"", "\"\\uDE00\"", "\"a\nb\"", "[", "[1", "[1,]", "[1 2]", "{", "{\"a\"}",
      "{\"a\":}", "{\"a\":1,}", "{a:1}", "1 2", "'a'", "NaN", "[1]]",
    ])
  func refuses(text: String) {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.value(text) }
  }

  @Test("An error says where")
  func place() {
    #expect(throws: JSONParser.Failure(line: 3, column: 2, reason: "no value begins like this")) {
      try JSONParser.value("[\n1,\n ?]")
    }
  }

  @Test("What is nested without end does not end the process")
  func depth() {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.value(String(repeating: "[", count: 100_000)) }
    #expect(throws: Never.self) {
      try JSONParser.value(String(repeating: "[", count: 100) + String(repeating: "]", count: 100))
    }
  }

  @Test("What is written is read again")
  func roundTrip() throws {
    let value = JSONValue.members([
      "text": .string("\u{0}\u{1F}\"\\\u{2028}é👩‍🚀\r\n"), "numbers": .numbers([0.1, -2.5e-9, 1e300]), "none": .array([]),
    ])
    #expect(try JSONParser.value(value.text) == value)
  }
}
