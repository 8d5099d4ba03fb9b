// Whether a registration is registered at all, beside what, and with what key its dependencies are looked for.
extension Registration {
  /// Registers only if a condition holds.
  ///
  /// - Parameter condition: runs each time that the registration is registered, ``Container/rebuild()`` included. Of several, all
  ///   have to hold.
  /// - Returns: the changed copy.
  public consuming func when(_ condition: @escaping @Sendable () -> Bool) -> Self {
    describing { $0.conditions.append(condition) }
  }

  /// Registers only if the container itself has nothing under this type, key and run-time arguments yet.
  ///
  /// It is looked for when the registration is added, so an earlier one of the same batch counts. With it goes what it
  /// ``implements(_:_:)-(Other.Type,_)``.
  ///
  /// - Returns: the changed copy.
  public consuming func ifNotRegistered() -> Self {
    describing { $0.nature.yieldsToEarlier = true }
  }

  /// Registers beside what stands under the same type, key and run-time arguments in the container, not in its place.
  ///
  /// ```swift
  /// Registration(autowired: Client.self) { (service: any Service) in Client(service: service) }
  /// Registration(autowired: Client.self) { (service: any Service, logger: any Logger) in
  ///   Client(service: service, logger: logger)
  /// }
  /// .alternative()
  /// ```
  ///
  /// Each resolve takes the one with the most parameters that can be satisfied; where several have as many, it throws
  /// ``ResolutionError/Code/ambiguous``. A factory closure counts as one without parameters. An alternative with the parameters of another
  /// one replaces that; one with nothing beside it just stands. A registration that is no alternative replaces all of them.
  ///
  /// - Returns: the changed copy.
  public consuming func alternative() -> Self {
    describing { $0.nature.isAlternative = true }
  }

  /// Looks for each parameter of an autowired initialiser under the key that the service is asked for with; then, where there is
  /// none, without a key.
  ///
  /// The key is handed on: a parameter that is found without a key, and inherits keys itself, looks for its own parameters
  /// under the same one. What is kept belongs to the registration that was found, so a singleton without a key stays one.
  ///
  /// A registration that is not autowired is refused: its factory says itself what it resolves.
  ///
  /// - Returns: the changed copy.
  public consuming func inheritKey() -> Self {
    if binding.descriptor.nature.isAutowired { return describing { $0.nature.inheritsKey = true } }
    let fault = ResolutionError.invalidRegistration(
      binding.identity, binding.descriptor.source,
      "Only an autowired registration inherits keys; a factory chooses its keys itself.")
    return Registration(binding.failing(with: fault))
  }
}
