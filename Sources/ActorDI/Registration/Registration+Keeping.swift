// How kept instances are told apart, and when they end before their scope does.

extension Registration where Service: Sendable {
  /// Keeps one instance for each tuple of argument values, rather than the first one for all.
  ///
  /// ```swift
  /// Registration(Avatar.self, scope: .shared) { (r, user: User.ID) in
  ///   try await Avatar(of: user, from: r.resolve())
  /// }
  /// .perArguments()
  /// ```
  ///
  /// All arguments have to be Hashable, which is checked when the service is registered. Their `hash` and `==` are called by each
  /// resolve. A tuple that is not equal to itself, as one with a NaN in it, gets a new instance each time.
  ///
  /// A ``Scope/singleton`` keeps what it has for every tuple it was ever resolved with, until it is reset: where they are many,
  /// use ``Scope/shared`` or ``timeToLive(_:clock:)``. A ``Scope/transient`` keeps nothing, and is not affected.
  ///
  /// - Returns: the changed copy. Registering it throws ``ResolutionError/Code/invalidRegistration`` if it takes no run-time
  ///   arguments, or some that are not Hashable.
  public consuming func perArguments() -> Self {
    describing { $0.keeping.isPerArguments = true }
  }

  /// Drops a kept instance when it has reached an age: the next resolve after that builds a new one.
  ///
  /// ```swift
  /// Registration(ExchangeRates.self, scope: .singleton) { r in
  ///   try await ExchangeRates.load(from: r.resolve())
  /// }
  /// .timeToLive(.seconds(600))
  /// ```
  ///
  /// The age counts from the end of the factory and the hooks. It is looked at when somebody resolves; until its successor is
  /// there, or it is reset, the container still holds what has expired. Those who hold an instance keep it. In a weak scope it
  /// ends when nobody holds it any more, or with its time, whichever is first. With a duration of zero or less each resolve
  /// builds anew.
  ///
  /// Each resolve reads the clock and takes a lock, which a resolve of an instance that does not expire never does.
  ///
  /// - Parameters:
  ///   - duration: how old an instance may get.
  ///   - clock: what the age is measured with; ``Container/Configuration/clock`` if left out. It is read by each resolve, and must not
  ///     resolve the service itself.
  /// - Returns: the changed copy. Registering it throws ``ResolutionError/Code/invalidRegistration`` if its scope keeps nothing
  ///   beyond a call, as ``Scope/transient`` and ``Scope/graph``.
  public consuming func timeToLive(_ duration: Duration, clock: (any Clock<Duration>)? = nil) -> Self {
    describing { $0.keeping.timeToLive = Keeping.TimeToLive(duration: duration, clock: clock) }
  }
}

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
