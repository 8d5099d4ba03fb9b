extension Registration {
  /// Registers the service under a key in addition to its type.
  ///
  /// - Parameter key: Any hashable value, such as a name, a tag, or a case with associated values. A lookup calls its `==` while it
  ///   reads the registry, so `==` must not use a container. As for every key, an optional stands for the key that it holds, and nil
  ///   for no key.
  /// - Returns: The changed copy.
  @inlinable
  public consuming func key(_ key: some Hashable & Sendable) -> Self {
    Binding.makeUnique(&binding)
    if let given = Key.of(key) {
      binding.setKey(given, word: _isOptional(type(of: key)) ? given.word : KeyWord.hash(key))
    } else {
      binding.setKey(nil, word: 0)
    }
    return self
  }

  /// Registers the service under a typed token.
  ///
  /// - Parameter token: The service type and key.
  /// - Returns: The changed copy.
  public consuming func key(_ token: ServiceKey<Service>) -> Self {
    describing { $0.identity = $0.identity.with(token.key) }
  }

  /// Also registers the service under another type: an alias with the same instance and the same hooks.
  ///
  /// ```swift
  /// Registration(autowired: SQLStore.self, scope: .singleton) { SQLStore() }
  ///   .implements((any UserStore).self) { $0 }
  ///   .implements((any AuditLog).self) { $0 }
  /// ```
  ///
  /// Several registrations may have an alias of the same type and key. `[Other]` contains all of them; a resolve of `Other` uses the
  /// last one. A later registration of `Other` itself, such as a test's, hides the aliases and is the only element. The aliases are
  /// found again when that registration is removed. The registration's own decorators apply to an alias, those of a container for the
  /// service do not: see ``Container/decorate(_:with:)-1paa4``.
  ///
  /// The alias has the key of the registration. Registering it throws ``ResolutionError/Code/invalidRegistration`` if it has the type of
  /// the registration, too.
  ///
  /// - Parameters:
  ///   - type: The type of the alias.
  ///   - convert: The upcast, checked by the compiler: `{ $0 }`.
  /// - Returns: The changed copy.
  public consuming func implements<Other>(
    _ type: Other.Type, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    implementing(type, nil, convert)
  }

  /// Also registers the service under another type and key: an alias with the same instance and the same hooks.
  ///
  /// - Parameters:
  ///   - type: The type of the alias.
  ///   - key: The key of the alias. Nil stands for the registration's own key, as in the overload without it.
  ///   - convert: The upcast, checked by the compiler: `{ $0 }`.
  /// - Returns: The changed copy.
  public consuming func implements<Other>(
    _ type: Other.Type, key: some Hashable & Sendable,
    _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    implementing(type, Key.of(key), convert)
  }

  /// Also registers the service under another type and key: an alias with the same instance and the same hooks.
  ///
  /// - Parameters:
  ///   - token: The type and key of the alias.
  ///   - convert: The upcast, checked by the compiler: `{ $0 }`.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func implements<Other>(
    _ token: ServiceKey<Other>, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    implementing(Other.self, token.key, convert)
  }

  private consuming func implementing<Other>(
    _ type: Other.Type, _ key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) -> Self {
    let alias = StatedAlias(service: type, key: key) { $0.alias(as: type, key, in: $1, convert) }
    return describing { $0.options.making.aliases.append(alias) }
  }

  /// Adds a hook that runs after the factory, once for each created instance, in order of addition.
  ///
  /// The instance is already visible to the resolution in progress. Services that are kept, or in ``Scope/graph``, may therefore
  /// reference each other through their hooks. Other tasks see the instance, and the instances built from it, after the last hook.
  /// Services that reference each other become visible together when all of them are complete. If a hook fails, the container keeps
  /// neither the instance nor any instance that took it.
  ///
  /// A hook that resolves `[Service]` finds its own instance in it. A hook that resolves a service whose factory has led to it gets a
  /// ``ResolutionError/Code/cycle``; ``inject(_:)`` waits instead.
  ///
  /// While such services wait for each other's asynchronous hooks, a synchronous resolve of one of them from elsewhere throws
  /// ``ResolutionError/Code/asyncRequired``.
  ///
  /// - Parameter hook: Receives the instance and a resolver. An error that it throws fails the resolve.
  /// - Returns: The changed copy.
  public consuming func onCreated(_ hook: @escaping @Sendable (Service, Resolver) throws -> Void) -> Self {
    hooking(CreationHook(hook))
  }

  /// Sets a property from the container after the factory.
  ///
  /// ```swift
  /// Registration(autowired: Window.self, scope: .singleton) { Window() }.inject(\.theme)
  /// ```
  ///
  /// Two services may refer to each other, one by its initialiser and the other by an injected property. In every scope that keeps or
  /// shares the instance with the property, they can be built from either side. If the factory of the requested service has led to the
  /// injection, the injection waits until that service is built; so do the hooks after it. Both services become visible together.
  ///
  /// A collection of the service's own type does not contain the instance itself, since it may be a composite of the others.
  ///
  /// - Parameter property: The property to set. Its type is resolved; it may be `T?`, `[T]`, `[Key: T]`, ``Lazy`` or ``Provider``.
  /// - Returns: The changed copy.
  public consuming func inject<Value>(_ property: any ReferenceWritableKeyPath<Service, Value> & Sendable) -> Self {
    // No key.
    inject(property, key: String?.none)
  }

  /// Sets a property from the container by key, after the factory.
  ///
  /// - Parameters:
  ///   - property: The property to set. Its type is resolved.
  ///   - key: The key of the service to inject.
  /// - Returns: The changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable,
    key: some Hashable & Sendable
  ) -> Self {
    inject(property, ServiceKey<Value>(key))
  }

  /// Sets a property from the container by a typed token, after the factory.
  ///
  /// - Parameters:
  ///   - property: The property to set.
  ///   - token: The token of the service to inject.
  /// - Returns: The changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value> & Sendable, _ token: ServiceKey<Value>
  ) -> Self {
    let hook = CreationHook { (service: Service, resolver) in
      service[keyPath: property] = try resolver.resolve(token)
    } runAsync: { instance, resolver in
      instance.value(as: Service.self)[keyPath: property] = try await resolver.resolve(token)
    }
    let dependency = Dependency(Value.self, key: token.key)
    return hooking(hook).describing { $0.options.furtherDependencies.append(dependency) }
  }

  /// Sets an optional property from the container by a typed token, after the factory; to nil if the service is not registered.
  ///
  /// - Parameters:
  ///   - property: The property to set.
  ///   - token: The token of the service to inject.
  /// - Returns: The changed copy.
  public consuming func inject<Value>(
    _ property: any ReferenceWritableKeyPath<Service, Value?> & Sendable, _ token: ServiceKey<Value>
  ) -> Self {
    inject(property, token.of(Value?.self))
  }

  /// Adds a creation hook.
  fileprivate consuming func hooking(_ hook: CreationHook) -> Self {
    describing {
      $0.options.making.hooks = $0.hooks?.followed(by: hook) ?? hook
      $0.traits.insert(hook.trait)
    }
  }

  /// Sets an erased key. Nil leaves the registration unchanged.
  @inlinable
  consuming func keyed(_ key: (any Hashable & Sendable)?) -> Self {
    guard let key else { return self }
    return self.key(key)
  }
}

