// The bounds for typical programs: resolving from children, scopes and links, building graphs with long initialisers, and opening a
// scope for each request.
extension Bounds {
  /// P17.
  static let inherited =
    inherited(from: "child", ContenderName.child, 1.5)
    + inherited(from: "grandchild", ContenderName.grandchild, 1.5)
    + inherited(from: "request scope", ContenderName.requestScope, 1.5)
    + inherited(from: "link", ContenderName.link, 2)
    + inherited(from: "parent of a link", ContenderName.linkParent, 2)
    + [
      ("link of a parent", ContenderName.linkOfParent), ("link of a link", ContenderName.linkOfLink),
      ("circle of two, in a parent", ContenderName.circle), ("circle of three", ContenderName.circleOfThree),
    ].map { inherited("sync, \($0)", in: LinkedSingleton.name, $1, 1, 2) }
    + [
      inherited("sync, child, token", in: InheritedKeyed.name, ContenderName.token, 1, 2),
      inherited("sync, child with keys, token", in: InheritedKeyed.name, ContenderName.tokenBehindKeys, 1, 2),
      inherited("sync, child, string key", in: InheritedKeyed.name, ContenderName.stringKey, 1, 5),
    ]

  private static func inherited(from what: String, _ contender: String, _ limit: Double) -> [Bound] {
    let synchronous = [1, 2, 4, 8].map { threads in
      inherited(
        "sync, \(what), \(Format.count(threads, "thread"))", in: InheritedSingleton.name, contender, threads, limit)
    }
    let asynchronous = [1, 2, 4, 64].map { tasks in
      inherited(
        "await, \(what), \(Format.count(tasks, "task"))", in: InheritedSingletonAwait.name, contender, tasks, limit)
    }
    return synchronous + asynchronous
  }

  private static func inherited(
    _ what: String, in scenario: String, _ contender: String, _ lane: Int, _ limit: Double
  ) -> Bound {
    ofFloor("P17", "warm singleton of another container, \(what)", scenario, contender, limit, lane: lane)
  }

  /// P18.
  static let inheritedTransient =
    inheritedTransient(from: "child", ContenderName.child)
    + inheritedTransient(from: "request scope", ContenderName.requestScope)
    + [
      ofPlain("P18", "transient in unspecialised generic code", Transient.name, Transient.generic, 2),
      ofPlain("P18", "transient by a provider", Transient.name, Transient.provider, 7),
      ofPlain("P18", "transient with an argument", Transient.name, Transient.argument, 7),
    ]

  /// P18, with relationship types, aliases and arguments.
  static let relationships = [
    ("a singleton, optional", Relationships.optional, 4),
    ("a singleton, optional of a parent's service", Relationships.optionalOfParent, 4),
    ("a singleton, optional, not registered", Relationships.absent, 4),
    ("a singleton, array of three", Relationships.array, 30),
    ("a singleton, array of three aliases", Relationships.arrayOfAliases, 33),
    ("a singleton, lazy, used once", Relationships.lazy, 40),
    ("a singleton, provider, called once", Relationships.provider, 12),
    ("a transient by alias", Relationships.alias, 4),
    ("a transient by alias, of a parent's service", Relationships.aliasOfParent, 4),
    ("a transient with an argument", Relationships.argument, 8),
  ].map { what, contender, limit in
    ratio(
      "P18", "transient that takes \(what)", Relationships.name, contender, to: Relationships.required, limit,
      "× by a required parameter")
  }

  private static func inheritedTransient(from what: String, _ contender: String) -> [Bound] {
    var bounds = [ofPlain("P18", "transient of a parent, \(what)", InheritedTransient.name, contender, 1.6)]
    for (shape, scenario) in [("graph", InheritedGraph.name), ("chain", InheritedChain.name)] {
      for kind in [ContenderName.byAutowiring, ContenderName.byFactory] {
        bounds.append(ofPlain("P18", "\(shape) of 10 of a parent, \(what)\(kind)", scenario, contender + kind, 2))
      }
    }
    return bounds
  }

  /// P19.
  static let parameters =
    Wholes.counts.map { count in
      ofPlain(
        "P19", "transient with \(Format.count(count, "parameter")), autowired", Parameters.name,
        ContenderName.autowired,
        1.7, lane: count)
    }
    + Wholes.counts.map { count in
      ofPlain(
        "P19", "of a parent, transient with \(Format.count(count, "parameter")), autowired", Parameters.name,
        ContenderName.child + ContenderName.byAutowiring, 2, lane: count)
    }

