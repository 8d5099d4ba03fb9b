// What a reader sees of nodes and edges, whatever draws them.
extension DependencyGraph.Node: CustomStringConvertible {
  /// For example `Database["replica"], singleton, eager`.
  public var description: String { "\(identity), \(detail)" }

  /// The service, as it stands in paths, in one line of moderate length.
  var label: String { Self.shortened(identity.description) }

  /// What else there is to say.
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
    return parts.joined(separator: ", ")
  }

  /// What tells nodes apart at a glance. Each looks different by shape or line, too, not by colour alone.
  enum Look: String, CaseIterable {
    /// Held by a container.
    case kept
    /// Held weakly.
    case weak
    /// Not held.
    case passing
    case faulty
    case expected
    case missing
  }

  var look: Look {
    guard let scope else { return isMissing ? .missing : .expected }
    if isFaulty { return .faulty }
    return scope.isWeak ? .weak : scope.isKept ? .kept : .passing
  }

  private static let lengthLimit = 48

  /// A text in one line, without its middle where it is long.
  static func shortened(_ text: String) -> String {
    let text = String(String.UnicodeScalarView(text.unicodeScalars.map(\.visible)))
    guard text.count > lengthLimit else { return text }
    let half = (lengthLimit - 1) / 2
    return "\(text.prefix(lengthLimit - 1 - half))…\(text.suffix(half))"
  }
}

extension DependencyGraph.Edge {
  /// What is not plain: nil for something that is simply taken.
  var label: String? {
    var parts: [String] = []
    switch kind {
    case .parameter, .declared: break
    default: parts.append(kind.description)
    }
    if need != .required { parts.append(need.description) }
    if isInCycle { parts.append("cycle") }
    if isCaptive { parts.append("captive") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Whether it need not be there when what takes it is built.
  var isLoose: Bool { need == .later || need == .possible }
}

extension Unicode.Scalar {
  /// Itself, or a picture of a character that would begin a new line, or that XML forbids.
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
