// Decorators in a builder: of one registration, and of a service.
extension Registration {
  /// Decorates the service: each resolve of this registration returns the decorator's result.
  ///
  /// ```swift
  /// Registration(autowired: (any Store).self, scope: .singleton, initializer: DiskStore.init)
  ///   .decorated { r, inner in CachedStore(inner, cache: try r.resolve()) }
  /// ```
  ///
  /// The factory makes the inner instance and the hooks run on it; the container disposes of it as without the decorator. The
  /// container keeps the decorated instance in the registration's scope. Aliases show the decorated instance. Several decorators
  /// apply in order, the last one outermost. Those of the container, by a ``Decorator`` or ``Container/decorate(_:with:)-1paa4``, wrap
  /// the result.
  ///
  /// - Parameter decorator: Receives a resolver and the undecorated service, and returns the decorated one. An error that it
  ///   throws fails the resolve.
  /// - Returns: The changed copy.
  public consuming func decorated(
    _ decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) -> Self {
    decorated(by: Decorator(Service.self, with: decorator))
  }

  private consuming func decorated(by decorator: Decorator) -> Self {
    describing { $0.extras.making.decorators.append(decorator) }
  }
}

extension Registration where Service: Sendable {
  /// Decorates the service asynchronously: only asynchronous callers can have it built.
  ///
  /// - Parameter decorator: Receives a resolver and the undecorated service, and returns the decorated one. An error that it
  ///   throws fails the resolve.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func decorated(
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) -> Self {
    decorated(by: Decorator(Service.self, with: decorator))
  }
}

extension Decorator {
  /// Decorates all registrations of a service.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service>(
    _ service: Service.Type, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ServiceIdentity(service), RegistrationSource(fileID, line), decorator)
  }

  /// Decorates the registrations of a service under one key.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ServiceKey<Service>(key), with: decorator, fileID: fileID, line: line)
  }

  /// Decorates the registrations of a service under a typed token.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service>(
    _ token: ServiceKey<Service>, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(token.identity, RegistrationSource(fileID, line), decorator)
  }

  /// Decorates all registrations of a service asynchronously: only asynchronous callers can have them built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  @_disfavoredOverload
  public init<Service: Sendable>(
    _ service: Service.Type,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(asynchronous: ServiceIdentity(service), RegistrationSource(fileID, line), decorator)
  }

  /// Decorates the registrations of a service under one key asynchronously: only asynchronous callers can have them built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  @_disfavoredOverload
  public init<Service: Sendable>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ServiceKey<Service>(key), with: decorator, fileID: fileID, line: line)
  }

  /// Decorates the registrations of a service under a typed token asynchronously: only asynchronous callers can have them built.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  @_disfavoredOverload
  public init<Service: Sendable>(
    _ token: ServiceKey<Service>,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(asynchronous: token.identity, RegistrationSource(fileID, line), decorator)
  }
}

extension RegistrationBuilder {
  /// Adds a decorator.
  @_disfavoredOverload
  public static func buildExpression(_ decorator: Decorator) -> Registrations { Registrations(decorator) }
}
