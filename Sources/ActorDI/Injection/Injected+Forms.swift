// Injection by key, by token and with run-time arguments.
extension Injected {
  /// Injects a service with run-time arguments.
  ///
  /// - Parameters:
  ///   - arguments: The run-time arguments of the factory; their types and order are part of the service's identity.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init<each Argument: Sendable>(
    arguments: repeat each Argument, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let request = DeferredRequest(Service.self, key: nil, .of(repeat each arguments))
    self.init(request, from: container, at: RegistrationSource(fileID, line))
  }

  // MARK: By key

  /// Injects a service by its type and key.
  ///
  /// - Parameters:
  ///   - key: The key of the service.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init(
    key: some Hashable & Sendable, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(DeferredRequest(Service.self, key: Key.of(key)), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects a keyed service with run-time arguments.
  ///
  /// - Parameters:
  ///   - key: The key of the service.
  ///   - arguments: The run-time arguments of the factory; their types and order are part of the service's identity.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init<each Argument: Sendable>(
    key: some Hashable & Sendable, arguments: repeat each Argument,
    from container: Container? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let request = DeferredRequest(Service.self, key: Key.of(key), .of(repeat each arguments))
    self.init(request, from: container, at: RegistrationSource(fileID, line))
  }

  /// The form with a token in place of a key, which only a mistake fits.
  @_disfavoredOverload
  @available(*, unavailable, message: "a token has no label: @Injected(.token)")
  public init(
    key: ServiceKey<Service>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    fatalError()
  }

  // MARK: By token

  /// Injects a service by a typed token.
  ///
  /// - Parameters:
  ///   - token: The service type and key; see ``ServiceKey``.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init(
    _ token: ServiceKey<Service>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(DeferredRequest(Service.self, key: token.key), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects a service by a typed token, or nil if the service is not registered.
  ///
  /// - Parameters:
  ///   - token: The service type and key; see ``ServiceKey``.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init<Wrapped>(
    _ token: ServiceKey<Wrapped>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Service == Wrapped? {
    self.init(DeferredRequest(Service.self, key: token.key), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects all services of a typed token.
  ///
  /// - Parameters:
  ///   - token: The service type and key; see ``ServiceKey``.
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  public init<Element>(
    _ token: ServiceKey<Element>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Service == [Element] {
    self.init(DeferredRequest(Service.self, key: token.key), from: container, at: RegistrationSource(fileID, line))
  }
}
