// The container cannot see the dependencies of a factory closure. These modifiers declare them.
extension Registration {
  /// Declares the dependencies of a factory for analysis. A declaration resolves nothing.
  ///
  /// ```swift
  /// Registration((any UserStore).self) { r in
  ///   SQLUserStore(try r.resolve(), cache: try? r.resolve())
  /// }
  /// .dependsOn((any Database).self, Cache?.self)
  /// ```
  ///
  /// The parameters of autowired initialisers and injected properties are known without a declaration. To declare that a factory has
  /// no dependencies, write `dependsOn()`.
  ///
  /// - Parameter services: The types as the factory resolves them, including `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider`` and
  ///   ``Owned``.
  /// - Returns: The changed copy. Repeated declarations add up.
  public consuming func dependsOn<each Dependency>(_ services: repeat (each Dependency).Type) -> Self {
    declaring(TypeList(repeat each services).dependencies())
  }

  /// Declares a keyed dependency of a factory for analysis.
  ///
  /// - Parameters:
  ///   - service: The type as the factory resolves it.
  ///   - key: The key of the service.
  /// - Returns: The changed copy. Repeated declarations add up.
  public consuming func dependsOn<Other>(_ service: Other.Type, key: some Hashable & Sendable) -> Self {
    declaring([Dependency(service, key: Key.of(key))])
  }

  /// Declares a dependency of a factory by a typed token, for analysis.
  ///
  /// One token a call: a parameter pack of tokens crashes the Swift 6.3.1 compiler in debug or optimised builds.
  ///
  /// - Parameter token: The token that the factory resolves.
  /// - Returns: The changed copy. Repeated declarations add up.
  public consuming func dependsOn<Other>(_ token: ServiceKey<Other>) -> Self {
    declaring([Dependency(Other.self, key: token.key)])
  }

  private consuming func declaring(_ dependencies: [Dependency]) -> Self {
    describing {
      $0.options.declaredDependencies += dependencies
      $0.traits.insert(.declaresDependencies)
    }
  }
}
