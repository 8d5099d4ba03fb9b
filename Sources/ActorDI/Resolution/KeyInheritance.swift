// Parameters of an initialiser that inherit the key of the service: ``Registration/inheritKey()``.
extension Resolver {
  /// Resolves a parameter.
  ///
  /// - Parameter key: The key that the parameter inherits, if any. The parameter is resolved under the key if it is registered there;
  ///   otherwise without a key, while that service inherits the key in turn.
  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key?) throws -> Parameter {
    guard let key else { return try resolve(type) }
    if has(type, key) { return try instance(of: ServiceIdentity(type, key: key), nil).value(as: type) }
    if let parameter = try instanceIfPresent(of: ServiceIdentity(type), inheriting: key) {
      return parameter.value(as: type)
    }
    throw missing(ServiceIdentity(type))
  }

  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key?) async throws -> Parameter {
    guard let key else { return try await resolve(type) }
    if has(type, key) { return try await instance(of: ServiceIdentity(type, key: key), nil).value(as: type) }
    if let parameter = try await instanceIfPresent(of: ServiceIdentity(type), inheriting: key) {
      return parameter.value(as: type)
    }
    throw missing(ServiceIdentity(type))
  }

  private func has<Parameter>(_ type: Parameter.Type, _ key: Key) -> Bool {
    container.has(Dependency(type, key: key), for: currentChain.asker)
  }
}

extension Container {
  /// Whether a parameter can be resolved under exactly its own key.
  ///
  /// - Parameter asker: The address of the binding that has the parameter.
  nonisolated func has(_ dependency: Dependency, for asker: UInt) -> Bool {
    switch dependency.need {
    case .required, .optional: locate(dependency.identity) != nil
    case .all: !elements(of: dependency, for: asker).isEmpty
    // A deferred dependency may be called with run-time arguments.
    case .deferred: isRegistered(dependency.identity)
    }
  }
}
