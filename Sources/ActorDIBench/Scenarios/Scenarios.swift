/// The scenarios, in the order of measurement and reporting.
enum Scenarios {
  static let all: [any Scenario] = [
    WarmSingleton(),
    WarmSingletonAwait(),
    Keyed(),
    Handles(),
    Transient(),
    Graph(),
    Chain(),
    UnheldChain(),
    InheritedSingleton(),
    InheritedSingletonAwait(),
    InheritedKeyed(),
    LinkedSingleton(),
    InheritedTransient(),
    InheritedGraph(),
    InheritedChain(),
    Relationships(),
    Parameters(),
    Scopes(),
    Requests(),
    ScopedParameters(),
    AsyncFactories(),
    WithResolved(),
    FirstResolveThreads(),
    FirstResolveTasks(),
    FirstResolveCrowd(),
    Registering(),
    RegisteringTypes(),
    RegisteringInTurn(),
    Among(),
    RelativesAmong(),
    ColdStart(),
    NewType(),
    NewTypeInProcess(),
    Churn(),
    InheritedChurn(),
    MemoryUse(),
    Latency(),
    Observed(),
    Allocations(),
    SystemCalls(),
  ]

  static func named(_ name: String) -> (any Scenario)? {
    all.first { $0.name == name }
  }
}