  /// P20.
  static let requests =
    [ofPlain("P20", "request, a graph of five services in a scope", Requests.name, ContenderName.container, 12)]
    + [
      Bound(
        row: "P20", what: "request, system calls",
        figure: .value(.init(scenario: SystemCalls.name, contender: SystemCalls.request)),
        limit: .atMost(0), yardstick: "system calls"),
      Bound(
        row: "P20", what: "request, waits",
        figure: .value(.init(scenario: SystemCalls.name, contender: SystemCalls.request, detail: .waits)),
        limit: .atMost(0), yardstick: "waits"),
      Bound(
        row: "P20", what: "request by hand, heap allocations that the optimiser keeps",
        figure: .value(.init(scenario: Allocations.name, contender: Allocations.plainRequest)),
        limit: .within(Double(Requests.objects)...Double(Requests.objects)), yardstick: "allocations"),
      Bound(
        row: "P20", what: "request, heap allocations beyond those by hand",
        figure: .excess(
          .init(scenario: Allocations.name, contender: Allocations.request),
          over: .init(scenario: Allocations.name, contender: Allocations.plainRequest)),
        limit: .none, yardstick: "allocations"),
    ]
    + [0, 1, 3].map { count in
      ratio(
        "P20", "scoped service with \(Format.count(count, "scoped parameter")), autowired", ScopedParameters.name,
        ContenderName.autowired, to: ContenderName.factory, 1.3, "× by factory closure", lane: count)
    }
    + [
      ("transient made asynchronously, of a singleton", AsyncFactories.transient, 3.0),
      ("transient made asynchronously, of two transients", AsyncFactories.transientOfTransients, 6),
      ("scoped service made asynchronously, with its scope", AsyncFactories.scoped, 16),
    ].map { what, contender, limit in
      ratio("P20", what, AsyncFactories.name, contender, to: AsyncFactories.task, limit, "× a task by hand")
    }
    + [
      ("scope with a service by alias", ScopedKinds.alias, 1.6),
      ("scope with a service with a hook", ScopedKinds.hook, 1.3),
      ("scope with a service with an argument", ScopedKinds.argument, 2.2),
      ("scope with a disposable service", ScopedKinds.disposable, 12),
      ("scope with an instance by alias", ScopedKinds.registeredAlias, 8),
    ].map { what, contender, limit in
      ratio("P20", what, ScopedKinds.name, contender, to: ContenderName.factory, limit, "× with a plain scoped service")
    }

  /// P21.
  ///
  /// In a request, both tasks count references to the same three singletons, even if all objects are made by hand. Those requests by hand
  /// are therefore the floor, and what the container adds must scale.
  static let parallelScopes: [Bound] = {
    func subject(_ scenario: String, _ contender: String, tasks: Int) -> Bound.Subject {
      .init(scenario: scenario, contender: contender, lane: tasks)
    }
    func throughput(_ scenario: String, _ contender: String) -> Bound.Figure {
      .bestThroughput(subject(scenario, contender, tasks: 2), of: subject(scenario, contender, tasks: 1))
    }
    func bound(_ what: String, _ scenario: String, _ figure: Bound.Figure) -> Bound {
      Bound(
        row: "P21", what: "\(what), throughput of 2 tasks", figure: figure, limit: .atLeast(1.7),
        yardstick: "× its own of 1 task", minimumCores: 2,
        freeCores: .init(figure: throughput(scenario, ContenderName.arithmetic), atLeast: 1.9))
    }
    func listed(_ what: String, _ contender: String) -> Bound {
      Bound(
        row: "P21", what: "\(what), throughput of 2 tasks", figure: throughput(Requests.name, contender), limit: .none,
        yardstick: "× its own of 1 task", minimumCores: 2)
    }
    return [
      bound(
        "withScope, one scoped object and its disposal", Scopes.name, throughput(Scopes.name, ContenderName.container)),
      bound(
        "request, beyond the same by hand", Requests.name,
        .bestThroughputBeyondFloors(
          .init(
            subject: subject(Requests.name, ContenderName.container, tasks: 2),
            floor: subject(Requests.name, ContenderName.plain, tasks: 2)),
          of: .init(
            subject: subject(Requests.name, ContenderName.container, tasks: 1),
            floor: subject(Requests.name, ContenderName.plain, tasks: 1)))),
      listed("request", ContenderName.container),
      listed("request by hand", ContenderName.plain),
    ]
  }()

  /// P22.
  static let relativesAmong = [
    ("child created and released", RelativesAmong.child), ("link added and cancelled", RelativesAmong.link),
  ].map { what, contender in
    let (few, many) = (10, 10_000)
    return Bound(
      row: "P22", what: "\(what), next to \(Format.count(many, "registration"))",
      figure: .ratio(
        .init(scenario: RelativesAmong.name, contender: contender, lane: many),
        to: .init(scenario: RelativesAmong.name, contender: contender, lane: few)),
      limit: .atMost(1.3), yardstick: "× its own next to \(few)")
  }

  /// P23, with the same numbers of readers as P7.
  static func inheritedChurn(cores: Int) -> [Bound] {
    Set([1, max(1, cores - 1)]).sorted().map { readers in
      Bound(
        row: "P23", what: "warm singleton of a parent under churn, \(Format.count(readers, "reader"))",
        figure: .throughput(
          .init(scenario: InheritedChurn.name, contender: InheritedChurn.churned, lane: readers),
          of: .init(scenario: InheritedChurn.name, contender: InheritedChurn.quiet, lane: readers)),
        limit: .atLeast(0.9), yardstick: "× quiet throughput", minimumCores: 2)
    }
  }
}
