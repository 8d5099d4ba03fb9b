/// Describes how a container creates a service and how long it keeps an instance.
///
/// A registration is an immutable value. Its modifiers return changed copies, and any number of containers can register it.
///
/// ```swift
/// Registration(autowired: (any TimeSource).self, scope: .singleton) { SystemTime() }
/// Registration((any Database).self, scope: .singleton) { r in
///   try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
/// }
/// Registration(
///   autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
/// Registration(Greeting.self) { (r, name: String) in
///   Greeting(name: name, time: try r.resolve())
/// }
/// ```
///
/// Factories may be asynchronous, and isolated to an actor. Synchronous code on the main thread can resolve a service with a
/// main-actor factory, `{ @MainActor r in … }`. A factory isolated to your own global actor requires asynchronous code. For such a
/// factory name the actor, `isolation: DatabaseActor.self`, or declare the closure asynchronous, `{ @DatabaseActor r async in … }`.
///
/// A service that the container keeps must be Sendable. A service that is not Sendable can be registered without a scope: it is
/// transient, and the factory creates a separate instance for each caller.
public struct Registration<Service>: Sendable {
  /// The storage, changed only while it is uniquely referenced; see ``Binding``.
  @usableFromInline var binding: Binding

  init(_ binding: Binding) { self.binding = binding }

  /// Registers a service by a synchronous factory. Inlined like its callers, so that a known service type needs no metadata lookup.
  ///
  /// - Parameter scope: nil for the container's default scope.
  @inlinable
  init(synchronous factory: Factory, _ scope: Scope?, _ fileID: StaticString, _ line: UInt) {
    binding = Binding(Service.self, factory, scope, fileID, line)
  }

  /// Registers a service by a synchronous factory with run-time arguments, of which there may be none.
  @_alwaysEmitIntoClient @inline(__always)
  init<each Argument: Sendable>(
    taking factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let arguments = Arguments.type(of: repeat (each Argument).self)
    self.init(synchronous: Factory(taking: factory), taking: arguments, scope, fileID, line)
  }

  /// Registers a service by a synchronous factory.
  ///
  /// - Parameters:
  ///   - arguments: The types of the run-time arguments; nil if there are none.
  ///   - scope: nil for the container's default scope.
  @usableFromInline
  init(
    synchronous factory: Factory, taking arguments: Arguments.Type?, _ scope: Scope?, _ fileID: StaticString,
    _ line: UInt
  ) {
    self.init(Recipe(.synchronous, factory), taking: arguments, scope, fileID, line)
  }

  /// Registers a service by a recipe.
  ///
  /// - Parameters:
  ///   - arguments: The types of the run-time arguments; nil if there are none.
  ///   - scope: nil for the container's default scope.
  init(_ recipe: Recipe, taking arguments: Arguments.Type?, _ scope: Scope?, _ fileID: StaticString, _ line: UInt) {
    let identity = ServiceIdentity(Service.self, taking: arguments)
    binding = Binding(Descriptor(identity, scope, recipe.synchrony, RegistrationSource(fileID, line)), recipe)
  }

  /// Registers a service by an asynchronous factory with run-time arguments, of which there may be none.
  @_alwaysEmitIntoClient @inline(__always)
  init<each Argument: Sendable>(
    asynchronous factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let arguments = Arguments.type(of: repeat (each Argument).self)
    self.init(asynchronous: Recipe.makeAsync(by: factory), taking: arguments, scope, fileID, line)
  }

  /// Registers a service by an asynchronous factory.
  ///
  /// - Parameters:
  ///   - arguments: The types of the run-time arguments; nil if there are none.
  ///   - scope: nil for the container's default scope.
  @usableFromInline
  init(
    asynchronous makeAsync: @escaping Recipe.MakeAsync, taking arguments: Arguments.Type?, _ scope: Scope?,
    _ fileID: StaticString, _ line: UInt
  ) {
    self.init(Recipe(Service.self, makeAsync), taking: arguments, scope, fileID, line)
  }

  /// Registers a service by a main-actor factory with run-time arguments, of which there may be none.
  init<each Argument: Sendable>(
    mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let arguments = Arguments.type(of: repeat (each Argument).self)
    self.init(Recipe(mainActor: factory), taking: arguments, scope, fileID, line)
  }

  // MARK: Changed copies

  /// Returns the registration with a changed description. Copies the binding only if it is shared.
  consuming func describing(_ change: (inout Descriptor) -> Void) -> Self {
    Binding.makeUnique(&binding)
    binding.describe(change)
    return self
  }

  /// Returns the binding for a container or a collection to take over.
  @inlinable
  consuming func takeBinding() -> Binding { binding }
}

// MARK: - In a builder

extension RegistrationBuilder {
  /// Adds a registration.
  @inlinable
  public static func buildExpression<Service>(_ registration: consuming Registration<Service>) -> Registrations {
    Registrations(registration.takeBinding())
  }

  /// Adds the registrations of a list, in order.
  @_disfavoredOverload
  public static func buildExpression<Service>(_ registrations: [Registration<Service>]) -> Registrations {
    buildArray(registrations.map { buildExpression($0) })
  }

  /// Adds a registration, or nothing for nil.
  @_disfavoredOverload
  public static func buildExpression<Service>(_ registration: Registration<Service>?) -> Registrations {
    buildOptional(registration.map { buildExpression($0) })
  }

  /// Adds nothing: the statement has run, and has no value to register.
  ///
  /// Deprecated rather than unavailable, because the form for plain values would win over an unavailable one.
  @_disfavoredOverload
  @available(*, deprecated, message: "the statement runs, but registers nothing; move it out of the builder")
  public static func buildExpression(_ nothing: Void) -> Registrations { Registrations() }

  /// Registers the type itself as a service.
  ///
  /// Deprecated rather than unavailable, because the form for plain values would win over an unavailable one.
  @_disfavoredOverload
  @available(*, deprecated, message: "this registers the type itself as a service; call its initialiser")
  public static func buildExpression<Value: SendableMetatype>(
    _ type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Registrations {
    Registrations(Registration(instance: type, fileID: fileID, line: line).takeBinding())
  }

  /// Registers the token itself as a service.
  ///
  /// Deprecated rather than unavailable, because the form for plain values would win over an unavailable one.
  @_disfavoredOverload
  @available(
    *, deprecated, message: "this registers the token itself as a service; write Registration(.token) { … }"
  )
  public static func buildExpression<Service>(
    _ token: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Registrations {
    Registrations(Registration(instance: token, fileID: fileID, line: line).takeBinding())
  }

  /// Adds a plain value, evaluated when it is resolved. Disfavoured, because every expression is a value.
  @_disfavoredOverload
  public static func buildExpression<Service: Sendable>(
    _ value: @autoclosure @escaping @Sendable () -> Service, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Registrations {
    Registrations(Registration(autowired: Service.self, initializer: value, fileID: fileID, line: line).takeBinding())
  }
}
