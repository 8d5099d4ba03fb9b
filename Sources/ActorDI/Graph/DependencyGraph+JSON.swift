extension DependencyGraph {
  /// The graph as JSON, identical from run to run, with one node or edge in each line.
  ///
  /// The text is one object:
  ///
  /// - `containers`: The names of the containers; the first one is the container that was asked.
  /// - `nodes`: Objects with
  ///   - `id`, a number;
  ///   - `kind`: `registration`, `alias`, `decorator`, `choice`, `expected` or `missing`;
  ///   - `name`, as in a resolution path;
  ///   - `service`, the type with its module;
  ///   - `module`, the module of the type, or an empty text;
  ///   - `implementation`, the type of the instances with its module, or null;
  ///   - `key`, the key's text, or null;
  ///   - `arguments`, the types of the run-time arguments;
  ///   - `scope`, or null if the service is not registered;
  ///   - `timeToLive`, a text, or null;
  ///   - `container`, an index into `containers`;
  ///   - `source`, file and line, or null if the service is not registered;
  ///   - `opaque`, `eager`, `asynchronous` and `faulty`, each true or false.
  /// - `edges`: Objects with
  ///   - `from` and `to`, the ids of nodes;
  ///   - `kind`: `parameter`, `property`, `declared`, `aliases`, `decorates` or `chooses`;
  ///   - `need`: `required`, `optional`, `element`, `later` or `possible`;
  ///   - `inCycle` and `captive`, each true or false.
  ///
  /// Every member is always present. Later versions may add members, kinds and needs.
  ///
  /// - Complexity: O(*n* + *e*)
  public var json: String {
    """
    {
      "containers": \(JSONText.list(containers)),
      "nodes": \(JSONText.lines(nodes.map(\.json))),
      "edges": \(JSONText.lines(edges.map(\.json)))
    }

    """
  }
}

extension DependencyGraph.Node {
  fileprivate var json: String {
    JSONText.object([
      ("id", "\(id)"),
      ("kind", JSONText.string(kind.description)),
      ("name", JSONText.string(identity.description)),
      ("service", JSONText.string(TypeName.stable(service))),
      ("module", JSONText.string(module)),
      ("implementation", JSONText.string(implementation.map { TypeName.stable($0) })),
      ("key", JSONText.string(key.map { String(describing: $0) })),
      ("arguments", JSONText.list(arguments.map { TypeName.stable($0) })),
      ("scope", JSONText.string(scope?.description)),
      ("timeToLive", JSONText.string(timeToLive?.description)),
      ("container", "\(container)"),
      ("source", JSONText.string(source?.description)),
      ("opaque", "\(isOpaque)"),
      ("eager", "\(isEager)"),
      ("asynchronous", "\(isAsynchronous)"),
      ("faulty", "\(isFaulty)"),
    ])
  }
}

extension DependencyGraph.Edge {
  fileprivate var json: String {
    JSONText.object([
      ("from", "\(from)"), ("to", "\(to)"),
      ("kind", JSONText.string(kind.description)), ("need", JSONText.string(need.description)),
      ("inCycle", "\(isInCycle)"), ("captive", "\(isCaptive)"),
    ])
  }
}

/// The formatting of values as JSON.
package enum JSONText {
  static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.map { "\(string($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
  }

  static func list(_ texts: [String]) -> String { "[" + texts.map { string($0) }.joined(separator: ", ") + "]" }

  /// A list with one line for each element.
  static func lines(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n    " + elements.joined(separator: ",\n    ") + "\n  ]"
  }

  static func string(_ text: String?) -> String { text.map(quoted) ?? "null" }

  /// A string in quotation marks, with special characters escaped.
  package static func quoted(_ text: String) -> String {
    // Most texts have no special character.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      // The last two are line terminators in JavaScript.
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
