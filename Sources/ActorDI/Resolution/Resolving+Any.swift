// Resolving by a type that is known only at run time.
extension Resolving {
  /// Resolves a service by a type that is a run-time value.
  ///
  /// ```swift
  /// let screen: any Any.Type = route.screen
  /// let controller = try container.resolveAny(screen)
  /// ```
  ///
  /// - Parameter type: The service type, as registered, or a relationship type such as `[Plugin].self`.
  /// - Returns: The instance, of the given type; for an existential type, the value it contains.
  /// - Throws: The errors of `resolve(_:)`.
  /// - Complexity: That of `resolve(_:)` in unspecialised code.
  /// - Concurrency: That of `resolve(_:)`.
  public func resolveAny(_ type: any Any.Type) throws -> sending Any { try resolve(type) }

  /// Resolves a service by a type that is a run-time value, suspending if it is built asynchronously.
  ///
  /// - Parameter type: The service type, as registered, or a relationship type.
  /// - Returns: The instance, of the given type; for an existential type, the value it contains.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Concurrency: Callable from any task.
  public func resolveAny(_ type: any Any.Type) async throws -> sending Any { try await resolve(type) }

  /// Resolves a keyed service by a type that is a run-time value.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered, or a relationship type.
  ///   - key: The key that the service is registered under.
  /// - Returns: The instance, of the given type; for an existential type, the value it contains.
  /// - Throws: The errors of `resolve(_:key:)`.
  /// - Concurrency: That of `resolve(_:)`.
  public func resolveAny(_ type: any Any.Type, key: some Hashable & Sendable) throws -> sending Any {
    try resolve(type, key: key)
  }

  /// Resolves a keyed service by a type that is a run-time value, suspending if it is built asynchronously.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered, or a relationship type.
  ///   - key: The key that the service is registered under.
  /// - Returns: The instance, of the given type; for an existential type, the value it contains.
  /// - Throws: The errors of the asynchronous `resolve(_:key:)`.
  /// - Concurrency: Callable from any task.
  public func resolveAny(_ type: any Any.Type, key: some Hashable & Sendable) async throws -> sending Any {
    try await resolve(type, key: key)
  }
}
