// The bounds for growing registries, for many concurrent tasks, for memory and for cold starts.
extension Bounds {
  /// P9, P10, P11, P13, P15, P16 and P22.
  static let many = registering + beside + beginnings

  private static let registering = [
    Bound(
      row: "P9", what: "registering 100 … 100,000 in one batch, slowest per service ÷ fastest",
      figure: .spread(sizes(Registering.name)), limit: .atMost(3), yardstick: "×"),
    Bound(
      row: "P9", what: "registering 10,000 in one batch, per service",
      figure: .value(.init(scenario: Registering.name, contender: ContenderName.container, lane: 10_000)),
      limit: .atMost(450), yardstick: "ns"),
    Bound(
      row: "P9", what: "heap retained by each registration",
      points: ManyServices.counts.map { count in
        Bound.Point(
          Format.count(count, "registration"),
          .value(
            .init(
              scenario: Registering.name, contender: ContenderName.container, lane: count, detail: .retained)))
      }, limit: .atMost(300), yardstick: "bytes"),
    Bound(
      row: "P10", what: "registering and resolving 100 … 100,000 in turn, growth of a step",
      figure: .growth(sizes(RegisteringInTurn.name)),
      limit: .below(0.5), yardstick: "as exponent of n, between any two sizes"),
  ]

  private static let beside = [
    among("P11", "existing singleton beside 100,000 registrations", ContenderName.container, 100_000),
    among("P22", "child of a container with 10,000 registrations, made and dropped", Among.child, 10_000),
  ]

  private static func among(_ row: String, _ what: String, _ contender: String, _ count: Int) -> Bound {
    let few = Among.counts[0]
    return Bound(
      row: row, what: what,
      figure: .ratio(
        .init(scenario: Among.name, contender: contender, lane: count),
        to: .init(scenario: Among.name, contender: contender, lane: few)),
      limit: .atMost(1.3), yardstick: "× beside \(few)")
  }

  private static let beginnings = [
    // The scenario itself checks that there is a single build.
    ratio(
      "P13", "first resolve by \(Format.count(FirstResolveTasks.crowd, "task"))", FirstResolveTasks.name,
      ContenderName.container, to: FirstResolveTasks.task, 3, "× Task.value", lane: FirstResolveTasks.crowd),
    Bound(
      row: "P15",
      what: "live heap over \(Format.grouped(String(MemoryUse.steps))) overrides and resets, last quarter",
      figure: .value(.init(scenario: MemoryUse.name, contender: ContenderName.container)),
      limit: .atMost(1.05), yardstick: "× the second quarter's"),
    Bound(
      row: "P16", what: "container with \(Format.count(ColdStart.count, "registration")), and its first resolve",
      points: [
        Bound.Point("by key", .value(.init(scenario: ColdStart.name, contender: ColdStart.keys))),
        Bound.Point("by type", .value(.init(scenario: ColdStart.name, contender: ColdStart.types))),
      ], limit: .atMost(1_000_000), yardstick: "ns"),
    // For a type that is new to the process, the Swift runtime's own time is a floor: see ``NewType``.
    Bound(
      row: "P16", what: "registering one new type, and its first resolve",
      figure: .excess(
        .init(scenario: NewType.name, contender: ContenderName.container),
        over: .init(scenario: NewType.name, contender: NewType.runtime)),
      limit: .atMost(4_000), yardstick: "ns beyond the Swift runtime's own"),
  ]

  private static func sizes(_ scenario: String) -> [Bound.Subject] {
    ManyServices.counts.map { .init(scenario: scenario, contender: ContenderName.container, lane: $0) }
  }
}
