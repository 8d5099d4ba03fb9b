extension DependencyGraph {
  /// The graph as a Mermaid flowchart, identical from run to run, for a Markdown code block named `mermaid`.
  ///
  /// The drawing has the same meaning as that of ``dot``. Mermaid draws up to 500 edges unless it is configured to draw more.
  ///
  /// - Complexity: O(*n* + *e*)
  public var mermaid: String {
    var text = "flowchart LR\n"
    // Mermaid does not read a frame with an empty title.
    text += framed({ "subgraph c\($0)[\"\($1.isEmpty ? " " : Mermaid.escaped($1))\"]" }, { $0.mermaid }, end: "end")
    for edge in edges { text += "  \(edge.mermaid)\n" }
    for look in Node.Look.allCases {
      text += Self.style("\(look)", look.mermaid, for: nodes.filter { $0.look == look })
    }
    text += Self.style("opaque", "stroke-dasharray:2 3", for: nodes.filter(\.isOpaque))
    // Mermaid identifies edges by number.
    for colour in Set(edges.compactMap(\.colour)).sorted(by: >) {
      let numbers = edges.indices.filter { edges[$0].colour == colour }.map(String.init)
      text += "  linkStyle \(numbers.joined(separator: ",")) stroke:\(colour),stroke-width:2px\n"
    }
    return text
  }

  /// A style class and the nodes that have it.
  private static func style(_ name: String, _ properties: String, for nodes: [Node]) -> String {
    guard !nodes.isEmpty else { return "" }
    let members = nodes.map { "n\($0.id)" }.joined(separator: ",")
    return "  classDef \(name) \(properties)\n  class \(members) \(name)\n"
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
    let paint = paint
    var style = "fill:\(paint.fill),stroke:\(paint.line)"
    if paint.width == "2" { style += ",stroke-width:2px" }
    if self == .expected || self == .missing { style += ",stroke-dasharray:6 4" }
    return style + ",color:#1a1a1a"
  }
}

extension DependencyGraph.Edge {
  fileprivate var mermaid: String {
    let arrow = colour != nil ? "==>" : isLoose ? "-.->" : "-->"
    let text = label.map { "|\"\(Mermaid.escaped($0))\"|" } ?? ""
    return "n\(from) \(arrow)\(text) n\(to)"
  }
}

/// Escaping of text for Mermaid.
private enum Mermaid {
  /// Text within quotes. Characters that Mermaid would read as an entity, HTML, Markdown, a directive, a formula or an icon
  /// become entities.
  static func escaped(_ text: String) -> String {
    var previous: Unicode.Scalar = "\n"
    return text.escaped { scalar in
      defer { previous = scalar }
      switch scalar {
      case "\"": return "#quot;"
      case "<": return "#lt;"
      case ">": return "#gt;"
      case "&": return "#amp;"
      case "#", ";", ":", "`", "*", "_", "~", "\\", "%", "$", "@",
        // `[text](address)` and `www.` would become links; a number or a dash at the start would begin a list.
        "(" where previous == "]", "." where previous == "w",
        "0"..."9" where previous == "\n", "-" where previous == "\n", "+" where previous == "\n":
        return "#\(scalar.value);"
      default: return nil
      }
    }
  }
}
