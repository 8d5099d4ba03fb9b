public import ActorDI
public import Testing

extension Registration {
  /// Returns a registration that fails the test when it is resolved. The issue contains the resolution path.
  ///
  /// ```swift
  /// @Test(.container { Registration.unimplemented((any Payments).self) })
  /// func browsingCostsNothing() async throws { … }
  /// ```
  ///
  /// The issue belongs to the running test. An asynchronous factory of a singleton or shared service runs in a task of the container
  /// without the test's task-locals. If such a factory resolves the service, the trait records the issue at the end of the test.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - sourceLocation: The location of the issue.
  /// - Returns: A transient registration. Resolving it throws an ``UnimplementedServiceError``.
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

/// The error of resolving an unimplemented service; see ``ActorDI/Registration/unimplemented(_:sourceLocation:)``.
public struct UnimplementedServiceError: Error, CustomStringConvertible {
  /// The type of the service.
  public let service: String

  /// The services under construction, from the root to this one.
  public let path: [String]

  /// A message with the service and the resolution path.
  public var description: String {
    let way = path.count > 1 ? " Resolution path: \(path.joined(separator: " -> "))" : ""
    return "\(service) is not implemented for this test, but was resolved.\(way)"
  }
}
