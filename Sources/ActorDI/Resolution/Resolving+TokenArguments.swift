// Emitted into the client and inlined, like the other forms of `resolve`.
extension Resolving {
  /// Resolves a service by a typed token, with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The type and key of the service; see ``ServiceKey``.
  ///   - arguments: The factory's arguments besides the resolver. Their types and order are part of the service's identity.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Concurrency: That of `resolve(_:)`.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, arguments: repeat each Argument
  ) throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(token, resolver.frame, signature: signature)
    if found.isKept { return found.hit(Service.self) }
    return try resolver.container.make(
      Service.self, found, resolver.frame, key: token.key, arguments: .of(repeat each arguments))
  }

  /// Resolves a service by a typed token, with run-time arguments, suspending if it is built asynchronously.
  ///
  /// - Parameters:
  ///   - token: The type and key of the service; see ``ServiceKey``.
  ///   - arguments: The factory's arguments besides the resolver. Their types and order are part of the service's identity.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Concurrency: Callable from any task.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, arguments: repeat each Argument
  ) async throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(token, resolver.frame, signature: signature)
    if found.isKept { return found.hit(Service.self) }
    return try await resolver.container.makeAsync(
      Service.self, found, resolver.frame, key: token.key, arguments: .of(repeat each arguments))
  }
}
