// One variadic form could tell all initialisers, and does for those that are not here. But what is passed as a variadic list goes by way of
// memory, and is retained once more by the initialiser: for each dependency about half of what it costs to make a small object. So the numbers
// of parameters that most initialisers have are written out, and cost what a factory closure does. `consuming`, since initialisers keep what
// they are given.
//
// All are inlined, so that the initialiser becomes part of the code that calls it: a call through a function value would cost as much as the
// look-up of a dependency.
extension Registration where Service: Sendable {
  /// Registers a service by an initialiser without parameters.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  @inline(__always)
  public init(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable () throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { _ in try initializer() }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with one parameter, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  @inline(__always)
  public init<A>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try $0.give(to: initializer) }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with two parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  @inline(__always)
  public init<A, B>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try $0.give(to: initializer) }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with three parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  @inline(__always)
  public init<A, B, C>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B, consuming C) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try $0.give(to: initializer) }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with four parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @inlinable
  @inline(__always)
  public init<A, B, C, D>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B, consuming C, consuming D) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try $0.give(to: initializer) }, initializer, scope, fileID, line)
  }

  /// - Parameter factory: calls the initialiser for a synchronous caller.
  @inlinable
  init<each Dependency>(
    autowired factory: Factory,
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service, _ scope: Scope?,
    _ fileID: StaticString, _ line: UInt
  ) {
    let recipe = Recipe(
      either: factory,
      { resolver in
        Instance(holding: try initializer(repeat try await resolver.resolve((each Dependency).self)))
      })
    self.init(
      recipe, DependencyList.of(repeat (each Dependency).self), scope, fileID, line,
      inheriting: KeyInheritance.recipe(initializer))
  }
}

// Apart from the closures above, and not inlined into them. There they would be part of what converts one kind of function to another, and
// into that the compiler inlines no functions of C's: neither the thread's record nor the fences of a pin.
extension Resolver {
  @inlinable
  @inline(never)
  func give<A, Service>(to initializer: (consuming A) throws -> Service) throws -> Service {
    try initializer(resolve(A.self))
  }

  @inlinable
  @inline(never)
  func give<A, B, Service>(to initializer: (consuming A, consuming B) throws -> Service) throws -> Service {
    try initializer(resolve(A.self), resolve(B.self))
  }

  @inlinable
  @inline(never)
  func give<A, B, C, Service>(to initializer: (consuming A, consuming B, consuming C) throws -> Service) throws
    -> Service
  {
    try initializer(resolve(A.self), resolve(B.self), resolve(C.self))
  }

  @inlinable
  @inline(never)
  func give<A, B, C, D, Service>(to initializer: (consuming A, consuming B, consuming C, consuming D) throws -> Service)
    throws -> Service
  {
    try initializer(resolve(A.self), resolve(B.self), resolve(C.self), resolve(D.self))
  }
}
