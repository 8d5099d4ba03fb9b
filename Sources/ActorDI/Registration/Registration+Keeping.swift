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
