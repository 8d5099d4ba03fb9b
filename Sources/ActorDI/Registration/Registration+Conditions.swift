// Modifiers for conditional registration, alternatives and inherited keys.
extension Registration {
  /// Registers only if a condition holds.
  ///
  /// - Parameter condition: Evaluated each time the registration is registered, also by ``Container/rebuild()``. If there are several
  ///   conditions, all must hold.
  /// - Returns: The changed copy.
  public consuming func when(_ condition: @escaping @Sendable () -> Bool) -> Self {
    describing { $0.options.conditions.append(condition) }
  }

  /// Registers only if the container itself has no registration of the same type, key and run-time arguments.
  ///
  /// The container checks when it adds the registration, so an earlier one of the same batch counts. A skipped registration adds none
  /// of its aliases, by ``implements(_:_:)-(Other.Type,_)``.
  ///
  /// - Returns: The changed copy.
  public consuming func ifNotRegistered() -> Self { describing { $0.traits.insert(.yieldsToEarlier) } }

  /// Registers a further candidate for the same type, key and run-time arguments, instead of replacing the existing registration.
  ///
  /// ```swift
  /// Registration(autowired: Client.self) { (service: any Service) in
  ///   Client(service: service)
  /// }
  /// Registration(autowired: Client.self) { (service: any Service, logger: any Logger) in
  ///   Client(service: service, logger: logger)
  /// }
  /// .alternative()
  /// ```
  ///
  /// Each resolve uses the candidate with the most parameters that the container can satisfy. If several candidates tie, it throws
  /// ``ResolutionError/Code/ambiguous``. A factory closure counts as a candidate without parameters. An alternative with the same
  /// parameters as another candidate replaces that candidate. An alternative without other candidates is an ordinary registration. A
  /// registration that is not an alternative replaces all candidates.
  ///
  /// An alias that any of the candidates states, by ``implements(_:_:)-(Other.Type,_)``, is one of the service: it resolves what the
  /// service resolves.
  ///
  /// - Returns: The changed copy.
  public consuming func alternative() -> Self { describing { $0.traits.insert(.isAlternative) } }

  /// Resolves each parameter of an autowired initialiser under the requested key, or without a key if there is no such registration.
  ///
  /// The key propagates: a parameter that was found without a key, and inherits keys itself, resolves its own parameters under the
  /// same key. A kept instance belongs to the registration that matched, so a singleton without a key stays one instance.
  /// The key passes a decorator. It does not pass an alias or a choice among alternatives.
  ///
  /// A registration that is not autowired is refused, because a factory chooses its keys itself.
  ///
  /// - Returns: The changed copy.
  public consuming func inheritKey() -> Self {
    describing {
      if $0.traits.contains(.isAutowired) {
        $0.traits.insert(.inheritsKey)
      } else {
        $0.noteFault("Only an autowired registration inherits keys; a factory chooses its keys itself.")
      }
    }
  }
}
