/// Recipes that hand a service's key down to its dependencies: ``Registration/inheritKey()``.
enum KeyInheritance {
  static func recipe<Service, each Dependency>(
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
  ) -> @Sendable (Key) -> Recipe {
    { key in
      Recipe(
        either: Factory { try initializer(repeat try $0.resolve((each Dependency).self, inheriting: key)) },
        { resolver in
          Instance(
            holding: try initializer(
              repeat try await resolver.resolve((each Dependency).self, inheriting: key)))
        })
    }
  }

  static func recipe<Service, each Dependency>(
    asynchronous initializer:
      @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service
  ) -> @Sendable (Key) -> Recipe {
    { key in
      Recipe(asynchronous: Service.self) { resolver in
        Instance(
          holding: try await initializer(
            repeat try await resolver.resolve((each Dependency).self, inheriting: key)))
      }
    }
  }

  static func recipe<Service, each Dependency>(
    mainActor initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service
  ) -> @Sendable (Key) -> Recipe {
    { key in
      Recipe(
        mainActor: { resolver in
          try initializer(repeat try resolver.resolve((each Dependency).self, inheriting: key))
        },
        { resolver in
          Instance(
            holding: try initializer(
              repeat try await resolver.resolve((each Dependency).self, inheriting: key)))
        })
    }
  }

  static func recipe<Service, each Argument: Sendable, each Dependency>(
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    arguments: repeat (each Argument).Type
  ) -> @Sendable (Key) -> ArgumentRecipe<repeat each Argument> {
    { key in
      ArgumentRecipe(.either) { (arguments: repeat each Argument) in
        let given = GivenArguments(repeat each arguments)
        return Recipe(
          either: Factory { resolver in
            try initializer(
              repeat try given.take((each Dependency).self)
                ?? resolver.resolve((each Dependency).self, inheriting: key))
          },
          { resolver in
            Instance(
              holding: try initializer(
                repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: key)))
          })
      }
    }
  }
}

extension Resolver {
  /// Resolves a parameter under the key if it is registered there; otherwise without a key, while that service inherits the key in
  /// turn.
  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key) throws -> Parameter {
    if has(type, key) { return try instance(of: ServiceIdentity(type, key: key), nil).value() }
    if let parameter = try instanceIfPresent(of: ServiceIdentity(type), inheriting: key) { return parameter.value() }
    throw missing(ServiceIdentity(type))
  }

  func resolve<Parameter>(_ type: Parameter.Type, inheriting key: Key) async throws -> Parameter {
    if has(type, key) { return try await instance(of: ServiceIdentity(type, key: key), nil).value() }
    if let parameter = try await instanceIfPresent(of: ServiceIdentity(type), inheriting: key) {
      return parameter.value()
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
