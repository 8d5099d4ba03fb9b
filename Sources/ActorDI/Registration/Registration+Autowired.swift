// Registration by initialiser: its parameters are the dependencies.
extension Registration where Service: Sendable {
  /// Registers a service by its initialiser, whose parameters are resolved from the container by their types.
  ///
  /// The dependencies are recorded, so they are known without building anything. Parameters may be `T?`, `[T]`, ``Lazy``,
  /// ``Provider`` and ``Owned``, too.
  ///
  /// The service may be left out, as in `Registration(initializer: PetOwner.init)`.
  ///
  /// Synchronous code can resolve the service if its dependencies can be had synchronously; asynchronous code always can.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { resolver in try initializer(repeat try resolver.resolve((each Dependency).self)) },
      initializer, scope, fileID, line)
  }

  /// Registers a service by its asynchronous initialiser, whose parameters are resolved from the container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let recipe = Recipe(asynchronous: Service.self) { resolver in
      Instance(holding: try await initializer(repeat try await resolver.resolve((each Dependency).self)))
    }
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), scope, fileID, line,
      inheriting: KeyInheritance.recipe(asynchronous: initializer))
  }

  /// Registers a service by its main-actor initialiser, whose parameters are resolved from the container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let recipe = Recipe(
      mainActor: { resolver in
        try initializer(repeat try resolver.resolve((each Dependency).self))
      },
      { resolver in
        Instance(holding: try initializer(repeat try await resolver.resolve((each Dependency).self)))
      })
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), scope, fileID, line,
      inheriting: KeyInheritance.recipe(mainActor: initializer))
  }

  /// Registers an instance that exists. The container does not own it: it is never disposed of.
  ///
  /// - Parameter instance: what each resolve returns.
  public init(instance: Service, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(synchronous: Factory { _ in instance }, .singleton, fileID, line)
    binding.describe {
      $0.nature.isInstance = true
      $0.nature.declaresDependencies = true
    }
  }
}

// MARK: - With arguments

extension Registration where Service: Sendable {
  /// Registers a service by its initialiser: some of its parameters are given at run time, the rest is resolved.
  ///
  /// ```swift
  /// Registration(autowired: Report.self, arguments: String.self, Int.self, initializer: Report.init)
  /// let report = try container.resolve(Report.self, arguments: "title", 3)
  /// ```
  ///
  /// An argument fills the parameter of exactly its type. A type listed twice, or wanted by two parameters, or by none, is an
  /// error when the registration is registered: which argument is meant cannot be told.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Argument: Sendable, each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let listed = TypeList(repeat (each Argument).self)
    let wanted = TypeList(repeat (each Dependency).self)
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
      arguments: recipe, scope, fileID, line,
      inheriting: KeyInheritance.recipe(initializer, arguments: repeat (each Argument).self))
    binding.describe {
      $0.nature.isAutowired = true
      $0.parameters = DependencyList.of(repeat (each Dependency).self, except: listed)
    }
    let fault = listed.fault(
      filling: wanted, of: Service.self, initializer: "\((repeat each Dependency).self) -> \(Service.self)")
    if let fault { binding = binding.failing(with: fault) }
  }
}
