/// The findings about a container's registrations that are no problems.
public struct ValidationReport: Sendable {
  /// Registrations whose dependencies are unknown, in order: factory closures without `dependsOn(_:)`.
  public let opaque: [RegistrationInfo]

  /// Unregistered dependencies of services that live in scopes.
  ///
  /// Each scope has to register them, as a server registers the request in each ``Container/withScope(_:_:operation:)``.
  public let expectedFromScopes: [RegistrationInfo.Dependency]

  /// Registrations that a later one of the same batch has replaced, because both have the same type, arguments and key.
  ///
  /// In one builder, the second of them is often a mistake: a key is missing, or the first is a leftover. A batch is the builder of one
  /// call, with its modules and groups. A replacement by a later call, as in a test, is not listed; neither is an
  /// ``Registration/alternative()``, which stands beside the others.
  ///
  /// To forbid replacements altogether, set ``Container/Configuration/duplicates`` to ``DuplicatePolicy/error``.
  public let replaced: [Replacement]

  /// A registration that another one has replaced.
  public struct Replacement: Sendable, CustomStringConvertible {
    /// The earlier registration, which no resolve finds.
    public let replaced: RegistrationInfo

    /// The later registration, which stands in its place.
    public let standing: RegistrationInfo

    /// A line with both, for example `Store, singleton, at App/Services.swift:12, is replaced at App/Services.swift:31`.
    public var description: String { "\(replaced), is replaced at \(standing.source)" }
  }
}
