import Foundation
import Testing

@testable import ActorDIBench

@Suite("Numbers and grids")
struct RenderingTests {
  @Test(
    arguments: [
      (1.005, 1, "1.0"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (2.5, 0, "3"),
      (0.007, 2, "0.01"), (123.456, 2, "123.46"), (0, 3, "0.000"), (.nan, 2, "nan"),
      (.infinity, 2, "inf"), (-.infinity, 2, "-inf"),
    ] as [(Double, Int, String)])
  func fixed(number: Double, digits: Int, expected: String) {
    #expect(Format.fixed(number, digits: digits) == expected)
  }

  @Test(
    arguments: [
      (0, "0.00"), (9.996, "10.0"), (99.96, "100"), (999.6, "1,000"), (1.234, "1.23"), (12.34, "12.3"), (123.4, "123"),
      (1_234.5, "1,235"),
      (1_234_567, "1,234,567"),
    ] as [(Double, String)])
  func measured(number: Double, expected: String) {
    #expect(Format.measured(number) == expected)
  }

  @Test(arguments: [(1.1, "1.10"), (93.6, "93.60"), (400.4, "400"), (4_096_171.75, "4,096,172")] as [(Double, String)])
  func figure(number: Double, expected: String) {
    #expect(Format.figure(number) == expected)
  }

  @Test(
    arguments: [(1.15, "1.15"), (2.0, "2"), (0.6, "0.6"), (0, "0"), (100, "100")]
      as [(Double, String)])
  func short(number: Double, expected: String) {
    #expect(Format.short(number) == expected)
  }

  @Test func counts() {
    #expect(Format.count(1, "thread") == "1 thread")
    #expect(Format.count(10_000, "task") == "10,000 tasks")
    #expect(Format.grouped("-1234") == "-1,234")
    #expect(Format.grouped("") == "")
  }

  static let grid: Grid = {
    var grid = Grid([.init(title: "name", isNumber: false), .init(title: "ns")])
    grid.add(["a|b", "1.0"])
    grid.add(["long name", "100.0"])
    grid.add(["short", ""])
    return grid
  }()

  @Test("Text is aligned, numbers to the right, without spaces at the end of a line")
  func text() {
    #expect(
      Self.grid.text(indent: " ") == """
         name          ns
         ---------  -----
         a|b          1.0
         long name  100.0
         short

        """)
  }
}

@Suite("JSON")
struct JSONTests {
  @Test(
    "What may not stand in a string is escaped",
    arguments: [
      ("plain", #""plain""#), ("\"\\", #""\"\\""#), ("a\nb\tc\rd", #""a\nb\tc\rd""#),
      ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#), ("\r\n", #""\r\n""#),
      ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("é 👩‍🚀 /", "\"é 👩‍🚀 /\""), ("", "\"\""),
    ])
  func escaping(string: String, expected: String) {
    #expect(JSONValue.string(string).text == expected)
  }

  @Test("Numbers that JSON does not have are null")
  func numbers() {
    #expect(
      JSONValue.numbers([1.5, .nan, .infinity, -0.25]).text == "[1.5, null, null, -0.25]")
    #expect(JSONValue.int(-3).text == "-3")
    #expect(JSONValue.bool(true).text == "true")
  }

  @Test("Members keep their order, nested values are indented")
  func nesting() {
    let value = JSONValue.members([
      "z": .array([.members(["a": .null]), .array([])]), "a": .object([]),
    ])
    #expect(
      value.text == """
        {
          "z": [
            {
              "a": null
            },
            []
          ],
          "a": {}
        }
        """)
  }
}

@Suite("The environment")
struct EnvironmentTests {
  @Test("The date is the day in UTC")
  func date() {
    let day = Date().formatted(.iso8601.year().month().day())
    // Midnight may be between the two.
    let another = Environment.current().date
    #expect(another == day || another == Date().formatted(.iso8601.year().month().day()))
  }

  @Test("The first field of a name is found, without its quotation marks")
  func fields() {
    let text = "a: 1\nmodel name\t: Some CPU: fast\nmodel name: Other\n\nPRETTY_NAME=\"An OS\"\n"
    #expect(Environment.field("model name", separator: ":", in: text) == "Some CPU: fast")
    #expect(Environment.field("PRETTY_NAME", separator: "=", in: text) == "An OS")
    #expect(Environment.field("missing", separator: ":", in: text) == nil)
    #expect(Environment.field("a", separator: ":", in: "a:") == nil)
  }

  @Test(
    "The processors of an affinity mask are counted", arguments: [("1", 1), ("f0", 4), ("3,ffffffff", 34), ("0", 0)])
  func processors(mask: String, count: Int) {
    #expect(Environment.processors(in: mask) == count)
  }
}
