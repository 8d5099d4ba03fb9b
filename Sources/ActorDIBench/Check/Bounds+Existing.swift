// The bounds for existing instances: what a hit costs, from where it is asked, and beside changes.
extension Bounds {
  /// P1, P2, P3, P6, P7, P8, P14 and P17.
  static func existing(cores: Int) -> [Bound] {
    let threads = [1, 2, 4, 8] + (cores >= 16 ? [16] : [])
    return [
      ofFloor(
        "P1", "existing singleton, sync", 1.15,
        onFloor(WarmSingleton.name, ContenderName.container, threads, "thread")),
      ofFloor(
        "P2", "existing singleton, await", 1.3,
        onFloor(WarmSingletonAwait.name, ContenderName.container, [1, 2, 4, 64], "task")),
      ofFloor("P3", "existing singleton by token", Keyed.name, Keyed.token, 1.3),
      ofFloor("P3", "existing singleton by string key", Keyed.name, Keyed.stringKey, 2.5),
      ofFloor("P3", "existing singleton by enum key", Keyed.name, Keyed.enumKey, 4),
      ofFloor("P6", "existing singleton, borrowed", WithResolved.name, WithResolved.borrowed, 0.6),
      scaling(
        "P6", "existing singleton, borrowed, throughput of n threads", 0.85, cores: cores,
        of: ["": (WithResolved.name, WithResolved.borrowed)]),
      beside(cores: cores),
    ] + allocations + handles + elsewhere
  }

  /// P7: one reader, and as many as leave one core to the disturbing task.
  private static func beside(cores: Int) -> Bound {
    Bound(
      row: "P7", what: "existing singleton beside registrations and resets",
      points: Set([1, max(1, cores - 1)]).sorted().map { readers in
        Bound.Point(
          Format.count(readers, "reader"),
          .throughput(
            .init(scenario: Churn.name, contender: Churn.churned, lane: readers),
            of: .init(scenario: Churn.name, contender: Churn.quiet, lane: readers)))
      },
      limit: .atLeast(0.85), yardstick: "× quiet throughput", minimumCores: 2)
  }

  private static let allocations: [Bound] = {
    func subject(_ contender: String) -> Bound.Subject { .init(scenario: Allocations.name, contender: contender) }
    let existing = [
      Allocations.sync, Allocations.await, Allocations.token, Allocations.stringKey, Allocations.enumKey,
      Allocations.borrowed,
    ]
    let new = [
      (Allocations.leaf, Allocations.plainLeaf), (Allocations.autowiredGraph, Allocations.plainGraph),
      (Allocations.factoryGraph, Allocations.plainGraph), (Allocations.autowiredChain, Allocations.plainChain),
      (Allocations.factoryChain, Allocations.plainChain),
    ]
    return [
      Bound(
        row: "P8", what: "heap allocations of an existing singleton",
        points: existing.map { Bound.Point($0, .value(subject($0))) }, limit: .atMost(0), yardstick: "allocations"),
      Bound(
        row: "P8", what: "heap allocations of new objects, beyond the factories'",
        points: new.map { Bound.Point($0, .excess(subject($0), over: subject($1))) },
        limit: .atMost(0), yardstick: "allocations"),
    ]
  }()

  private static let handles = [
    ("existing singleton by provider", Handles.provider, 1.3),
    ("existing scoped service", Handles.scoped, 1.6),
    ("existing shared service", Handles.shared, 4),
    ("existing singleton by injected property", Handles.injected, 2),
  ].map { what, contender, limit in
    ofFloor("P14", what, limit, onFloor(Handles.name, contender, [1, 8], "thread"))
  }

  private static let elsewhere = [
    ofFloor(
      "P17", "existing singleton of a parent or grandparent", 1.5,
      points(of: [("child", .child), ("grandchild", .grandchild), ("request scope", .requestScope)])),
    ofFloor(
      "P17", "existing singleton by links", 2.5, points(of: [("link", .link), ("link of a link", .linkOfLink)])),
  ]

  private static func points(of places: [(name: String, place: Place)]) -> [Bound.Point] {
    places.flatMap { name, place in
      onFloor(WarmSingleton.name, place.contender, [1, 8], "thread", name: name)
        + onFloor(WarmSingletonAwait.name, place.contender, [1], "task", name: name)
    }
  }
}
