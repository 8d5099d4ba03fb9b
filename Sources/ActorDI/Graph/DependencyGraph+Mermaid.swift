extension DependencyGraph {
  /// The graph as a Mermaid flowchart, identical from run to run, for a Markdown code block named `mermaid`.
  ///
  /// The drawing has the same meaning as that of ``dot``. Mermaid draws up to 500 edges unless it is configured to draw more.
  ///
  /// - Complexity: O(*n* + *e*)
  public var mermaid: String {
    var text = "flowchart LR\n"
    text += framed({ "subgraph c\($0)[\"\(Mermaid.escaped($1))\"]" }, { $0.mermaid }, end: "end")
    for edge in edges { text += "  \(edge.mermaid)\n" }
    for look in Node.Look.allCases {
      text += Self.style("\(look)", look.mermaid, for: nodes.filter { $0.look == look })
    }
    text += Self.style("opaque", "stroke-dasharray:2 3", for: nodes.filter(\.isOpaque))
    text += linkStyle("#d02020") { $0.isInCycle }
    text += linkStyle("#c05a00") { $0.isCaptive && !$0.isInCycle }
    return text
  }

  /// A style class and the nodes that have it.
  private static func style(_ name: String, _ properties: String, for nodes: [Node]) -> String {
    guard !nodes.isEmpty else { return "" }
    let members = nodes.map { "n\($0.id)" }.joined(separator: ",")
    return "  classDef \(name) \(properties)\n  class \(members) \(name)\n"
  }

  /// A style for edges, which Mermaid identifies by number.
  private func linkStyle(_ colour: String, where isMeant: (Edge) -> Bool) -> String {
    let numbers = edges.indices.filter { isMeant(edges[$0]) }
    guard !numbers.isEmpty else { return "" }
    let list = numbers.map(String.init).joined(separator: ",")
    return "  linkStyle \(list) stroke:\(colour),stroke-width:2px\n"
  }
}

extension DependencyGraph.Node {
  fileprivate var mermaid: String {
    let text = "\"<b>\(Mermaid.escaped(label))</b><br/><small>\(Mermaid.escaped(detail))</small>\""
    return look == .passing ? "n\(id)(\(text))" : "n\(id)[\(text)]"
  }
}

extension DependencyGraph.Node.Look {
  fileprivate var mermaid: String {
    switch self {
    case .kept: "fill:#cfe3ff,stroke:#2f6fbf,stroke-width:2px,color:#1a1a1a"
    case .scoped: "fill:#e6dcfa,stroke:#7a4fc0,stroke-width:2px,color:#1a1a1a"
    case .weak: "fill:#d9f0dc,stroke:#3f8f4f,color:#1a1a1a"
    case .passing: "fill:#f2f2f2,stroke:#6b6b6b,color:#1a1a1a"
    case .faulty: "fill:#ffd9d9,stroke:#d02020,stroke-width:2px,color:#1a1a1a"
    case .expected: "fill:#ffffff,stroke:#6b6b6b,stroke-dasharray:6 4,color:#1a1a1a"
    case .missing: "fill:#fff0f0,stroke:#d02020,stroke-dasharray:6 4,color:#1a1a1a"
    }
  }
}

extension DependencyGraph.Edge {
  fileprivate var mermaid: String {
    let arrow = isInCycle || isCaptive ? "==>" : isLoose ? "-.->" : "-->"
    let text = label.map { "|\"\(Mermaid.escaped($0))\"|" } ?? ""
    return "n\(from) \(arrow)\(text) n\(to)"
  }
}

/// Escaping of text for Mermaid.
private enum Mermaid {
  /// Text within quotes. Characters that Mermaid would read as an entity, HTML, Markdown, a directive, a formula or an icon
  /// become entities.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var previous: Unicode.Scalar = "\n"
    for scalar in text.unicodeScalars.map(\.visible) {
      switch scalar {
      case "\"": escaped += "#quot;"
      case "<": escaped += "#lt;"
      case ">": escaped += "#gt;"
      case "&": escaped += "#amp;"
      case "#", ";", ":", "`", "*", "_", "~", "\\", "%", "$", "@": escaped += "#\(scalar.value);"
      // `[text](address)` and `www.` would become links; a number or a dash at the start would begin a list.
      case "(" where previous == "]", "." where previous == "w": escaped += "#\(scalar.value);"
      case "0"..."9" where previous == "\n", "-" where previous == "\n", "+" where previous == "\n":
        escaped += "#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return escaped
  }
}
