// What a factory closure takes cannot be seen from outside; it can be said.
extension Registration {
  /// Declares what a factory takes from the container, for analysis: nothing is resolved because of it.
  ///
  /// ```swift
  /// Registration((any UserStore).self) { r in SQLUserStore(try r.resolve(), cache: try? r.resolve()) }
  ///   .dependsOn((any Database).self, Cache?.self)
  /// ```
  ///
  /// The parameters of autowired initialisers and injected properties are known without it. A factory that takes nothing says
  /// so by `dependsOn()`.
  ///
  /// - Parameter services: types as they are resolved: also `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider`` or ``Owned``.
  /// - Returns: the changed copy. Repeated declarations add up.
  public consuming func dependsOn<each Dependency>(_ services: repeat (each Dependency).Type) -> Self {
    declaring(DependencyList.of(repeat each services))
  }

  /// Declares a keyed service that a factory takes from the container, for analysis.
  ///
  /// - Parameters:
  ///   - service: the type as it is resolved.
  ///   - key: the key that it is resolved by.
  /// - Returns: the changed copy. Repeated declarations add up.
  public consuming func dependsOn<Other>(_ service: Other.Type, key: some Hashable & Sendable) -> Self {
    declaring([Dependency(service, key: Key.of(key))])
  }

  /// Declares what a factory takes from the container by a typed token, for analysis.
  ///
  /// One at a time: a pack of tokens crashes the compiler, 6.3.1, in debug or in optimised builds, however it is iterated.
  ///
  /// - Parameter token: the service, as it is resolved.
  /// - Returns: the changed copy. Repeated declarations add up.
  public consuming func dependsOn<Other>(_ token: ServiceKey<Other>) -> Self {
    declaring([Dependency(Other.self, key: token.key)])
  }

  private consuming func declaring(_ dependencies: [Dependency]) -> Self {
    describing {
      $0.declaredDependencies += dependencies
      $0.nature.declaresDependencies = true
    }
  }
}
