extension Resolving {
  /// Resolves what a typed token names with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: says both type and key; see ``ServiceKey``.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Concurrency: as `resolve(_:)`.
  public func resolve<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, arguments: repeat each Argument
  ) throws -> sending Service {
    let key = token.key
    nonisolated(unsafe) let service: Service = try resolver.makeWithArguments(
      Service.self, nil, key: key, arguments: repeat each arguments)
    return unsafe service
  }

  /// Resolves what a typed token names with run-time arguments, suspending where it has to be built asynchronously.
  ///
  /// - Parameters:
  ///   - token: says both type and key; see ``ServiceKey``.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: as the form by type.
  public func resolve<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, arguments: repeat each Argument
  ) async throws -> sending Service {
    let key = token.key
    nonisolated(unsafe) let service: Service = try await resolver.makeWithArguments(
      Service.self, nil, key: key, arguments: repeat each arguments)
    return unsafe service
  }
}
