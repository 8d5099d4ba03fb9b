/// The scenarios, in the order in which they are measured and reported.
enum Scenarios {
  static let all: [any Scenario] = [
    WarmSingleton(),
    WarmSingletonAwait(),
    Keyed(),
    Handles(),
    Transient(),
    Graph(),
    Chain(),
    Scopes(),
    WithResolved(),
    FirstResolveThreads(),
    FirstResolveTasks(),
    FirstResolveCrowd(),
    Registering(),
    RegisteringTypes(),
    RegisteringInTurn(),
    Among(),
    ColdStart(),
    NewType(),
    NewTypeInProcess(),
    Churn(),
    MemoryUse(),
    Latency(),
    Observed(),
    Allocations(),
  ]

  static func named(_ name: String) -> (any Scenario)? {
    all.first { $0.name == name }
  }
}
