// Forms that only a mistake fits. The compiler shows their messages where it would otherwise say that it failed to produce a diagnostic, or
// name types of the library. The type checker ranks an unavailable form below all others, so a correct program never gets one.
extension Registration {
  /// The form of `implements` for a closure whose result is not of the alias's type.
  @available(
    *, unavailable, message: "the service does not convert to the type of the alias; does it conform to the protocol?"
  )
  public consuming func implements<Other>(_ type: Other.Type, _ convert: @escaping @Sendable (Service) -> Service)
    -> Self
  {
    self
  }

  /// The form of `implements` with a key for a closure whose result is not of the alias's type.
  @available(
    *, unavailable, message: "the service does not convert to the type of the alias; does it conform to the protocol?"
  )
  public consuming func implements<Other>(
    _ type: Other.Type, key: some Hashable & Sendable, _ convert: @escaping @Sendable (Service) -> Service
  ) -> Self {
    self
  }

  /// The form of `inject` for a constant.
  @available(*, unavailable, message: "the container can set only a 'var' of a class")
  public consuming func inject<Value>(_ property: KeyPath<Service, Value>) -> Self { self }

  /// The form with a key, which is a modifier here.
  @_disfavoredOverload
  @available(*, unavailable, message: "the key is a modifier: Registration(T.self) { … }.key(…)")
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: some Hashable & Sendable, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    fatalError()
  }
}

extension Container {
  /// The form with a name that has no label.
  @_disfavoredOverload
  @available(*, unavailable, message: "the name has a label: Container(name: …)")
  public init(
    _ name: String, parent: Container? = nil, configuration: Configuration = .init(),
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = { Registrations() }
  ) {
    self.init(name: name)
  }
}
