/// Registrations that share a condition, a scope or a key.
///
/// ```swift
/// RegistrationGroup(enabled: flags.metrics, scope: .singleton) {
///   Registration((any Metrics).self) { _ in StatsD() }
///   Registration((any Tracer).self) { _ in Tracer() }
/// }
/// ```
public struct RegistrationGroup: Sendable {
  let registrations: Registrations

  /// A group.
  ///
  /// - Parameters:
  ///   - enabled: whether its members are registered at all.
  ///   - scope: the scope of members that name none.
  ///   - registrations: the members.
  public init(
    enabled: Bool = true, scope: Scope? = nil,
    @RegistrationBuilder _ registrations: () -> Registrations
  ) {
    self.init(enabled, scope, nil, registrations)
  }

  /// A group under a key.
  ///
  /// - Parameters:
  ///   - enabled: whether its members are registered at all.
  ///   - scope: the scope of members that name none.
  ///   - key: the key of members that have none.
  ///   - registrations: the members.
  public init(
    enabled: Bool = true, scope: Scope? = nil, key: some Hashable & Sendable,
    @RegistrationBuilder _ registrations: () -> Registrations
  ) {
    self.init(enabled, scope, Key.of(key), registrations)
  }

  private init(
    _ enabled: Bool, _ scope: Scope?, _ key: Key?, _ registrations: () -> Registrations
  ) {
    guard enabled else {
      self.registrations = Registrations()
      return
    }
    self.registrations = registrations().completed(scope: scope, key: key)
  }
}

extension RegistrationBuilder {
  /// A group's members.
  public static func buildExpression(_ group: RegistrationGroup) -> Registrations {
    group.registrations
  }
}
