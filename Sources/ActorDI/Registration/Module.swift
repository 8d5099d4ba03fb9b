/// Registrations that belong together, as a type of its own.
///
/// ```swift
/// struct MetricsModule: Module {
///   var registrations: Registrations {
///     Registration((any Metrics).self, scope: .singleton) { _ in StatsD() }
///   }
/// }
///
/// let container = Container { MetricsModule() }
/// ```
public protocol Module: Sendable {
  /// What the module registers.
  @RegistrationBuilder var registrations: Registrations { get }

  /// Runs when everything in the same batch is registered: other modules' services can be resolved.
  ///
  /// - Parameter container: the container that was registered in.
  /// - Throws: whatever makes the registration fail for its caller; what was registered stays.
  func didLoad(_ container: Container) async throws
}

extension Module {
  /// Nothing to do.
  public func didLoad(_ container: Container) async throws {}
}
