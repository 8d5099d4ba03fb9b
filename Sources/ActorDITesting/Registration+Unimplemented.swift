public import ActorDI
public import Testing

extension Registration {
  /// A registration of something that the test does not expect to be used: to resolve it fails the test, with the path that led
  /// there.
  ///
  /// ```swift
  /// @Test(.container { Registration.unimplemented((any Payments).self) })
  /// func browsingCostsNothing() async throws { … }
  /// ```
  ///
  /// The issue is the running test's, also if the service is asked for by the factory of a kept one, which runs in a task of the
  /// container's: it is recorded at the end of the test then.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - sourceLocation: where the issue is shown.
  /// - Returns: the registration, transient. To resolve it throws an ``UnimplementedServiceError``.
  public static func unimplemented(
    _ service: Service.Type = Service.self, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Registration {
    let name = "\(service)"
    let services = UnimplementedServices.current
    return Registration(service) { resolver in
      let error = UnimplementedServiceError(service: name, path: resolver.context?.path ?? [])
      UnimplementedServices.note(error, at: sourceLocation, in: services)
      throw error
    }
    .dependsOn()
  }
}

/// That a test has resolved what it was not expected to: ``ActorDI/Registration/unimplemented(_:sourceLocation:)``.
public struct UnimplementedServiceError: Error, CustomStringConvertible {
  /// The type of the service.
  public let service: String

  /// The services under construction, from the root to this one.
  public let path: [String]

  /// What was resolved, and for whom.
  public var description: String {
    let way = path.count > 1 ? " Resolution path: \(path.joined(separator: " -> "))" : ""
    return "\(service) is not implemented for this test, but was resolved.\(way)"
  }
}
