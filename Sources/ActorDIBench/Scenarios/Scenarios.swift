/// The scenarios, in the order of measurement and reporting.
enum Scenarios {
  static let all: [any Scenario] = [
    WarmSingleton(),
    WarmSingletonAwait(),
    WithResolved(),
    Keyed(),
    Handles(),
    Transient(),
    Graph(),
    Chain(),
    Parameters(),
    Scopes(),
    Requests(),
    SmallRequests(),
    ScopesByKey(),
    FirstResolveTasks(),
    Registering(),
    RegisteringInTurn(),
    Among(),
    ColdStart(),
    NewType(),
    Churn(),
    MemoryUse(),
    Latency(),
    Observed(),
    Allocations(),
    SystemCalls(),
    FormTimes(), SharedCounts(), ValueSizes(), Collections(), MissingErrors(), OverridesTogether(),
  ]

  static func named(_ name: String) -> (any Scenario)? {
    all.first { $0.name == name }
  }
}
