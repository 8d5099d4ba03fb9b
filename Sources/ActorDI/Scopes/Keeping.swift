/// A registration's options for its kept instances, besides the scope.
struct Keeping: Sendable {
  /// Whether each tuple of run-time arguments has its own instance.
  var isPerArguments = false
  var timeToLive: TimeToLive?

  /// The maximum age of an instance.
  struct TimeToLive: Sendable {
    let duration: Duration
    /// The user's clock that measures the age; nil for the container's clock.
    let clock: (any Clock<Duration>)?
  }

  init() {}

  /// Combines the options of several registrations that together provide one service.
  init(merging parts: [Keeping]) {
    isPerArguments = parts.contains(where: \.isPerArguments)
    timeToLive = parts.compactMap(\.timeToLive).min { $0.duration < $1.duration }
  }

  /// The reason why the options do not fit a service and its scope; nil if they fit.
  func reason(against identity: ServiceIdentity, _ scope: Scope) -> String? {
    if isPerArguments {
      if !identity.takesArguments {
        return "It is kept per arguments, but its factory takes none: remove perArguments()."
      }
      let others = identity.arguments.filter { !($0 is any Hashable.Type) }
      if !others.isEmpty {
        let list = others.map { TypeName.short($0) }.joined(separator: ", ")
        return
          "It is kept per arguments, but these are not Hashable: \(list). Make them Hashable, or remove perArguments()."
      }
    }
    if scope.poolLimit != nil, isPerArguments || timeToLive != nil {
      let option = isPerArguments ? "perArguments()" : "timeToLive(_:)"
      return "It is pooled, and a pool does not distinguish instances by arguments or age: remove \(option)."
    }
    guard timeToLive != nil, !scope.policy.isKept else { return nil }
    return "It has a time to live, but the scope \(scope) keeps no instance. "
      + "Give it a scope that keeps instances, or remove timeToLive(_:)."
  }
}
