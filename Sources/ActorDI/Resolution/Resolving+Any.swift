// Resolving by a type that is only known at run time.
extension Resolving {
  /// Resolves a service by a type that is a value.
  ///
  /// ```swift
  /// let screen: any Any.Type = route.screen
  /// let controller = try container.resolveAny(screen)
  /// ```
  ///
  /// - Parameter type: the service, as registered, or a relationship to one, such as `[Plugin].self`.
  /// - Returns: the instance, of that type; of an existential, what it holds.
  /// - Throws: as `resolve(_:)`.
  /// - Complexity: as the general case of `resolve(_:)`, and the cost of a call that is not specialised.
  /// - Concurrency: as `resolve(_:)`.
  public func resolveAny(_ type: any Any.Type) throws -> sending Any {
    nonisolated(unsafe) let service = try resolver.erased(type, key: nil)
    return unsafe service
  }

  /// Resolves a service by a type that is a value, suspending where it has to be built asynchronously.
  ///
  /// - Parameter type: the service, as registered, or a relationship to one.
  /// - Returns: the instance, of that type; of an existential, what it holds.
  /// - Throws: as the asynchronous form of `resolve(_:)`.
  /// - Concurrency: from any task.
  public func resolveAny(_ type: any Any.Type) async throws -> sending Any {
    nonisolated(unsafe) let service = try await resolver.erased(type, key: nil)
    return unsafe service
  }

  /// Resolves a keyed service by a type that is a value.
  ///
  /// - Parameters:
  ///   - type: the service, as registered, or a relationship to one.
  ///   - key: the key it is registered under.
  /// - Returns: the instance, of that type; of an existential, what it holds.
  /// - Throws: as `resolve(_:key:)`.
  /// - Concurrency: as `resolve(_:)`.
  public func resolveAny(
    _ type: any Any.Type, key: some Hashable & Sendable
  ) throws -> sending Any {
    nonisolated(unsafe) let service = try resolver.erased(type, key: Key.of(key))
    return unsafe service
  }

  /// Resolves a keyed service by a type that is a value, suspending where it has to be built asynchronously.
  ///
  /// - Parameters:
  ///   - type: the service, as registered, or a relationship to one.
  ///   - key: the key it is registered under.
  /// - Returns: the instance, of that type; of an existential, what it holds.
  /// - Throws: as the asynchronous form of `resolve(_:key:)`.
  /// - Concurrency: from any task.
  public func resolveAny(
    _ type: any Any.Type, key: some Hashable & Sendable
  ) async throws -> sending Any {
    nonisolated(unsafe) let service = try await resolver.erased(type, key: Key.of(key))
    return unsafe service
  }
}

extension Resolver {
  fileprivate func erased(_ type: any Any.Type, key: Key?) throws -> Any {
    try instance(of: ServiceIdentity(service: type, key: key), nil).anyValue
  }

  fileprivate func erased(_ type: any Any.Type, key: Key?) async throws -> Any {
    try await instance(of: ServiceIdentity(service: type, key: key), nil).anyValue
  }
}
