/// Resolves the type inferred from the context: `let time: any TimeSource = try resolver~>`.
///
/// The standard library declares the infix operator of this name.
postfix operator ~>

// Operator forms of `resolve`, for factories with many dependencies.
//
// ```swift
// Registration(Report.self) { r in
//   Report(clock: try r~>, store: try r ~> (any Store).self, title: try r ~> (Title.self, argument: "Report"))
// }
// ```
//
// Like `resolve`, each operator has two overloads: `try await` selects the one that may suspend. Beside a comparison or a cast, the infix
// form needs parentheses, because the standard library's declaration gives it no precedence over them.
//
// Each is emitted into the client and inlined, so that it costs what its `resolve` costs.

/// Resolves the service inferred from the context.
///
/// - Parameter resolver: A container, or the resolver given to a factory.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:)`.
@_alwaysEmitIntoClient @inline(__always)
public postfix func ~> <Service>(resolver: some Resolving) throws -> sending Service {
  try resolver.resolve(Service.self)
}

/// Resolves the service inferred from the context, suspending if it is built asynchronously.
///
/// - Parameter resolver: A container, or the resolver given to a factory.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:)`.
@_alwaysEmitIntoClient @inline(__always)
public postfix func ~> <Service>(resolver: some Resolving) async throws -> sending Service {
  try await resolver.resolve(Service.self)
}

/// Resolves a service by type.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - type: The service type, as registered.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service>(resolver: some Resolving, type: Service.Type) throws -> sending Service {
  try resolver.resolve(type)
}

/// Resolves a service by type, suspending if it is built asynchronously.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - type: The service type, as registered.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service>(resolver: some Resolving, type: Service.Type) async throws -> sending Service {
  try await resolver.resolve(type)
}

/// Resolves a service by type and key: `resolver ~> (T.self, key: k)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and the key.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key)
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key)
}

/// Resolves a service by type and key, suspending if it is built asynchronously: `resolver ~> (T.self, key: k)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and the key.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key)
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key)
}

/// Resolves a service with one run-time argument: `resolver ~> (T.self, argument: a)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and the argument.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, argument: Argument)
) throws -> sending Service {
  try resolver.resolve(service.0, arguments: service.argument)
}

/// Resolves a service with one run-time argument, suspending if it is built asynchronously: `resolver ~> (T.self, argument: a)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and the argument.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, argument: Argument)
) async throws -> sending Service {
  try await resolver.resolve(service.0, arguments: service.argument)
}

/// Resolves a service with run-time arguments: `resolver ~> (T.self, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and a tuple of arguments.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, arguments: (repeat each Argument))
) throws -> sending Service {
  try resolver.resolve(service.0, arguments: repeat each service.arguments)
}

/// Resolves a service with run-time arguments, suspending if it is built asynchronously: `resolver ~> (T.self, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type and a tuple of arguments.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, arguments: (repeat each Argument))
) async throws -> sending Service {
  try await resolver.resolve(service.0, arguments: repeat each service.arguments)
}

/// Resolves a keyed service with one run-time argument: `resolver ~> (T.self, key: k, argument: a)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type, the key and the argument.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, argument: Argument)
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key, arguments: service.argument)
}

/// Resolves a keyed service with one run-time argument, suspending if it is built asynchronously: `resolver ~> (T.self, key: k,
/// argument: a)`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type, the key and the argument.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, argument: Argument)
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key, arguments: service.argument)
}

/// Resolves a keyed service with run-time arguments: `resolver ~> (T.self, key: k, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type, the key and a tuple of arguments.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, arguments: (repeat each Argument))
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key, arguments: repeat each service.arguments)
}

/// Resolves a keyed service with run-time arguments, suspending if it is built asynchronously: `resolver ~> (T.self, key: k, arguments:
/// (a, b))`.
///
/// - Parameters:
///   - resolver: A container, or the resolver given to a factory.
///   - service: The service type, the key and a tuple of arguments.
/// - Returns: The instance, kept or new according to the registration's scope.
/// - Throws: The errors of `resolve(_:key:arguments:)`.
@_alwaysEmitIntoClient @inline(__always)
public func ~> <Service, Key: Hashable & Sendable, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, arguments: (repeat each Argument))
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key, arguments: repeat each service.arguments)
}
