/// Registrations that share a condition, a scope or a key.
///
/// ```swift
/// RegistrationGroup(enabled: flags.metrics, scope: .singleton) {
///   Registration(autowired: (any Statistics).self) { StatsD() }
///   Registration(autowired: (any Tracer).self) { Tracer() }
/// }
/// ```
public struct RegistrationGroup: Sendable {
  let registrations: Registrations

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - enabled: Whether the members are registered.
  ///   - scope: The scope of members without a scope of their own.
  ///   - registrations: The members.
  public init(enabled: Bool = true, scope: Scope? = nil, @RegistrationBuilder _ registrations: () -> Registrations) {
    self.init(enabled, scope, nil, registrations)
  }

  /// Creates a group whose members share a key.
  ///
  /// - Parameters:
  ///   - enabled: Whether the members are registered.
  ///   - scope: The scope of members without a scope of their own.
  ///   - key: The key of members without a key of their own.
  ///   - registrations: The members.
  public init(
    enabled: Bool = true, scope: Scope? = nil, key: some Hashable & Sendable,
    @RegistrationBuilder _ registrations: () -> Registrations
  ) {
    self.init(enabled, scope, Key.of(key), registrations)
  }

  private init(_ enabled: Bool, _ scope: Scope?, _ key: Key?, _ registrations: () -> Registrations) {
    self.registrations = enabled ? registrations().completed(scope: scope, key: key) : Registrations()
  }
}

extension RegistrationBuilder {
  /// Adds the members of a group.
  @_disfavoredOverload
  public static func buildExpression(_ group: RegistrationGroup) -> Registrations { group.registrations }
}
