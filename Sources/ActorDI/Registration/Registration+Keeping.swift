// Instances per argument values, and their expiry.

extension Registration where Service: Sendable {
  /// Keeps one instance for each tuple of argument values.
  ///
  /// Without this modifier, a kept instance is built with the arguments of the first resolve and returned for all others.
  ///
  /// ```swift
  /// Registration(Avatar.self, scope: .shared) { (r, user: User.ID) in
  ///   try await Avatar(of: user, from: r.resolve())
  /// }
  /// .perArguments()
  /// ```
  ///
  /// All arguments must be Hashable; the container checks this when the service is registered. Each resolve calls their `hash` and
  /// `==`. A tuple that is not equal to itself, such as one with a NaN, gets a new instance each time.
  ///
  /// A ``Scope/singleton`` keeps the instance of every tuple until it is reset. For many tuples, use ``Scope/shared`` or
  /// ``timeToLive(_:clock:)``. A ``Scope/transient`` keeps nothing and is not affected.
  ///
  /// - Returns: The changed copy. Registering it throws ``ResolutionError/Code/invalidRegistration`` if it takes no run-time
  ///   arguments, if an argument is not Hashable, or if the service is pooled.
  public consuming func perArguments() -> Self { describing { $0.options.keeping.isPerArguments = true } }

  /// Drops a kept instance when it reaches an age. The next resolve builds a new one.
  ///
  /// ```swift
  /// Registration(ExchangeRates.self, scope: .singleton) { r in
  ///   try await ExchangeRates.load(from: r.resolve())
  /// }
  /// .timeToLive(.seconds(600))
  /// ```
  ///
  /// The age counts from the end of the factory and the hooks. Only a resolve checks it: the container holds an expired instance
  /// until its successor is built, or until a reset. References held elsewhere stay valid. In a weak scope, an instance ends when its
  /// last reference is dropped or when it expires, whichever comes first. A decorated instance expires with the one that it wraps, in
  /// whichever container it is decorated. With a duration of zero or less, each resolve builds a new instance.
  ///
  /// Each resolve reads the clock and takes a lock. A resolve of an existing instance without a time to live does neither.
  ///
  /// - Parameters:
  ///   - duration: The maximum age of an instance.
  ///   - clock: The clock that measures the age; ``Container/Configuration/clock`` if omitted. Each resolve reads it, so it must not
  ///     resolve the service itself.
  /// - Returns: The changed copy. Registering it throws ``ResolutionError/Code/invalidRegistration`` if its scope keeps nothing
  ///   beyond a call, as ``Scope/transient`` and ``Scope/graph``, or if the service is pooled.
  public consuming func timeToLive(_ duration: Duration, clock: (any Clock<Duration>)? = nil) -> Self {
    describing { $0.options.keeping.timeToLive = Keeping.TimeToLive(duration: duration, clock: clock) }
  }
}
