// What a factory closure takes cannot be seen from outside; it can be said.
extension Registration {
  /// Declares what a factory takes from the container, for analysis: nothing is resolved because of it.
  ///
  /// ```swift
  /// Registration((any UserStore).self) { r in SQLUserStore(try r.resolve(), cache: try? r.resolve()) }
  ///   .dependsOn((any Database).self, Cache?.self)
  /// ```
  ///
  /// The parameters of autowired initialisers and injected properties are known without it.
  ///
  /// - Parameter services: types as they are resolved: also `T?`, `[T]`, ``Lazy``, ``Provider`` or ``Owned``.
  /// - Returns: the changed copy. Repeated declarations add up.
  public func dependsOn<each Dependency>(_ services: repeat (each Dependency).Type) -> Self {
    with { $0.declaredDependencies += DependencyList.of(repeat each services) }
  }

  /// Declares a keyed service that a factory takes from the container, for analysis.
  ///
  /// - Parameters:
  ///   - service: the type as it is resolved.
  ///   - key: the key that it is resolved by.
  /// - Returns: the changed copy. Repeated declarations add up.
  public func dependsOn<Other>(_ service: Other.Type, key: some Hashable & Sendable) -> Self {
    with { $0.declaredDependencies.append(Dependency(service, key: TypedKey(key))) }
  }

  /// Declares what a factory takes from the container by typed tokens, for analysis.
  ///
  /// - Parameters:
  ///   - token: a type and key that is resolved.
  ///   - others: more of them.
  /// - Returns: the changed copy. Repeated declarations add up.
  public func dependsOn<First, each Other>(
    _ token: ServiceKey<First>, _ others: repeat ServiceKey<each Other>
  ) -> Self {
    with {
      $0.declaredDependencies.append(Dependency(First.self, key: token.key))
      for other in repeat each others { $0.declaredDependencies.append(Dependency(token: other)) }
    }
  }
}

extension Dependency {
  fileprivate init<Service>(token: ServiceKey<Service>) { self.init(Service.self, key: token.key) }
}
