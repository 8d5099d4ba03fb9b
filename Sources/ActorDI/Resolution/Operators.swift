/// Resolves what the context asks for: `let clock: any Clock = try resolver~>`.
///
/// The standard library declares the infix operator of this name.
postfix operator ~>

// The short forms of `resolve`: the same functions, written as operators, for factories that take many dependencies.
//
// ```swift
// Registration(Report.self) { r in
//   Report(clock: try r~>, store: try r ~> (any Store).self, title: try r ~> (Title.self, argument: "Report"))
// }
// ```
//
// As those they come twice: `try await` takes the form that may suspend. Beside a comparison or a cast, the infix form needs
// parentheses: the standard library's declaration gives it no precedence over these.

/// Resolves the service that the context asks for.
///
/// - Parameter resolver: a container, or what a factory is given.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public postfix func ~> <Service>(
  resolver: some Resolving
) throws -> sending Service {
  try resolver.resolve(Service.self)
}

/// Resolves the service that the context asks for, suspending where it has to be built asynchronously.
///
/// - Parameter resolver: a container, or what a factory is given.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public postfix func ~> <Service>(
  resolver: some Resolving
) async throws -> sending Service {
  try await resolver.resolve(Service.self)
}

/// Resolves a service by its type.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - type: the service, as registered.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service>(
  resolver: some Resolving, type: Service.Type
) throws -> sending Service {
  try resolver.resolve(type)
}

/// Resolves a service by its type, suspending where it has to be built asynchronously.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - type: the service, as registered.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service>(
  resolver: some Resolving, type: Service.Type
) async throws -> sending Service {
  try await resolver.resolve(type)
}

/// Resolves a service by its type and key: `resolver ~> (T.self, key: k)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and its key.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key)
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key)
}

/// Resolves a service by its type and key, suspending where it has to be built asynchronously: `resolver ~>
/// (T.self, key: k)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and its key.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key)
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key)
}

/// Resolves a service with one run-time argument: `resolver ~> (T.self, argument: a)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and the argument.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, argument: Argument)
) throws -> sending Service {
  try resolver.resolve(service.0, arguments: service.argument)
}

/// Resolves a service with one run-time argument, suspending where it has to be built asynchronously: `resolver ~>
/// (T.self, argument: a)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and the argument.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, argument: Argument)
) async throws -> sending Service {
  try await resolver.resolve(service.0, arguments: service.argument)
}

/// Resolves a service with run-time arguments: `resolver ~> (T.self, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and the arguments, any number of them.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, arguments: (repeat each Argument))
) throws -> sending Service {
  try resolver.resolve(service.0, arguments: repeat each service.arguments)
}

/// Resolves a service with run-time arguments, suspending where it has to be built asynchronously: `resolver ~>
/// (T.self, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type and the arguments, any number of them.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, arguments: (repeat each Argument))
) async throws -> sending Service {
  try await resolver.resolve(service.0, arguments: repeat each service.arguments)
}

/// Resolves a keyed service with one run-time argument: `resolver ~> (T.self, key: k, argument: a)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type, its key and the argument.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, argument: Argument)
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key, arguments: service.argument)
}

/// Resolves a keyed service with one run-time argument, suspending where it has to be built asynchronously:
/// `resolver ~> (T.self, key: k, argument: a)`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type, its key and the argument.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable, Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, argument: Argument)
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key, arguments: service.argument)
}

/// Resolves a keyed service with run-time arguments: `resolver ~> (T.self, key: k, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type, its key and the arguments, any number of them.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, arguments: (repeat each Argument))
) throws -> sending Service {
  try resolver.resolve(service.0, key: service.key, arguments: repeat each service.arguments)
}

/// Resolves a keyed service with run-time arguments, suspending where it has to be built asynchronously: `resolver
/// ~> (T.self, key: k, arguments: (a, b))`.
///
/// - Parameters:
///   - resolver: a container, or what a factory is given.
///   - service: its type, its key and the arguments, any number of them.
/// - Returns: the instance, kept or made as the registration's scope says.
/// - Throws: as `resolve(_:)`.
@_alwaysEmitIntoClient
@inline(__always)
public func ~> <Service, Key: Hashable & Sendable, each Argument: Sendable>(
  resolver: some Resolving, service: (Service.Type, key: Key, arguments: (repeat each Argument))
) async throws -> sending Service {
  try await resolver.resolve(service.0, key: service.key, arguments: repeat each service.arguments)
}
