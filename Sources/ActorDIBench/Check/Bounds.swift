/// The bounds, one list for each row.
enum Bounds {
  /// All bounds for a machine with the given number of cores.
  static func all(cores: Int) -> [Bound] {
    warmSingleton + awaited + keyed + transient + graphs + unheld + borrowed + churn(cores: cores)
      + allocations + registering + amongOthers + scopes + crowd + handles + memory + coldStart
      + inherited + inheritedTransient + relationships + parameters + requests + parallelScopes + relativesAmong
      + inheritedChurn(cores: cores)
  }

  /// A bound on the ratio of two contenders of a scenario.
  static func ratio(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, to other: String, _ limit: Double,
    _ yardstick: String, lane: Int = 1
  ) -> Bound {
    Bound(
      row: row, what: what,
      figure: .ratio(
        .init(scenario: scenario, contender: contender, lane: lane),
        to: .init(scenario: scenario, contender: other, lane: lane)),
      limit: .atMost(limit), yardstick: yardstick)
  }

  /// A bound on a multiple of F, the `static let`.
  static func ofFloor(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, _ limit: Double, lane: Int = 1
  ) -> Bound {
    ratio(row, what, scenario, contender, to: ContenderName.staticLet, limit, "× F", lane: lane)
  }

  /// A bound on a multiple of C, the plain construction.
  static func ofPlain(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, _ limit: Double, lane: Int = 1
  ) -> Bound {
    ratio(row, what, scenario, contender, to: ContenderName.plain, limit, "× C", lane: lane)
  }

  static let warmSingleton = [1, 2, 4, 8].map { threads in
    ofFloor(
      "P1", "warm singleton, sync, \(Format.count(threads, "thread"))", WarmSingleton.name,
      ContenderName.container, 1.15, lane: threads)
  }

  static let awaited =
    [1, 2, 4, 64].map { tasks in
      ofFloor(
        "P2", "warm singleton, await, \(Format.count(tasks, "task"))", WarmSingletonAwait.name,
        ContenderName.container, 2, lane: tasks)
    } + [
      Bound(
        row: "P2", what: "warm singleton, await, 64 tasks not slower than 2",
        figure: .slowdown(
          .init(scenario: WarmSingletonAwait.name, contender: ContenderName.container, lane: 64),
          to: .init(
            scenario: WarmSingletonAwait.name, contender: ContenderName.container, lane: 2)),
        // Both wait for the same reference count, as the floor does, whose own two figures differ by up to four per cent.
        limit: .atMost(1.05), yardstick: "× its own at 2 tasks")
    ]

  static let keyed = [
    ("token", ContenderName.token, 1.3),
    ("string key", ContenderName.stringKey, 4),
    ("enum key", ContenderName.enumKey, 4),
  ].map { what, contender, limit in
    ofFloor("P3", "warm singleton by \(what), sync", Keyed.name, contender, limit)
  }

  static let transient = [
    ofPlain("P4", "transient, sync factory", Transient.name, ContenderName.container, 1.35)
  ]

  static let graphs = [Graph.name, Chain.name].flatMap { scenario in
    [
      ("autowired", ContenderName.autowired, 1.7), ("by factory closure", ContenderName.factory, 1.7),
      ("by factory closure, in .graph scope", ContenderName.graphScope, 16),
    ].map { what, contender, limit in
      ofPlain("P5", "\(scenario) of 10, \(what)", scenario, contender, limit)
    }
  }

  static let unheld = [
    ofPlain(
      "P5", "chain of 10, by factory closure, in .shared scope, unheld", UnheldChain.name, ContenderName.shared, 60)
  ]

  static let borrowed = [
    ofFloor("P6", "withResolved, 1 thread", WithResolved.name, ContenderName.borrowed, 0.6),
    Bound(
      row: "P6", what: "withResolved, throughput at 2 threads",
      figure: .bestThroughput(
        .init(scenario: WithResolved.name, contender: ContenderName.borrowed, lane: 2),
        of: .init(scenario: WithResolved.name, contender: ContenderName.borrowed, lane: 1)),
      limit: .atLeast(1.8), yardstick: "× its own at 1 thread", minimumCores: 2,
      freeCores: .init(
        figure: .bestThroughput(
          .init(scenario: WithResolved.name, contender: ContenderName.arithmetic, lane: 2),
          of: .init(scenario: WithResolved.name, contender: ContenderName.arithmetic, lane: 1)),
        atLeast: 1.9)),
  ]

  /// One reader, and the number of readers that leaves one core to the disturbing task.
  static func churn(cores: Int) -> [Bound] {
    Set([1, max(1, cores - 1)]).sorted().map { readers in
      Bound(
        row: "P7", what: "warm singleton under churn, \(Format.count(readers, "reader"))",
        figure: .throughput(
          .init(scenario: Churn.name, contender: Churn.churned, lane: readers),
          of: .init(scenario: Churn.name, contender: Churn.quiet, lane: readers)),
        limit: .atLeast(0.9), yardstick: "× quiet throughput", minimumCores: 2)
    }
  }

  static let handles = [
    ("warm singleton by provider", ContenderName.provider, 1.15),
    ("warm singleton by resolveIfReady", ContenderName.ready, 2),
    ("warm singleton by an injected property", Handles.injected, 12),
    ("warm singleton by a token with an argument", Handles.argument, 4),
    ("warm scoped service", ContenderName.scoped, 1.5),
    ("warm shared service", ContenderName.shared, 4),
  ].map { what, contender, limit in
    ofFloor("P14", "\(what), sync", Handles.name, contender, limit)
  }

  static let scopes = [
    ofPlain("P12", "withScope, one scoped object and its disposal", Scopes.name, ContenderName.container, 30),
    Bound(
      row: "P12", what: "heap allocations of a scope with one object and its disposal",
      figure: .value(.init(scenario: Allocations.name, contender: Allocations.withScope)),
      limit: .none, yardstick: "allocations"),
  ]

  static let allocations =
    [
      Allocations.sync, Allocations.await, Allocations.token, Allocations.stringKey,
      Allocations.enumKey, Allocations.borrowed,
    ].map { contender in
      Bound(
        row: "P8", what: contender,
        figure: .value(.init(scenario: Allocations.name, contender: contender)),
        limit: .atMost(0), yardstick: "allocations")
    }
    + [
      (Allocations.leaf, Allocations.plainLeaf),
      (Allocations.autowiredGraph, Allocations.plainGraph),
      (Allocations.factoryGraph, Allocations.plainGraph),
      (Allocations.autowiredChain, Allocations.plainChain),
      (Allocations.factoryChain, Allocations.plainChain),
    ].map { contender, plain in
      Bound(
        row: "P8", what: "\(contender), beyond the factory's own",
        figure: .excess(
          .init(scenario: Allocations.name, contender: contender),
          over: .init(scenario: Allocations.name, contender: plain)),
        limit: .atMost(0), yardstick: "allocations")
    }
}
