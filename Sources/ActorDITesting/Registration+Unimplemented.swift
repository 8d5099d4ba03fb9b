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
  /// An `@Injected var` cannot throw: it records the issue, and ends the process with the same text. Where the code under test has
  /// such a property, use ``unimplemented(_:placeholder:sourceLocation:)``, or declare the property as `let … = Injected<…>()`.
  ///
  /// The file must also `import Testing`.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - sourceLocation: The location of the issue.
  /// - Returns: A transient registration. Resolving it throws an ``UnimplementedServiceError``.
  public static func unimplemented(
    _ service: Service.Type = Service.self, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Registration {
    Registration(service, factory: failing(at: sourceLocation) { throw $0 }).dependsOn()
  }

  /// Returns a registration that fails the test when it is resolved, and then yields a placeholder. The issue contains the resolution
  /// path.
  ///
  /// ```swift
  /// @Test(.container { Registration.unimplemented((any Payments).self, placeholder: NoPayments()) })
  /// func browsingCostsNothing() async throws { … }
  /// ```
  ///
  /// Because no resolve throws, the test continues, and an `@Injected var` gets a value. The file must also `import Testing`.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - placeholder: Evaluated at each resolve.
  ///   - sourceLocation: The location of the issue.
  /// - Returns: A transient registration.
  public static func unimplemented(
    _ service: Service.Type = Service.self,
    placeholder: @autoclosure @escaping @Sendable () -> sending Service,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Registration {
    Registration(service, factory: failing(at: sourceLocation) { _ in placeholder() }).dependsOn()
  }

  /// A factory that notes an issue before it yields a result.
  private static func failing(
    at sourceLocation: SourceLocation,
    then result: @escaping @Sendable (UnimplementedServiceError) throws -> sending Service
  ) -> @Sendable (Resolver) throws -> sending Service {
    let uses = ForbiddenUses.current
    return { resolver in
      let path = resolver.context?.path ?? []
      let error = UnimplementedServiceError(
        service: path.last ?? "\(Service.self)", path: path, ForbiddenUse(at: sourceLocation))
      if let uses { uses.note(error) } else { error.recordNow() }
      return try result(error)
    }
  }
}

/// The error of resolving an unimplemented service; see ``ActorDI/Registration/unimplemented(_:sourceLocation:)``.
public struct UnimplementedServiceError: Error, CustomStringConvertible {
  /// The service, as in the path.
  public let service: String

  /// The services under construction, from the root to this one.
  public let path: [String]

  private let use: ForbiddenUse

  init(service: String, path: [String], _ use: ForbiddenUse) {
    self.service = service
    self.path = path
    self.use = use
  }

  /// A message with the service and the resolution path.
  public var description: String {
    let way = path.count > 1 ? " Resolution path: \(path.joined(separator: " -> "))" : ""
    return "\(service) is not implemented for this test, but was resolved.\(way)"
  }
}

extension UnimplementedServiceError: IssueOfTest {
  package func recordNow() { use.record(self) }
}
