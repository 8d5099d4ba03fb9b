/// A parser for the subset of XML that drawings use: nested elements, quoted attributes and five entities.
enum XMLCheck {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  struct Malformed: Error {
    let reason: String
    let rest: String
  }

  /// The elements, in the order in which they begin.
  ///
  /// - Throws: ``Malformed`` at the first error.
  static func elements(_ text: String) throws -> [Element] {
    var elements: [Element] = []
    var open: [Int] = []
    var rest = text[...]
    func malformed(_ reason: String) -> Malformed { Malformed(reason: reason, rest: String(rest.prefix(80))) }
    while let sign = rest.firstIndex(of: "<") {
      let before = try unescaped(rest[..<sign])
      if let last = open.last {
        elements[last].text += before
      } else if before.contains(where: { !$0.isWhitespace }) {
        throw malformed("text outside of the root")
      }
      guard let end = rest[sign...].firstIndex(of: ">") else { throw malformed("a tag without an end") }
      var tag = rest[rest.index(after: sign)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.first == "/" {
        guard let last = open.popLast(), elements[last].name == tag.dropFirst() else {
          throw malformed("</\(tag)> closes nothing")
        }
        continue
      }
      let isEmpty = tag.last == "/"
      if isEmpty { tag.removeLast() }
      if open.isEmpty, !elements.isEmpty { throw malformed("a second root") }
      if !isEmpty { open.append(elements.count) }
      elements.append(try element(tag))
    }
    guard open.isEmpty, rest.allSatisfy(\.isWhitespace) else {
      throw malformed("elements left open, or text at the end")
    }
    return elements
  }

  private static func element(_ tag: Substring) throws -> Element {
    let name = tag.prefix { !$0.isWhitespace }
    guard let first = name.first, first.isLetter else { throw Malformed(reason: "no name", rest: String(tag)) }
    var attributes: [String: String] = [:]
    var rest = tag.dropFirst(name.count).drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let key = rest.prefix { $0 != "=" }
      let value = rest.dropFirst(key.count + 2).prefix { $0 != "\"" }
      guard rest.dropFirst(key.count).hasPrefix("=\""), rest.dropFirst(key.count + 2 + value.count).first == "\"",
        attributes.updateValue(try unescaped(value), forKey: String(key)) == nil
      else { throw Malformed(reason: "no attribute", rest: String(rest)) }
      rest = rest.dropFirst(key.count + value.count + 3).drop(while: \.isWhitespace)
    }
    return Element(name: String(name), attributes: attributes)
  }

  private static func unescaped(_ text: Substring) throws -> String {
    var unescaped = ""
    var rest = text
    while let sign = rest.firstIndex(of: "&") {
      unescaped += rest[..<sign]
      rest = rest[sign...]
      let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
      guard let entity = entities.first(where: { rest.hasPrefix($0.key) }) else {
        throw Malformed(reason: "no entity", rest: String(rest.prefix(20)))
      }
      unescaped += entity.value
      rest = rest.dropFirst(entity.key.count)
    }
    return unescaped + rest
  }
}
