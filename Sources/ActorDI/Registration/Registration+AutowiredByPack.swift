// Registration by an initialiser with any number of parameters.
//
// `Registration+AutowiredByCount.swift` has the preferred form of most initialisers. The type checker tries the forms
// in the order of the files' names, and leaves one as soon as it needs more conversions than the best so far. So these
// two are in a later file. The first one takes an optional type, whose conversion ranks it below the forms by count,
// and above a main-actor form.
extension Registration where Service: Sendable {
  /// Registers a service by its initialiser. The container resolves the parameters by type, or the caller passes them as run-time
  /// arguments.
  ///
  /// In place of an initialiser it takes a closure as well, whose parameters are the dependencies:
  /// `Registration(autowired: TimeSource.self) { TimeSource(zone: .current) }` has none.
  ///
  /// The registration records the dependencies, so the container knows them without building anything. A parameter may also be `T?`,
  /// `[T]`, `[Key: T]`, ``Lazy``, ``Provider`` or ``Owned``. The service type can be omitted, as in
  /// `Registration(initializer: PetOwner.init)`.
  ///
  /// `[T]` contains every registration and alias of `T`, keyed or not, in registration order, the parents' first. `[Key: T]` contains
  /// the ones registered under a key of type `Key`. A composite, which is itself a `T` and takes `[T]`, receives all the others.
  ///
  /// Asynchronous code can always resolve the service. Synchronous code can if it can resolve all dependencies.
  ///
  /// To pass parameters at run time, list their types:
  ///
  /// ```swift
  /// Registration(
  ///   autowired: Report.self, arguments: String.self, Int.self, initializer: Report.init)
  /// let report = try container.resolve(Report.self, arguments: "title", 3)
  /// ```
  ///
  /// An argument fills the parameter of exactly its type. A type is ambiguous if it is listed twice, or if several parameters or none
  /// have it. Such a registration is refused with ``ResolutionError/Code/ambiguousArguments``.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient
  public init<each Argument: Sendable, each Dependency>(
    autowired service: Service.Type? = nil, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { resolver in try initializer(repeat try resolver.resolve((each Dependency).self)) },
      initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line)
  }

  /// Registers a service by its main-actor initialiser. The container resolves the parameters by type, or the caller passes them as
  /// run-time arguments.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Argument: Sendable, each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line)
  }
}
