// Registration by factory closure.
//
// Each kind of factory (synchronous, asynchronous, main-actor) has two forms. The first takes a Sendable service and an optional
// scope. The second takes any service and no scope; its factory returns a `sending` result, because each caller owns its instance.
//
// Where both forms fit, the type checker prefers the one that needs fewer default arguments. If the numbers are equal, it prefers the
// more specific form: the one whose parameters convert to the other's, and whose service is constrained to Sendable. So the second
// form has an unused parameter, `unscoped`, in the place of the scope. Disfavouring the second form does not work: the type checker
// then chooses the first for every service, and fails.
//
// The type checker does not try a disfavoured form where another one fits. The forms of this file are the most frequent and are not
// disfavoured. The forms with run-time arguments, asynchronous factories or tokens are. The main-actor forms are not disfavoured,
// because the type checker would otherwise choose a synchronous form for a main-actor factory. Their service type is optional instead. The
// conversion of a type to it ranks them below the synchronous forms, and lets the type checker leave them before it checks the closure.
// A main-actor factory's conversion to a synchronous form ranks lower still.
//
// The synchronous forms are `@inlinable` and store the factory as written. A transient resolve is then one call of the factory,
// without a thunk for an empty argument list. The forms in `Registration+Arguments.swift` take a parameter pack, which may be empty.
extension Registration where Service: Sendable {
  /// Registers a service by a factory.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - factory: Creates an instance, with its dependencies from the resolver.
  @inlinable
  public init(
    _ service: Service.Type = Service.self, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), scope, fileID, line)
  }

  /// Registers a service by a factory that runs on the main actor.
  ///
  /// Asynchronous code can resolve the service anywhere, synchronous code only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor.
  public init(
    _ service: Service.Type? = nil, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: factory, scope, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references.
  @inlinable
  public init(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a factory that runs on the main actor. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor, that nothing else references.
  public init(
    _ service: Service.Type? = nil, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: factory, .transient, fileID, line)
  }
}
