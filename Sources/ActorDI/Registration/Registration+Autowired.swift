// Registration by initialiser. The parameters are the dependencies.
extension Registration where Service: Sendable {
  /// Registers an existing instance. The container does not own the instance and never disposes of it.
  ///
  /// ```swift
  /// Registration(instance: Settings.standard)
  /// Registration((any Payments).self, instance: FakePayments()).key("card")
  /// ```
  ///
  /// - Parameters:
  ///   - service: The service type; the instance's type if omitted.
  ///   - instance: The instance that every resolve returns.
  public init(
    _ service: Service.Type = Service.self, instance: Service, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(copying: Instance(holding: consume instance)), .singleton, fileID, line)
    binding.describe { $0.traits.insert(.isInstance) }
    dependOnNothing()
  }

  // MARK: Under a token

  /// Registers a service under a token by its initialiser. The container resolves the parameters by type, or the caller passes them
  /// as run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable, each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: Factory { resolver in try initializer(repeat try resolver.resolve((each Dependency).self)) },
      initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line
    )
    .key(token)
  }

  // MARK: Shared initialisers

  /// Creates an autowired registration without run-time arguments.
  ///
  /// - Parameter factory: Calls the initialiser for a synchronous caller.
  @usableFromInline
  init<each Dependency>(
    autowired factory: Factory,
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service, _ scope: Scope?,
    _ fileID: StaticString, _ line: UInt
  ) {
    self.init(TypeList(repeat (each Dependency).self).dependencies(), scope, fileID, line) { inherited in
      let inheriting = Factory { try initializer(repeat try $0.resolve((each Dependency).self, inheriting: inherited)) }
      return Recipe(.either, inherited == nil ? factory : inheriting) { resolver, _ in
        Instance(
          holding: try initializer(repeat try await resolver.resolve((each Dependency).self, inheriting: inherited)))
      }
    }
  }

  /// Creates an autowired registration.
  ///
  /// - Parameters:
  ///   - parameters: The parameters that the container resolves.
  ///   - arguments: The types of the run-time arguments; nil if there are none.
  ///   - recipe: The recipe for a key that the dependencies inherit; see ``inheritKey()``.
  init(
    _ parameters: [Dependency], taking arguments: Arguments.Type? = nil, _ scope: Scope?, _ fileID: StaticString,
    _ line: UInt, recipe: @escaping @Sendable (_ inherited: Key?) -> Recipe
  ) {
    self.init(recipe(nil), taking: arguments, scope, fileID, line)
    binding.describe {
      $0.traits.insert(.isAutowired)
      var options = $0.options
      options.parameters = parameters
      options.making.inheriting = recipe
      $0.options = options
    }
  }

  /// Declares that the factory has no dependencies. Call only while nothing else refers to the binding.
  func dependOnNothing() { binding.describe { $0.traits.insert(.declaresDependencies) } }
}
