import ActorDI

/// The present state of a container, for the JSON.
struct Report {
  private let container: Container
  private let graph: DependencyGraph
  private let problems: [ValidationError.Problem]
  private let instances: [(container: Container, instance: InstanceInfo)]
  /// The open scopes, the oldest first.
  private let scopes: [OpenScope]
  private let events: [EventRecord]
  private let failures: [EventRecord]
  private let builds: [EventRecord]
  /// Whether the keys of scopes are shown.
  private let showsKeys: Bool
  private let now = ContinuousClock.now

  /// The index in the graph's nodes of each registration, and of other nodes whose service has no registration.
  private let nodes: [ServiceName: Int]

  /// The maximum number of elements in a list.
  private static var limit: Int { 2_000 }
  /// The maximum number of open scopes of a name, so that a thousand idle ones of users displace no request.
  private static var limitOfName: Int { 500 }

  init(
    of container: Container, events: [EventRecord], failures: [EventRecord], builds: [EventRecord], showsKeys: Bool
  ) {
    self.container = container
    graph = container.dependencyGraph()
    do {
      try container.validate()
      problems = []
    } catch {
      problems = error.problems
    }
    instances = sequence(first: container, next: \.parent).flatMap { owner in owner.instances.map { (owner, $0) } }
    scopes = container.openScopes.sorted { $0.age > $1.age }
    self.events = events
    self.failures = failures
    self.builds = builds
    self.showsKeys = showsKeys
    var nodes: [ServiceName: Int] = [:]
    for node in graph.nodes {
      let name = ServiceName(node.service, node.key, node.arguments)
      if node.kind == .registration { nodes[name] = nodes[name].map { min($0, node.id) } ?? node.id }
    }
    for node in graph.nodes {
      let name = ServiceName(node.service, node.key, node.arguments)
      if nodes[name] == nil { nodes[name] = node.id }
    }
    self.nodes = nodes
  }

  var json: String {
    JSON.object(
      ("container", JSON.object(("name", JSON.string(container.name)), ("id", "\(container.id)"))),
      (
        "counts",
        JSON.object(("instances", "\(instances.count)"), ("builds", "\(builds.count)"), ("scopes", "\(scopes.count)"))
      ),
      ("graph", graph.json),
      ("instances", JSON.lines(instances.prefix(Self.limit).map { instance($1, of: $0) })),
      ("builds", JSON.lines(builds.prefix(Self.limit).map(event))),
      ("scopes", JSON.lines(listedScopes.prefix(Self.limit).map(scope))),
      ("scopeNames", JSON.lines(scopeNames.prefix(Self.limit).map(scopeName))),
      ("events", JSON.lines(events.map(event))),
      ("failures", JSON.lines(failures.map(event))),
      ("problems", JSON.lines(problems.map(problem)))) + "\n"
  }

  private func node(_ service: ServiceName?) -> String { service.flatMap { nodes[$0] }.map(String.init) ?? "null" }

  private func instance(_ instance: InstanceInfo, of container: Container) -> String {
    let service = ServiceName(instance.service, instance.key, instance.arguments)
    return JSON.object(
      ("node", node(service)), ("name", JSON.string(service.text)), ("type", JSON.string(TypeText.full(instance.type))),
      ("scope", JSON.string("\(instance.scope)")), ("container", JSON.string(container.name)),
      ("containerID", "\(container.id)"),
      ("age", JSON.seconds(instance.createdAt.map { $0.duration(to: now) })),
      ("buildDuration", JSON.seconds(instance.buildDuration)))
  }

  private func scope(_ scope: OpenScope) -> String {
    JSON.object(
      ("id", "\(scope.id)"), ("name", JSON.string(scope.name)), ("container", JSON.string(scope.container)),
      ("age", JSON.seconds(scope.age)), ("uses", "\(scope.uses)"), ("idleFor", JSON.seconds(scope.idleFor)),
      ("key", JSON.string(showsKeys ? scope.key.map { "\($0)" } : nil)))
  }

  /// The oldest scopes of each name, the oldest first.
  private var listedScopes: [OpenScope] {
    var counts: [String: Int] = [:]
    return scopes.filter { scope in
      counts[scope.name, default: 0] += 1
      return counts[scope.name, default: 0] <= Self.limitOfName
    }
  }

  /// The open scopes of each name, the oldest first. The largest number of scopes comes first.
  private var scopeNames: [(name: String, scopes: [OpenScope])] {
    Dictionary(grouping: scopes, by: \.name).map { ($0, $1) }
      .sorted { ($1.scopes.count, $0.name) < ($0.scopes.count, $1.name) }
  }

  private func scopeName(_ name: String, _ scopes: [OpenScope]) -> String {
    JSON.object(
      ("name", JSON.string(name)), ("count", "\(scopes.count)"), ("idle", "\(scopes.count { $0.idleFor != nil })"),
      ("age", JSON.seconds(scopes.first?.age)))
  }

  private func event(_ event: EventRecord) -> String {
    JSON.object(
      ("kind", JSON.string(event.kind.rawValue)), ("node", node(event.service)),
      ("name", JSON.string(event.service?.text)),
      ("scope", JSON.string(event.scope.map { "\($0)" })), ("container", JSON.string(event.container)),
      ("containerID", "\(event.containerID)"), ("age", JSON.seconds(event.time.duration(to: now))),
      ("duration", JSON.seconds(event.duration)), ("outcome", JSON.string(event.outcome)),
      ("path", JSON.strings(event.steps.map(\.description))), ("error", JSON.string(event.error)))
  }

  private func problem(_ problem: ValidationError.Problem) -> String {
    JSON.object(
      ("code", JSON.string(problem.kind.code)), ("kind", JSON.string(problem.kind.description)),
      ("text", JSON.string("\(problem)")),
      ("path", JSON.strings(problem.path)), ("container", JSON.string(problem.container)),
      ("source", JSON.string("\(problem.source)")))
  }
}
