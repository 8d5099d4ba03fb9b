/// The problems found in a ``DependencyWalk``.
///
/// Each kind of problem has a file of its own, which adds its findings.
struct Validation {
  let walk: DependencyWalk
  private var findings: [Finding] = []
  private var known: Set<Name> = []

  /// A problem and its sort position.
  private struct Finding {
    let rank: DependencyWalk.Rank
    let problem: ValidationError.Problem
  }

  /// The identity of a problem. A problem counts once, even if its registration is built in several contexts.
  private struct Name: Hashable {
    let kind: ValidationError.Kind
    let bindings: [ObjectIdentifier]
    let service: ServiceIdentity?
  }

  init(of walk: DependencyWalk) {
    self.walk = walk
    findErrors()
    findMissing()
    findCycles()
    findCaptives()
    findAsynchrony()
  }

  /// The problems, ordered by registration, then by check.
  var problems: [ValidationError.Problem] { findings.sorted { $0.rank < $1.rank }.map(\.problem) }

  /// The registrations whose dependencies are unknown.
  var opaque: [RegistrationInfo] {
    var seen: Set<ObjectIdentifier> = []
    return walk.nodes.filter { $0.binding.isOpaque && seen.insert(ObjectIdentifier($0.binding)).inserted }
      .sorted { $0.rank < $1.rank }.map { RegistrationInfo($0.binding) }
  }

  /// Whether a problem of the kind was not reported yet for these nodes. The call records it.
  ///
  /// - Parameter service: The subject of the problem, where the nodes do not determine it.
  mutating func isNew(_ kind: ValidationError.Kind, _ nodes: [Int], about service: ServiceIdentity? = nil) -> Bool {
    let bindings = nodes.map { ObjectIdentifier(walk.nodes[$0].binding) }
    return known.insert(Name(kind: kind, bindings: bindings, service: service)).inserted
  }

  /// Adds a problem.
  ///
  /// - Parameters:
  ///   - node: The registration to change.
  ///   - path: The services from that registration to the subject of the problem.
  mutating func add(
    _ kind: ValidationError.Kind, at node: Int, path: [ServiceIdentity],
    error: ResolutionError? = nil, suggestions: [String] = [], text: String
  ) {
    let descriptor = walk.nodes[node].descriptor
    let problem = ValidationError.Problem(
      kind: kind, identity: path.last ?? descriptor.identity, path: path.map(\.description),
      container: walk.nodes[node].container.name, source: descriptor.source, error: error,
      underlying: error, suggestions: suggestions, text: text)
    findings.append(Finding(rank: walk.nodes[node].rank, problem: problem))
  }

  // MARK: Single registrations

  private mutating func findErrors() {
    for (index, node) in walk.nodes.enumerated() {
      // A choice has no fault of its own.
      let kind = node.ambiguity == nil ? ValidationError.Kind.faultyRegistration : .ambiguous
      guard let error = node.binding.ownFault ?? node.ambiguity, isNew(kind, [index]) else { continue }
      add(kind, at: index, path: [node.identity], error: error, suggestions: error.suggestions, text: oneLine(error))
    }
  }
}

/// The services of a path, with arrows between them.
func arrows(_ path: [ServiceIdentity]) -> String { path.map(\.description).joined(separator: " -> ") }
