// The bounds for growing registries, for many concurrent tasks, for memory and for cold starts.
extension Bounds {
  /// P9 and P10.
  static let registering =
    [
      Bound(
        row: "P9", what: "registering 100 … 100,000 in one batch, slowest per service ÷ fastest",
        figure: .spread(sizes(ManyServices.counts, Registering.name)),
        limit: .atMost(3), yardstick: "×"),
      Bound(
        row: "P9", what: "registering 10,000 in one batch, per service",
        figure: .value(
          .init(scenario: Registering.name, contender: ContenderName.container, lane: 10_000)),
        limit: .atMost(400), yardstick: "ns"),
    ]
    + ManyServices.counts.map { count in
      Bound(
        row: "P9", what: "heap retained by each of \(Format.count(count, "registration"))",
        figure: .value(
          .init(
            scenario: Registering.name, contender: ContenderName.container, lane: count,
            detail: .retained)),
        limit: .atMost(300), yardstick: "bytes")
    } + [
      Bound(
        row: "P9", what: "registering 10,000 types in one batch, per service",
        figure: .value(
          .init(scenario: RegisteringTypes.name, contender: ContenderName.container, lane: 10_000)),
        limit: .none, yardstick: "ns"),
      Bound(
        row: "P10", what: "registering and resolving 100 … 100,000 in turn, growth of a step",
        figure: .growth(sizes(ManyServices.counts, RegisteringInTurn.name)),
        limit: .below(0.5), yardstick: "as exponent of n, between any two sizes"),
    ]

  /// P11.
  static let amongOthers = Among.counts.dropFirst().map { count in
    Bound(
      row: "P11", what: "warm singleton, sync, next to \(Format.count(count, "registration"))",
      figure: .ratio(
        .init(scenario: Among.name, contender: ContenderName.container, lane: count),
        to: .init(scenario: Among.name, contender: ContenderName.container, lane: Among.counts[0])),
      limit: .atMost(1.3), yardstick: "× its own next to \(Among.counts[0])")
  }

  /// P13. The scenarios themselves check that there is a single build.
  static let crowd = [
    ("instant build", FirstResolveTasks.name),
    ("build that waits for all tasks", FirstResolveCrowd.name),
  ].map { what, scenario in
    Bound(
      row: "P13", what: "first resolve by \(Format.count(FirstResolveTasks.crowd, "task")), \(what)",
      figure: .ratio(
        .init(
          scenario: scenario, contender: ContenderName.container, lane: FirstResolveTasks.crowd),
        to: .init(scenario: scenario, contender: FirstResolveTasks.task, lane: FirstResolveTasks.crowd)),
      limit: .atMost(3), yardstick: "× Task.value")
  }

  /// P15.
  static let memory = [
    Bound(
      row: "P15",
      what: "live heap over \(Format.grouped(String(MemoryUse.steps))) overrides and resets, last quarter",
      figure: .value(.init(scenario: MemoryUse.name, contender: ContenderName.container)),
      limit: .within(0.95...1.05), yardstick: "× the second quarter's")
  ]

  /// P16.
  ///
  /// For a type that is new to the process, the Swift runtime's own time is a floor: see ``NewTypeInProcess``.
  static let coldStart = [
    Bound(
      row: "P16", what: "creating a container with 1,000 registrations, and its first resolve",
      figure: .value(.init(scenario: ColdStart.name, contender: ColdStart.keys)), limit: .atMost(1_000_000),
      yardstick: "ns"),
    Bound(
      row: "P16", what: "registering one service, and its first resolve, type new to the container",
      figure: .value(.init(scenario: NewType.name, contender: ContenderName.container)),
      limit: .atMost(2_000), yardstick: "ns"),
    Bound(
      row: "P16", what: "registering one service, and its first resolve, type new to the process",
      figure: .excess(newToProcess(ContenderName.container), over: newToProcess(NewTypeInProcess.runtime)),
      limit: .atMost(2_000), yardstick: "ns beyond the Swift runtime's own"),
    Bound(
      row: "P16", what: "registering one service, and its first resolve, type new to the process, in total",
      figure: .value(newToProcess(ContenderName.container)), limit: .none, yardstick: "ns"),
  ]

  private static func newToProcess(_ contender: String) -> Bound.Subject {
    Bound.Subject(scenario: NewTypeInProcess.name, contender: contender)
  }

  private static func sizes(_ counts: [Int], _ scenario: String) -> [Bound.Subject] {
    counts.map { .init(scenario: scenario, contender: ContenderName.container, lane: $0) }
  }
}
