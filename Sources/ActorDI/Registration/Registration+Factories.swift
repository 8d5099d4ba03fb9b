// Registration by factory closure.
//
// Each kind of factory (synchronous, asynchronous, main actor) has two forms. The first takes a Sendable service and an optional scope.
// The second takes any service: its factory returns a `sending` result, since each caller owns what it gets, and it has no scope.
//
// Where both fit, the type checker prefers the one that needs fewer defaults; of two that need the same number, the one whose parameters
// convert to the other's, and which knows the service to be Sendable. So where the first form has its scope, the second has a parameter
// that nobody uses, `unscoped`. To disfavour the second form is no way: the type checker then takes the first for any service, and fails.
//
// A disfavoured form is not tried where another one fits. The forms of this file are the most frequent ones, and are not disfavoured; those
// with run-time arguments, the asynchronous ones and those with a token are. The main-actor forms have to stand beside the synchronous ones,
// which the type checker would take for a main-actor factory, too.
//
// The synchronous forms are `@inlinable` and store the factory as written: a transient resolve is then one call of it, without a thunk for
// an empty argument list. The forms in `Registration+Arguments.swift` take a parameter pack, which may be empty.
extension Registration where Service: Sendable {
  /// Registers a service by a factory.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - factory: makes an instance. It resolves its dependencies from the resolver.
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
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), nil, scope, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - factory: makes an instance that nothing else refers to.
  @inlinable
  public init(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a factory that runs on the main actor: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  public init(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), nil, .transient, fileID, line)
  }
}
