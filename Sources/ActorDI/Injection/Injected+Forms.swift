// What can be injected beside a plain type: keyed services, those of a token, those with run-time arguments.
extension Injected {
  /// Injects a service with run-time arguments.
  ///
  /// - Parameters:
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init<each Argument: Sendable>(
    arguments: repeat each Argument, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      LaterRequest(nil, repeat each arguments), from: container,
      at: RegistrationSource(fileID, line))
  }

  // MARK: By key

  /// Injects a service by its type and key.
  ///
  /// - Parameters:
  ///   - key: the key it is registered under.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init(
    key: some Hashable & Sendable, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(LaterRequest(Key.of(key)), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects a keyed service with run-time arguments.
  ///
  /// - Parameters:
  ///   - key: the key it is registered under.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init<each Argument: Sendable>(
    key: some Hashable & Sendable, arguments: repeat each Argument,
    from container: Container? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      LaterRequest(Key.of(key), repeat each arguments), from: container,
      at: RegistrationSource(fileID, line))
  }

  // MARK: By token

  /// Injects a service by a typed token.
  ///
  /// - Parameters:
  ///   - token: says both type and key; see ``ServiceKey``.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init(
    _ token: ServiceKey<Service>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(LaterRequest(token.key), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects a service by a typed token, nil where it is not registered.
  ///
  /// - Parameters:
  ///   - token: says both type and key; see ``ServiceKey``.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init<Wrapped>(
    _ token: ServiceKey<Wrapped>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Service == Wrapped? {
    self.init(LaterRequest(token.key), from: container, at: RegistrationSource(fileID, line))
  }

  /// Injects all services of a typed token.
  ///
  /// - Parameters:
  ///   - token: says both type and key; see ``ServiceKey``.
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  public init<Element>(
    _ token: ServiceKey<Element>, from container: Container? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Service == [Element] {
    self.init(LaterRequest(token.key), from: container, at: RegistrationSource(fileID, line))
  }
}
