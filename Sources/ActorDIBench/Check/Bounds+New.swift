// The bounds for new objects, with and without a scope of their own.
extension Bounds {
  /// P4, P5 and P19.
  static let new =
    [
      ofPlain("P4", "new object", Transient.name, Place.owner.contender, 1.35),
      ofPlain("P4", "new object of a parent", Transient.name, Place.child.contender, 1.6),
      ofPlain("P4", "new object by a link", Transient.name, Place.link.contender, 2.5),
      ofPlain("P5", "graph and chain of ten new objects", 1.7, tens(at: .owner)),
      ofPlain("P5", "graph and chain of ten new objects of a parent", 2, tens(at: .child)),
    ]
    + [
      ("one to six parameters", Parameters.counts.filter { $0 <= 6 }, 1.7),
      ("twelve parameters", Parameters.counts.filter { $0 > 6 }, 3),
    ].map { what, counts, limit in
      ofPlain(
        "P19", "new object with \(what)", limit,
        counts.map { count in
          Bound.Point(
            Format.count(count, "parameter"),
            ratio(
              Parameters.name, ContenderName.container + ContenderName.byAutowiring, to: ContenderName.plain,
              lane: count))
        })
    }

  /// The graph and the chain of ten, by initialisers and by closures.
  private static func tens(at place: Place) -> [Bound.Point] {
    [Graph.name, Chain.name].flatMap { scenario in
      [ContenderName.byAutowiring, ContenderName.byFactory].map { kind in
        Bound.Point(scenario + kind, ratio(scenario, place.contender + kind, to: ContenderName.plain))
      }
    }
  }

  /// P12, P20 and P21.
  static func scopes(cores: Int) -> [Bound] {
    [
      ofPlain("P12", "scope with one scoped object and its disposal", Scopes.name, ContenderName.container, 40),
      ofPlain("P20", "request with a graph of six objects", Requests.name, ContenderName.container, 11),
      ofPlain("P20", "request with a graph of four objects", SmallRequests.name, ContenderName.container, 14),
      Bound(
        row: "P20", what: "system calls and waits of a request",
        points: [
          Bound.Point("system calls", .value(.init(scenario: SystemCalls.name, contender: SystemCalls.request))),
          Bound.Point(
            "waits", .value(.init(scenario: SystemCalls.name, contender: SystemCalls.request, detail: .waits))),
        ], limit: .atMost(0), yardstick: "per request"),
      scaling(
        "P21", "scopes and requests, throughput of n tasks", 0.7, cores: cores,
        of: [
          "scope": (Scopes.name, ContenderName.container), "six objects": (Requests.name, ContenderName.container),
          "four objects": (SmallRequests.name, ContenderName.container),
        ]),
      ratio(
        "P26", "operation in the open scope of a key", ScopesByKey.name, ContenderName.container, to: ScopesByKey.use,
        1.5, "× by hand"),
      scaling(
        "P26", "operations in scopes of different keys, throughput of n tasks", 0.7, cores: cores,
        of: ["": (ScopesByKey.name, ContenderName.container)]),
    ]
  }
}
