/// How a container behaves where a registration does not say.
public struct Configuration: Sendable {
  /// The scope of registrations that name none. A service that is not Sendable is transient all the same.
  public var defaultScope: Scope

  /// What happens when an identity is registered that is registered already.
  public var duplicates: DuplicatePolicy

  /// Tells when a kept instance has reached its time to live, for registrations that name no clock of their own; see
  /// ``Registration/timeToLive(_:clock:)``.
  public var clock: any Clock<Duration>

  /// A configuration.
  ///
  /// - Parameters:
  ///   - defaultScope: the scope of registrations that name none.
  ///   - duplicates: what happens when an identity is registered again.
  ///   - clock: tells when a kept instance has reached its time to live.
  public init(
    defaultScope: Scope = .transient, duplicates: DuplicatePolicy = .replace,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.defaultScope = defaultScope
    self.duplicates = duplicates
    self.clock = clock
  }
}

/// What happens when an identity is registered that is registered already.
public struct DuplicatePolicy: Sendable, Hashable {
  enum Kind { case replace, error }
  let kind: Kind

  /// The last registration wins; the earlier one's kept instance is not handed out any more.
  public static let replace = DuplicatePolicy(kind: .replace)

  /// Registering fails with ``ResolutionError/Code/duplicate``.
  public static let error = DuplicatePolicy(kind: .error)
}
