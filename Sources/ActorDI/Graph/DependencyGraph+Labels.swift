// The texts, appearance and frames that all drawings share.
extension DependencyGraph {
  /// The lines of the nodes in frames: one for each container if there are several, and one for each module if there
  /// are several.
  ///
  /// - Parameters:
  ///   - begin: The first line of a frame, from its number and title.
  ///   - line: The line of a node.
  ///   - end: The last line of a frame.
  func framed(_ begin: (String, String) -> String, _ line: (Node) -> String, end: String) -> String {
    var groups = [[(module: String, nodes: [Node])]](repeating: [], count: containers.count)
    for node in nodes {
      let module = node.module
      if let index = groups[node.container].firstIndex(where: { $0.module == module }) {
        groups[node.container][index].nodes.append(node)
      } else {
        groups[node.container].append((module, [node]))
      }
    }
    let hasModules = Set(groups.joined().map(\.module)).count > 1
    func frame(_ lines: [String], _ number: String, _ title: String, if isNeeded: Bool) -> [String] {
      isNeeded ? [begin(number, Node.shortened(title))] + lines.map { "  \($0)" } + [end] : lines
    }
    var lines: [String] = []
    for (number, groups) in groups.enumerated() where !groups.isEmpty {
      var members: [String] = []
      for (index, group) in groups.enumerated() {
        members += frame(group.nodes.map(line), "\(number)_\(index)", group.module, if: hasModules)
      }
      lines += frame(members, "\(number)", containers[number], if: containers.count > 1)
    }
    return lines.map { "  \($0)\n" }.joined()
  }
}

extension DependencyGraph.Node: CustomStringConvertible {
  /// A short text, such as `Database["replica"], singleton, eager`.
  public var description: String { "\(identity), \(detail)" }

  /// The service as in resolution paths, in one line of limited length.
  var label: String { Self.shortened(identity.description) }

  /// The node's scope, kind and other properties.
  var detail: String {
    if isMissing { return "not registered" }
    if kind == .expected { return "from the scope" }
    var parts: [String] = []
    if isFaulty { parts.append("faulty") }
    if kind != .registration { parts.append(kind.description) }
    if let scope { parts.append(Self.shortened(scope.description)) }
    if let timeToLive { parts.append("time to live \(timeToLive)") }
    if isEager { parts.append("eager") }
    if isAsynchronous { parts.append("async") }
    if isOpaque { parts.append("opaque") }
    let text = parts.joined(separator: ", ")
    return implementation.map { Self.shortened("\(text): \(TypeName.short($0))") } ?? text
  }

  /// The visual category of a node. Drawings distinguish categories by shape or line as well as by colour.
  enum Look: CaseIterable {
    /// A container keeps the instance strongly.
    case kept
    /// A container keeps the instance strongly: the one that is asked, or one that the scope names.
    case scoped
    /// A container keeps the instance weakly.
    case weak
    /// No container keeps the instance.
    case passing
    case faulty
    case expected
    case missing

    /// The colour of the inside of a node, and the colour and width of its border.
    struct Paint {
      let fill: String
      let line: String
      let width: String
    }

    var paint: Paint {
      switch self {
      case .kept: Paint(fill: "#cfe3ff", line: "#2f6fbf", width: "2")
      case .scoped: Paint(fill: "#e6dcfa", line: "#7a4fc0", width: "2")
      case .weak: Paint(fill: "#d9f0dc", line: "#3f8f4f", width: "1")
      case .passing: Paint(fill: "#f2f2f2", line: "#6b6b6b", width: "1")
      case .faulty: Paint(fill: "#ffd9d9", line: "#d02020", width: "2")
      case .expected: Paint(fill: "#ffffff", line: "#6b6b6b", width: "1.5")
      case .missing: Paint(fill: "#fff0f0", line: "#d02020", width: "1.5")
      }
    }
  }

  var look: Look {
    guard let scope else { return isMissing ? .missing : .expected }
    if isFaulty { return .faulty }
    let policy = scope.policy
    return policy.isWeak ? .weak : policy.isKeptPerContainer ? .scoped : policy.isKept ? .kept : .passing
  }

  private static let lengthLimit = 48

  /// A text in one line; the middle of a long text is omitted.
  static func shortened(_ text: String) -> String {
    let text = text.escaped { _ in nil }
    guard text.count > lengthLimit else { return text }
    let half = (lengthLimit - 1) / 2
    return "\(text.prefix(lengthLimit - 1 - half))…\(text.suffix(half))"
  }
}

extension DependencyGraph.Edge {
  /// The properties of the edge that differ from a plain required dependency; nil if there are none.
  var label: String? {
    var parts: [String] = []
    if kind != .parameter && kind != .declared { parts.append(kind.description) }
    if need != .required { parts.append(need.description) }
    if isInCycle { parts.append("cycle") }
    if isCaptive { parts.append("captive") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The colour of an edge that stands out; nil for a plain one.
  var colour: String? { isInCycle ? "#d02020" : isCaptive ? "#c05a00" : nil }

  /// Whether the dependency may be absent when the dependent service is built.
  var isLoose: Bool { need == .later || need == .possible }
}

extension String {
  /// The text in one line and without characters that XML forbids.
  ///
  /// - Parameter replacement: The replacement of a character; nil to keep it.
  func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    for scalar in unicodeScalars.lazy.map(\.visible) {
      if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The scalar itself, or a visible substitute for a line break or a character that XML forbids.
  var visible: Unicode.Scalar {
    switch value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x2028, 0x2029: "\u{240A}"
    case 0x80...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: self
    }
  }
}
