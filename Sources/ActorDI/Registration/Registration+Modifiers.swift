extension Registration {
  /// Finds the service under a key, beside its type.
  ///
  /// - Parameter key: a name, a tag, a case with associated values: any hashable value. Its `==` is called while the registry is
  ///   read, and must not use a container. As wherever a key is given, an optional is the key that it holds, and nil is no key.
  /// - Returns: the changed copy.
  @inlinable
  public consuming func key(_ key: some Hashable & Sendable) -> Self {
    makeUnique()
    if let given = Key.of(key) {
      binding.setKey(given, word: _isOptional(type(of: key)) ? given.word : KeyWord.hash(key))
    } else {
      binding.setKey(nil, word: 0)
    }
    return self
  }

  /// Finds the service under a typed token.
  ///
  /// - Parameter token: the type and key that it is resolved by.
  /// - Returns: the changed copy.
  public consuming func key(_ token: ServiceKey<Service>) -> Self {
    let key = token.key
    return describing { $0.identity = $0.identity.with(key) }
  }

  /// Also registers the service under another type: the same instance, with the same hooks.
  ///
  /// ```swift
  /// Registration(SQLStore.self, scope: .singleton) { _ in SQLStore() }
  ///   .implements((any UserStore).self) { $0 }
  ///   .implements((any AuditLog).self) { $0 }
  /// ```
  ///
  /// Several registrations may have an alias of one type and key. All of them are elements of `[Other]`; a resolve of `Other` takes the last
  /// one. A later registration of `Other` itself, such as a test's, hides them: it is the only element. What is hidden is found again when
  /// that goes which hides it.
  ///
  /// - Parameters:
  ///   - type: the other type.
  ///   - convert: the upcast, which the compiler checks: `{ $0 }`.
  /// - Returns: the changed copy.
  public consuming func implements<Other>(
    _ type: Other.Type, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    describing { $0.making.forwards.append(ForwardRecipe(type, key: nil, convert)) }
  }

  /// Also registers the service under another type and key: the same instance, with the same hooks.
  ///
  /// - Parameters:
  ///   - type: the other type.
  ///   - key: the key it has there. Left out, it is the registration's own.
  ///   - convert: the upcast, which the compiler checks: `{ $0 }`.
  /// - Returns: the changed copy.
  public consuming func implements<Other>(
    _ type: Other.Type, key: some Hashable & Sendable,
    _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    describing { $0.making.forwards.append(ForwardRecipe(type, key: Key.of(key), convert)) }
  }

  /// Also registers the service under another type and key: the same instance, with the same hooks.
  ///
  /// - Parameters:
  ///   - token: the other type, and the key it has there.
  ///   - convert: the upcast, which the compiler checks: `{ $0 }`.
  /// - Returns: the changed copy.
  @_disfavoredOverload
  public consuming func implements<Other>(
    _ token: ServiceKey<Other>, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    describing { $0.making.forwards.append(ForwardRecipe(Other.self, key: token.key, convert)) }
  }

  /// Runs after the factory, once for each created instance, in order of addition.
  ///
  /// The instance is already visible to the resolution in progress: services that are kept, or in ``Scope/graph``, may
  /// point at each other through their hooks. Other tasks see it after the last hook, and what was made from it as well: services that
  /// point at each other become visible when all of them are complete. If a hook fails, none of those that have the instance is kept.
  ///
  /// While such services wait for each other's asynchronous hooks, a synchronous resolve of one of them from elsewhere throws
  /// ``ResolutionError/Code/asyncRequired``.
  ///
  /// - Parameter hook: gets the instance and a resolver. What it throws fails the resolve.
  /// - Returns: the changed copy.
  public consuming func onCreated(_ hook: @escaping @Sendable (Service, Resolver) throws -> Void) -> Self {
    hooking(CreationHook(hook))
  }

  /// Sets a property from the container, after the factory.
  ///
  /// ```swift
  /// Registration(Window.self, scope: .singleton) { _ in Window() }.inject(\.theme)
  /// ```
  ///
  /// - Parameter property: its type is what is resolved; it may be `T?`, `[T]`, `[Key: T]`, ``Lazy`` or ``Provider``.
  /// - Returns: the changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable
  ) -> Self {
    inject(property, Dependency(Value.self)) { resolver in
      try resolver.resolve(Value.self)
    } _: { resolver in
      try await resolver.resolve(Value.self)
    }
  }

  /// Sets a property from the container by key, after the factory.
  ///
  /// - Parameters:
  ///   - property: its type is what is resolved.
  ///   - key: the key of the service to inject.
  /// - Returns: the changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable,
    key: some Hashable & Sendable
  ) -> Self {
    inject(property, Dependency(Value.self, key: Key.of(key))) { resolver in
      try resolver.resolve(Value.self, key: key)
    } _: { resolver in
      try await resolver.resolve(Value.self, key: key)
    }
  }

  /// Sets a property from the container by a typed token, after the factory.
  ///
  /// - Parameters:
  ///   - property: what is set.
  ///   - token: what it is set to.
  /// - Returns: the changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable, _ token: ServiceKey<Value>
  ) -> Self {
    inject(property, Dependency(Value.self, key: token.key)) { resolver in
      try resolver.resolve(token)
    } _: { resolver in
      try await resolver.resolve(token)
    }
  }

  /// Sets an optional property from the container by a typed token, after the factory; to nil where nothing is registered.
  ///
  /// - Parameters:
  ///   - property: what is set.
  ///   - token: what it is set to.
  /// - Returns: the changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value?> & Sendable, _ token: ServiceKey<Value>
  ) -> Self {
    inject(property, token.of(Value?.self))
  }

  private consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable, _ dependency: Dependency,
    _ resolve: @escaping @Sendable (Resolver) throws -> Value,
    _ resolveAsync: @escaping @concurrent @Sendable (Resolver) async throws -> sending Value
  ) -> Self {
    let hook = CreationHook(either: { (service: Service, resolver) in
      service[keyPath: property] = try resolve(resolver)
    }) { instance, resolver in
      let value = try await resolveAsync(resolver)
      instance.value(as: Service.self)[keyPath: property] = value
    }
    return hooking(hook).describing { $0.furtherDependencies.append(dependency) }
  }

  /// Runs one more after the factory.
  fileprivate consuming func hooking(_ hook: CreationHook) -> Self {
    describing {
      $0.making.hooks.append(hook)
      $0.nature.noteHook(hook.synchrony)
    }
  }

  /// The same under an erased key, if there is one.
  @inlinable
  consuming func keyed(_ key: (any Hashable & Sendable)?) -> Self {
    guard let key else { return self }
    return self.key(key)
  }
}

