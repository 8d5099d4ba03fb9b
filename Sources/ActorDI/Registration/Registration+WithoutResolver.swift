// Registration by a closure without parameters, which takes nothing from the container.
//
// A closure that ignores its resolver, `{ _ in … }`, looks like one that uses it, so its dependencies are unknown. A
// closure without parameters has none: its registration is not opaque. The forms are disfavoured, so the type checker
// tries them only where no form with a resolver fits.
//
// The synchronous forms are `@inlinable`, as those with a resolver are.
extension Registration where Service: Sendable {
  /// Registers a service by a factory that depends on no other service, as `dependsOn()` declares.
  ///
  /// ```swift
  /// Registration((any Clock).self, scope: .singleton) { SystemClock() }
  /// ```
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - factory: Creates an instance.
  @_disfavoredOverload @inlinable
  public init(
    _ service: Service.Type = Service.self, scope: Scope? = nil, factory: @escaping @Sendable () throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory { _ in try factory() }, scope, fileID, line)
    dependOnNothing()
  }

  /// Registers a service by an asynchronous factory that depends on no other service, as `dependsOn()` declares.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the factory is isolated to, if any.
  ///   - factory: Creates an instance.
  @_disfavoredOverload
  public init(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable () async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      service, scope: scope, isolation: isolation, factory: { _ in try await factory() }, fileID: fileID, line: line)
    dependOnNothing()
  }

  /// Registers a service by a main-actor factory that depends on no other service, as `dependsOn()` declares.
  ///
  /// Asynchronous code can resolve the service anywhere, synchronous code only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor.
  @_disfavoredOverload
  public init(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable () throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      service, scope: scope, isolation: isolation, factory: { @MainActor _ in try factory() }, fileID: fileID,
      line: line)
    dependOnNothing()
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory that depends on no other service. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references.
  @_disfavoredOverload @inlinable
  public init(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable () throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory { _ in try factory() }, .transient, fileID, line)
    dependOnNothing()
  }

  /// Declares that the factory has no dependencies. Call only while nothing else refers to the binding.
  @usableFromInline
  func dependOnNothing() { binding.describe { $0.traits.insert(.declaresDependencies) } }
}
