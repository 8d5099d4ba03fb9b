// Parameters of an initialiser that inherit the key of the service: ``Registration/inheritKey()``.
extension Resolver {
  /// Resolves a parameter.
  ///
  /// - Parameter key: The key that the parameter inherits, if any. The parameter is resolved under the key if it is registered there.
  ///   Otherwise it is resolved without a key, and its own parameters inherit the key.
  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key?) throws -> Parameter {
    guard let key else { return try resolve(type) }
    let identity = identity(of: type, inheriting: key)
    return try Container.receive(type) { memory in
      let isPresent = try container.finishIfPresent(identity, inheriting: key, frame, at: memory)
      if !isPresent { throw missing(identity) }
    }
  }

  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key?) async throws -> Parameter {
    guard let key else { return try await resolve(type) }
    let identity = identity(of: type, inheriting: key)
    guard let parameter = try await finishIfPresent(identity, inheriting: key) else { throw missing(identity) }
    return parameter.value(as: type)
  }

  private func identity<Parameter>(of type: Parameter.Type, inheriting key: Key) -> ServiceIdentity {
    let isUnderKey = container.has(Dependency(type, key: key), for: currentChain.innermostBinding)
    return ServiceIdentity(type, key: isUnderKey ? key : nil)
  }
}