extension Registration where Service: Sendable {
  /// Sets the scope.
  ///
  /// - Parameter scope: how long instances are kept.
  /// - Returns: the changed copy.
  public consuming func scope(_ scope: Scope) -> Self {
    describing { $0.setScope(scope) }
  }

  /// Has the service built by ``Container/start()``.
  ///
  /// For services without run-time arguments that a container keeps: any other registration, marked so, is refused.
  ///
  /// - Returns: the changed copy.
  public consuming func eager() -> Self {
    describing { $0.nature.isEager = true }
  }

  /// Runs asynchronously after the factory, once for each created instance, in order of addition.
  ///
  /// A service with such a hook is built by asynchronous callers only.
  ///
  /// - Parameter hook: gets the instance and a resolver. What it throws fails the resolve.
  /// - Returns: the changed copy.
  public consuming func onCreated(
    _ hook: @escaping @concurrent @Sendable (Service, Resolver) async throws -> Void
  ) -> Self {
    hooking(CreationHook(asynchronous: hook))
  }

  /// Runs on the main actor after the factory, once for each created instance, in order of addition.
  ///
  /// A service with such a hook is built by asynchronous callers from anywhere, by synchronous ones on the main thread.
  ///
  /// - Parameters:
  ///   - isolation: the main actor.
  ///   - hook: gets the instance and a resolver. What it throws fails the resolve.
  /// - Returns: the changed copy.
  public consuming func onCreated(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void
  ) -> Self {
    hooking(CreationHook(mainActor: hook))
  }
}
