/// What a registration says of its kept instances, beside the scope.
struct Keeping: Sendable {
  struct TimeToLive: Sendable {
    let duration: Duration
    /// Nil: the container's.
    let clock: (any Clock<Duration>)?
  }

  /// Whether each tuple of run-time arguments has an instance of its own.
  var isPerArguments = false
  var timeToLive: TimeToLive?

  init() {}

  /// What satisfies several registrations that stand for one service.
  init(merging parts: [Keeping]) {
    isPerArguments = parts.contains(where: \.isPerArguments)
    timeToLive = parts.compactMap(\.timeToLive).min { $0.duration < $1.duration }
  }

  /// Why a service cannot be kept like this; nil when it can.
  func fault(
    of identity: ServiceIdentity, in scope: Scope, _ source: RegistrationSource
  ) -> ResolutionError? {
    reason(against: identity, scope).map { .invalidRegistration(identity, source, $0) }
  }

  private func reason(against identity: ServiceIdentity, _ scope: Scope) -> String? {
    if isPerArguments {
      if !identity.takesArguments {
        return "Its factory takes no run-time arguments: remove perArguments()."
      }
      let others = identity.arguments.filter { !($0 is any Hashable.Type) }
      if !others.isEmpty {
        let list = others.map { TypeName.short($0) }.joined(separator: ", ")
        return "Not Hashable: \(list). Make it so, or remove perArguments()."
      }
    }
    guard timeToLive != nil, !scope.isKept else { return nil }
    return "It has a time to live, but in the scope \(scope) nothing is kept that could expire. "
      + "Give it a scope that keeps instances, or remove timeToLive(_:)."
  }
}
