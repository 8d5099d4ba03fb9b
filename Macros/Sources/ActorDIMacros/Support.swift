public import ActorDI

// Called by generated code only, with a key that may be a token. A token of another type than the parameter's is one error, at the marker, and
// none in the generated code: the last form of each function accepts it. It never runs, because the error ends the compilation. The marker
// of a property does not see its type, so there the last form of `_dependsOn(_:ofProperty:)` is the error.

extension Resolver {
  @inlinable
  @inline(__always)
  public func _injected<Service>(_ type: Service.Type, _ key: some Hashable & Sendable) throws -> sending Service {
    try resolve(type, key: key)
  }

  @inlinable
  @inline(__always)
  public func _injected<Service>(_ type: Service.Type, _ key: some Hashable & Sendable) async throws -> sending Service
  {
    try await resolve(type, key: key)
  }

  @inlinable
  @inline(__always)
  public func _injected<Service>(_ type: Service.Type, _ token: ServiceKey<Service>) throws -> sending Service {
    try resolve(token)
  }

  @inlinable
  @inline(__always)
  public func _injected<Service>(_ type: Service.Type, _ token: ServiceKey<Service>) async throws -> sending Service {
    try await resolve(token)
  }

  @_disfavoredOverload
  public func _injected<Service, Other>(_ type: Service.Type, _ token: ServiceKey<Other>) throws -> sending Service {
    fatalError("The token names \(Other.self), not \(Service.self).")
  }

  @_disfavoredOverload
  public func _injected<Service, Other>(_ type: Service.Type, _ token: ServiceKey<Other>) async throws
    -> sending Service
  {
    fatalError("The token names \(Other.self), not \(Service.self).")
  }
}

// The forms with run-time arguments, as in the library, but each factory returns a `sending` result, as those of generated code do.
// Compiler 6.3.1 crashes where it converts such a function to one without, if an argument is a closure without a result.

extension Registration where Service: Sendable {
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type, scope: Scope? = nil,
    _taking factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(service, scope: scope, factory: factory, fileID: fileID, line: line)
  }

  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    _taking factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(service, scope: scope, factory: factory, fileID: fileID, line: line)
  }
}

extension Registration {
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type, unscoped: (any Sendable)? = nil,
    _taking factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(service, factory: factory, fileID: fileID, line: line)
  }

  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    _taking factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(service, factory: factory, fileID: fileID, line: line)
  }
}

extension Registration {
  @inlinable
  public consuming func _declaring(_ declare: (inout Self) -> Void) -> Self {
    var registration = self
    declare(&registration)
    return registration
  }

  @inlinable
  public mutating func _dependsOn<Other>(_ type: Other.Type, _ key: some Hashable & Sendable) {
    self = dependsOn(type, key: key)
  }

  @inlinable
  public mutating func _dependsOn<Other>(_ type: Other.Type, _ token: ServiceKey<Other>) { self = dependsOn(token) }

  @_disfavoredOverload
  public mutating func _dependsOn<Other, Named>(_ type: Other.Type, _ token: ServiceKey<Named>) {
    fatalError("The token names \(Named.self), not \(Other.self).")
  }

  @inlinable
  public mutating func _dependsOn<Other>(_ type: Other.Type, ofProperty key: some Hashable & Sendable) {
    self = dependsOn(type, key: key)
  }

  @inlinable
  public mutating func _dependsOn<Other>(_ type: Other.Type, ofProperty token: ServiceKey<Other>) {
    self = dependsOn(token)
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "the token names a service of another type than the property")
  public mutating func _dependsOn<Other, Named>(_ type: Other.Type, ofProperty token: ServiceKey<Named>) {
    fatalError()
  }
}
