// Registration by initialiser: its parameters are the dependencies.
extension Registration where Service: Sendable {
  /// Registers a service by its initialiser, whose parameters are resolved from the container by type, or given at run time.
  ///
  /// The dependencies are recorded, so that they are known without building anything. Parameters may also be `T?`, `[T]`, `[Key: T]`,
  /// ``Lazy``, ``Provider`` and ``Owned``. The service may be left out, as in `Registration(initializer: PetOwner.init)`.
  ///
  /// `[T]` has all that is registered for `T`, keyed or not, and each alias: in order of registration, the parents' first. `[Key: T]` has what
  /// is registered under keys of type `Key`. A composite, which is a `T` itself and takes `[T]`, gets all others.
  ///
  /// Synchronous code can resolve the service if its dependencies can be resolved synchronously; asynchronous code always can.
  ///
  /// Parameters can be given at run time: list their types.
  ///
  /// ```swift
  /// Registration(autowired: Report.self, arguments: String.self, Int.self, initializer: Report.init)
  /// let report = try container.resolve(Report.self, arguments: "title", 3)
  /// ```
  ///
  /// An argument fills the parameter of exactly its type. A type listed twice, or wanted by two parameters, or by none, is ambiguous: such
  /// a registration is refused with ``ResolutionError/Code/ambiguousArguments``.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, if any, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient
  public init<each Argument: Sendable, each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { resolver in try initializer(repeat try resolver.resolve((each Dependency).self)) },
      initializer, arguments: repeat (each Argument).self, key: nil, scope, fileID, line)
  }

  /// Registers a service by its asynchronous initialiser, whose parameters are resolved from the container by type.
  ///
  /// An initialiser that is isolated to a global actor runs there, if the actor is named:
  ///
  /// ```swift
  /// Registration(autowired: Index.self, scope: .singleton, isolation: DatabaseActor.self, initializer: Index.init)
  /// ```
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the global actor that the initialiser is isolated to, if any.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, nil, scope, fileID, line)
  }

  /// Registers a service by its main-actor initialiser, whose parameters are resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, nil, scope, fileID, line)
  }

  /// Registers an existing instance. The container does not own it: it never disposes of it.
  ///
  /// ```swift
  /// Registration(instance: Settings.standard)
  /// Registration((any Payments).self, instance: FakePayments()).key("card")
  /// ```
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; the instance's if left out.
  ///   - instance: the result of each resolve.
  public init(
    _ service: Service.Type = Service.self, instance: Service, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory { _ in instance }, .singleton, fileID, line)
    binding.describe {
      $0.nature.isInstance = true
      $0.nature.declaresDependencies = true
    }
  }
}

// MARK: - Under a token

extension Registration where Service: Sendable {
  /// Registers a service under a token by its initialiser, whose parameters are resolved from the container by type, or given at run time.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, if any, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public init<each Argument: Sendable, each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { resolver in try initializer(repeat try resolver.resolve((each Dependency).self)) },
      initializer, arguments: repeat (each Argument).self, key: token.key, scope, fileID, line)
  }

  /// Registers a service under a token by its asynchronous initialiser, whose parameters are resolved from the container by type.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the global actor that the initialiser is isolated to, if any.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, token.key, scope, fileID, line)
  }

  /// Registers a service under a token by its main-actor initialiser, whose parameters are resolved from the container by type.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, token.key, scope, fileID, line)
  }
}

// MARK: - What the forms have in common

extension Registration where Service: Sendable {
  /// - Parameter factory: calls the initialiser for a synchronous caller, if there are no run-time arguments.
  @usableFromInline
  init<each Argument: Sendable, each Dependency>(
    autowired factory: Factory, _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    arguments: repeat (each Argument).Type, key: Key?, _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let listed = TypeList(repeat (each Argument).self)
    if listed.types.isEmpty {
      self.init(autowired: factory, initializer, key, scope, fileID, line)
      return
    }
    let recipe = ArgumentRecipe(.either) { (arguments: repeat each Argument) in
      let given = GivenArguments(repeat each arguments)
      return Recipe(
        either: Factory { resolver in
          try initializer(repeat try given.take((each Dependency).self) ?? resolver.resolve((each Dependency).self))
        },
        { resolver in
          Instance(
            holding: try initializer(repeat try await given.resolve((each Dependency).self, from: resolver)))
        })
    }
    self.init(
      recipe, key, scope, fileID, line,
      inheriting: KeyInheritance.recipe(initializer, arguments: repeat (each Argument).self))
    noteParameters(DependencyList.of(repeat (each Dependency).self, except: listed))
    let fault = listed.fault(
      filling: TypeList(repeat (each Dependency).self), of: Service.self,
      initializer: "\((repeat each Dependency).self) -> \(Service.self)")
    if let fault { binding = binding.failing(with: fault) }
  }

  private init<each Dependency>(
    autowiring initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    _ key: Key?, _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let recipe = Recipe(asynchronous: Service.self) { resolver in
      Instance(holding: try await initializer(repeat try await resolver.resolve((each Dependency).self)))
    }
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), key, scope, fileID, line,
      inheriting: KeyInheritance.recipe(asynchronous: initializer))
  }

  private init<each Dependency>(
    autowiring initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    _ key: Key?, _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let recipe = Recipe(
      mainActor: { resolver in
        try initializer(repeat try resolver.resolve((each Dependency).self))
      },
      { resolver in
        Instance(holding: try initializer(repeat try await resolver.resolve((each Dependency).self)))
      })
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), key, scope, fileID, line,
      inheriting: KeyInheritance.recipe(mainActor: initializer))
  }

  /// - Parameter factory: calls the initialiser for a synchronous caller.
  @usableFromInline
  init<each Dependency>(
    autowired factory: Factory,
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service, _ key: Key?, _ scope: Scope?,
    _ fileID: StaticString, _ line: UInt
  ) {
    let recipe = Recipe(
      either: factory,
      { resolver in
        Instance(holding: try initializer(repeat try await resolver.resolve((each Dependency).self)))
      })
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), key, scope, fileID, line,
      inheriting: KeyInheritance.recipe(initializer))
  }

  private init(
    _ recipe: Recipe, _ parameters: [Dependency], _ key: Key?, _ scope: Scope?, _ fileID: StaticString, _ line: UInt,
    inheriting: @escaping @Sendable (Key) -> Recipe
  ) {
    binding = Binding(
      Descriptor(
        ServiceIdentity(Service.self, key: key), scope, recipe.synchrony, RegistrationSource(fileID, line)), recipe)
    noteParameters(parameters)
    binding.describe { $0.making.inheriting = inheriting }
  }

  private func noteParameters(_ parameters: [Dependency]) {
    binding.describe {
      $0.nature.isAutowired = true
      $0.parameters = parameters
    }
  }
}
