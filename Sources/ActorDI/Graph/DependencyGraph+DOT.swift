extension DependencyGraph {
  /// The graph in the DOT language of Graphviz, identical from run to run.
  ///
  /// `dot -Tsvg graph.dot -o graph.svg` renders it. In an SVG, hovering over a node shows where it was registered.
  ///
  /// | appearance | meaning |
  /// | --- | --- |
  /// | rounded node | No container keeps the instances. |
  /// | thick border | A container keeps the instances strongly. |
  /// | thick violet border | The container of a scope keeps the instances strongly. |
  /// | thick red border | The registration is faulty. |
  /// | dotted border | The factory is opaque. |
  /// | dashed red border | The service is missing. |
  /// | dashed grey border | Scopes have to register the service. |
  /// | dashed edge | The dependency is resolved later. |
  /// | thick edge | The dependency is part of a cycle, or captive. |
  /// | frame | The container of the nodes, if there are several containers; their module, if there are several modules. |
  ///
  /// - Complexity: O(*n* + *e*)
  public var dot: String {
    var text = """
      digraph dependencies {
        graph [rankdir=LR, bgcolor=transparent, nodesep=0.25, ranksep=0.7, \(Self.font(12)), fontcolor="#7f7f7f", color="#7f7f7f"]
        node [shape=box, style=filled, margin="0.14,0.07", \(Self.font(12)), fontcolor="#1a1a1a"]
        edge [color="#7f7f7f", arrowsize=0.7, \(Self.font(9)), fontcolor="#7f7f7f"]

      """
    text += framed(
      { "subgraph cluster_\($0) { label=\(DOT.quoted($1)); labeljust=l; style=rounded" }, { $0.dot }, end: "}")
    for edge in edges { text += "  \(edge.dot)\n" }
    return text + "}\n"
  }

  private static func font(_ size: Int) -> String { "fontname=\"Helvetica,Arial,sans-serif\", fontsize=\(size)" }
}

extension DependencyGraph.Node {
  fileprivate var dot: String {
    var style = ["filled"]
    if look == .passing { style.append("rounded") }
    if scope == nil { style.append("dashed") } else if isOpaque { style.append("dotted") }
    let paint = look.paint
    let name = "<b>\(DOT.html(label))</b>"
    let place = source.map { " at \($0)" } ?? ""
    let more = "<font point-size=\"9\">\(DOT.html(detail))</font>"
    return "n\(id) [label=<\(name)<br/>\(more)>, style=\"\(style.joined(separator: ","))\", "
      + "fillcolor=\"\(paint.fill)\", color=\"\(paint.line)\", penwidth=\(paint.width), tooltip=\(DOT.quoted(TypeName.stable(service) + place))]"
  }
}

extension DependencyGraph.Edge {
  fileprivate var dot: String {
    var attributes: [String] = []
    if let label { attributes.append("label=\(DOT.quoted(label))") }
    if isLoose { attributes.append("style=dashed") }
    if kind == .aliases || kind == .decorates { attributes.append("arrowhead=empty") }
    if let colour { attributes.append("color=\"\(colour)\", fontcolor=\"\(colour)\", penwidth=2") }
    let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    return "n\(from) -> n\(to)\(list)"
  }
}

/// Escaping of text for the DOT language.
private enum DOT {
  /// A quoted string.
  static func quoted(_ text: String) -> String { "\"" + escaped(text, isHTML: false) + "\"" }

  /// Text within an HTML-like label.
  static func html(_ text: String) -> String { escaped(text, isHTML: true) }

  /// Graphviz interprets escapes and HTML entities in both.
  private static func escaped(_ text: String, isHTML: Bool) -> String {
    text.escaped { scalar in
      switch scalar {
      case "&": "&amp;"
      case "\\": "\\\\"
      case "\"": isHTML ? "&quot;" : "\\\""
      case "<" where isHTML: "&lt;"
      case ">" where isHTML: "&gt;"
      default: nil
      }
    }
  }
}
