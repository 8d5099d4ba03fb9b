/// The bounds, one list for each row.
enum Bounds {
  /// All bounds for a machine with the given number of cores.
  static func all(cores: Int) -> [Bound] {
    warmSingleton + awaited + keyed + transient + graphs + unheld + borrowed + churn(cores: cores)
      + allocations + registering + amongOthers + scopes + crowd + handles + memory + coldStart
      + inherited + inheritedTransient + relationships + parameters + requests + parallelScopes + relativesAmong
      + inheritedChurn(cores: cores)
  }

  private static let f = "× F"
  private static let c = "× C"

  static let warmSingleton = [1, 2, 4, 8].map { threads in
    Bound(
      row: "P1", what: "warm singleton, sync, \(Format.count(threads, "thread"))",
      figure: .ratio(
        .init(
          scenario: WarmSingleton.name, contender: ContenderName.container, lane: threads),
        to: .init(
          scenario: WarmSingleton.name, contender: ContenderName.staticLet, lane: threads)),
      limit: .atMost(1.15), yardstick: f)
  }

  static let awaited =
    [1, 2, 4, 64].map { tasks in
      Bound(
        row: "P2", what: "warm singleton, await, \(Format.count(tasks, "task"))",
        figure: .ratio(
          .init(
            scenario: WarmSingletonAwait.name, contender: ContenderName.container, lane: tasks),
          to: .init(
            scenario: WarmSingletonAwait.name, contender: ContenderName.staticLet, lane: tasks)),
        limit: .atMost(2), yardstick: f)
    } + [
      Bound(
        row: "P2", what: "warm singleton, await, 64 tasks not slower than 2",
        figure: .slowdown(
          .init(scenario: WarmSingletonAwait.name, contender: ContenderName.container, lane: 64),
          to: .init(
            scenario: WarmSingletonAwait.name, contender: ContenderName.container, lane: 2)),
        limit: .atMost(1), yardstick: "× its own at 2 tasks")
    ]

  static let keyed = [
    ("token", ContenderName.token, 1.3),
    ("string key", ContenderName.stringKey, 4),
    ("enum key", ContenderName.enumKey, 4),
  ].map { what, contender, limit in
    Bound(
      row: "P3", what: "warm singleton by \(what), sync",
      figure: .ratio(
        .init(scenario: Keyed.name, contender: contender),
        to: .init(scenario: Keyed.name, contender: ContenderName.staticLet)),
      limit: .atMost(limit), yardstick: f)
  }

  static let transient = [
    Bound(
      row: "P4", what: "transient, sync factory",
      figure: .ratio(
        .init(scenario: Transient.name, contender: ContenderName.container),
        to: .init(scenario: Transient.name, contender: ContenderName.plain)),
      limit: .atMost(1.35), yardstick: c)
  ]

  static let graphs = [Graph.name, Chain.name].flatMap { scenario in
    [
      ("autowired", ContenderName.autowired, 1.7), ("by factory closure", ContenderName.factory, 1.7),
      ("by factory closure, in .graph scope", ContenderName.graphScope, 16),
    ].map { what, contender, limit in
      Bound(
        row: "P5", what: "\(scenario) of 10, \(what)",
        figure: .ratio(
          .init(scenario: scenario, contender: contender),
          to: .init(scenario: scenario, contender: ContenderName.plain)),
        limit: .atMost(limit), yardstick: c)
    }
  }

  static let unheld = [
    Bound(
      row: "P5", what: "chain of 10, by factory closure, in .shared scope, unheld",
      figure: .ratio(
        .init(scenario: UnheldChain.name, contender: ContenderName.shared),
        to: .init(scenario: UnheldChain.name, contender: ContenderName.plain)),
      limit: .atMost(60), yardstick: c)
  ]

  static let borrowed = [
    Bound(
      row: "P6", what: "withResolved, 1 thread",
      figure: .ratio(
        .init(scenario: WithResolved.name, contender: ContenderName.borrowed),
        to: .init(scenario: WithResolved.name, contender: ContenderName.staticLet)),
      limit: .atMost(0.6), yardstick: f),
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
    Bound(
      row: "P14", what: "\(what), sync",
      figure: .ratio(
        .init(scenario: Handles.name, contender: contender),
        to: .init(scenario: Handles.name, contender: ContenderName.staticLet)),
      limit: .atMost(limit), yardstick: f)
  }

  static let scopes = [
    Bound(
      row: "P12", what: "withScope, one scoped object and its disposal",
      figure: .ratio(
        .init(scenario: Scopes.name, contender: ContenderName.container),
        to: .init(scenario: Scopes.name, contender: ContenderName.plain)),
      limit: .atMost(30), yardstick: c),
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