extension Registration where Service: Sendable {
  /// Sets the scope.
  ///
  /// - Parameter scope: The scope of the instances.
  /// - Returns: The changed copy.
  public consuming func scope(_ scope: Scope) -> Self { describing { $0.setScope(scope) } }

  /// Marks the service to be built by ``Container/start()``.
  ///
  /// The registration must take no run-time arguments, and its scope must keep the instance. Any other eager registration is refused.
  ///
  /// - Returns: The changed copy.
  public consuming func eager() -> Self { describing { $0.traits.insert(.isEager) } }

  /// Adds an asynchronous hook that runs after the factory, once for each created instance, in order of addition.
  ///
  /// Only asynchronous callers can build a service with such a hook.
  ///
  /// - Parameter hook: Receives the instance and a resolver. An error that it throws fails the resolve.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onCreated(
    _ hook: @escaping @concurrent @Sendable (Service, Resolver) async throws -> Void
  ) -> Self {
    hooking(CreationHook(asynchronous: hook))
  }

  /// Adds a main-actor hook that runs after the factory, once for each created instance, in order of addition.
  ///
  /// Asynchronous callers can build a service with such a hook anywhere, synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - hook: Receives the instance and a resolver. An error that it throws fails the resolve.
  /// - Returns: The changed copy.
  public consuming func onCreated(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void
  ) -> Self {
    hooking(CreationHook(mainActor: hook))
  }
}
