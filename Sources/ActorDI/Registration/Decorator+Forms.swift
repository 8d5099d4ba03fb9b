// The forms of a decorator as an expression of a builder.
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
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
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
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
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

  /// Decorates all registrations of a service on the main actor: asynchronous callers can have them built anywhere, synchronous callers
  /// only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service: Sendable>(
    _ service: Service.Type, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: ServiceIdentity(service), RegistrationSource(fileID, line), decorator)
  }

  /// Decorates the registrations of a service under one key on the main actor: asynchronous callers can have them built anywhere,
  /// synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service: Sendable>(
    _ service: Service.Type, key: some Hashable & Sendable, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ServiceKey<Service>(key), with: decorator, fileID: fileID, line: line)
  }

  /// Decorates the registrations of a service under a typed token on the main actor: asynchronous callers can have them built anywhere,
  /// synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  public init<Service: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: token.identity, RegistrationSource(fileID, line), decorator)
  }
}

extension RegistrationBuilder {
  /// Adds a decorator.
  @_disfavoredOverload
  public static func buildExpression(_ decorator: Decorator) -> Registrations { Registrations(decorator) }
}
