/// A source of services: a ``Container``, or the ``Resolver`` given to a factory.
///
/// Each method has two overloads. In asynchronous code, `try await` selects the one that may suspend: it builds asynchronous factories,
/// and waits for builds in progress without blocking a thread. Synchronous code uses the other overload, which throws
/// ``ResolutionError/Code/asyncRequired`` where only the asynchronous one can succeed.
///
/// Resolving a kept instance that exists never suspends and never changes threads. It takes no lock and allocates nothing either, with
/// these exceptions:
///
/// - an instance with a time to live, one of several per argument values, one that a container below its own decorates, and overrides;
/// - a weakly kept instance that a factory resolves, which the call retains until its end;
/// - a request by a factory of a kept service, if the container notes what the instance is made of: by an asynchronous factory, or by a
///   closure that resolves its dependencies.
public protocol Resolving: Sendable {
  /// The resolver that performs the calls.
  nonisolated var resolver: Resolver { get }
}

extension Resolver: Resolving {
  /// This resolver.
  public var resolver: Resolver {
    // Always inlined, which makes it free in debug builds, too.
    @_alwaysEmitIntoClient @inline(__always) get { self }
  }
}

extension Container: Resolving {
  /// The resolver for calls from outside of any factory.
  public nonisolated var resolver: Resolver {
    @_alwaysEmitIntoClient @inline(__always) get { Resolver(container: self) }
  }
}

// All code on the way to an existing instance is emitted into the client (`@_alwaysEmitIntoClient`), inlined there, and specialised for the
// service's type. A hit takes some twenty instructions; most of its cost is the copy of the instance.
extension Resolving {
  // MARK: By type

  /// Resolves a service by type.
  ///
  /// ```swift
  /// let store = try container.resolve((any UserStore).self)
  /// let time: any TimeSource = try container.resolve()
  /// ```
  ///
  /// - Parameter type: The service type, as registered; inferred from the context if omitted.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: Callable from any thread. Blocks only while another thread builds the same kept service synchronously.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(_ type: Service.Type = Service.self) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    // The compiler evaluates this condition. Most parameters of a factory are new transients, which the library finds and makes in this
    // one call. Inlined code would look each of them up first, and then make another call.
    if Self.self == Resolver.self { return try source.resolveInOneCall(type, frame) }
    let found = source.find(TypeAddress.of(type), frame)
    if found.isKept { return found.hit(type) }
    return try source.make(type, found, frame)
  }

  /// Resolves a service by type, suspending if it is built asynchronously.
  ///
  /// - Parameter type: The service type, as registered; inferred from the context if omitted.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: ``ResolutionError``, the errors of the factory, or `CancellationError` if the task is cancelled while it waits for a
  ///   build.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: Callable from any task; stays on the caller's executor. An asynchronous factory of a kept service runs in a task of
  ///   the container's; any other factory runs in the caller's task.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(_ type: Service.Type = Service.self) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let found = source.find(TypeAddress.of(type), frame)
    if found.isKept { return found.hit(type) }
    return try await source.makeAsync(type, found, frame)
  }

  // MARK: By key

  /// Resolves a service by type and key.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - key: The key that the service is registered under. Keys of different types are different keys.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: That of `resolve(_:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable
  ) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let found = source.find(TypeAddress.of(type), key: key, frame)
    if found.isKept { return found.hit(type) }
    return try source.make(type, found, frame, key: Key.of(key))
  }

  /// Resolves a service by type and key, suspending if it is built asynchronously.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - key: The key that the service is registered under. Keys of different types are different keys.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: That of the asynchronous `resolve(_:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable
  ) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let found = source.find(TypeAddress.of(type), key: key, frame)
    if found.isKept { return found.hit(type) }
    return try await source.makeAsync(type, found, frame, key: Key.of(key))
  }

  // MARK: By token

  /// Resolves a service by a typed token.
  ///
  /// - Parameter token: The type and key of the service; see ``ServiceKey``.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  /// - Concurrency: That of `resolve(_:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(_ token: ServiceKey<Service>) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let found = source.find(token, frame)
    if found.isKept { return found.hit(Service.self) }
    return try source.make(Service.self, found, frame, key: token.key)
  }

  /// Resolves a service by a typed token, suspending if it is built asynchronously.
  ///
  /// - Parameter token: The type and key of the service; see ``ServiceKey``.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  /// - Concurrency: That of the asynchronous `resolve(_:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service>(_ token: ServiceKey<Service>) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let found = source.find(token, frame)
    if found.isKept { return found.hit(Service.self) }
    return try await source.makeAsync(Service.self, found, frame, key: token.key)
  }

  // MARK: With arguments

  // Disfavoured: without arguments, these overloads match all calls of the overloads above, and the type checker would compare both.

  /// Resolves a service whose factory takes run-time arguments.
  ///
  /// ```swift
  /// let greeting = try container.resolve(Greeting.self, arguments: "Ada")
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - arguments: The factory's arguments besides the resolver. Their static types and order are part of the service's identity: an
  ///     `Int` does not match a factory that takes an `Int?`.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: That of `resolve(_:)`.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, arguments: repeat each Argument
  ) throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(signature, resolver.frame)
    if found.isKept { return found.hit(type) }
    return try resolver.container.make(
      type, found, resolver.frame, key: nil, arguments: .of(repeat each arguments))
  }

  /// Resolves a service whose factory takes run-time arguments, suspending if it is built asynchronously.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - arguments: The factory's arguments besides the resolver. Their types and order are part of the service's identity.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: That of the asynchronous `resolve(_:)`.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, arguments: repeat each Argument
  ) async throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(signature, resolver.frame)
    if found.isKept { return found.hit(type) }
    return try await resolver.container.makeAsync(
      type, found, resolver.frame, key: nil, arguments: .of(repeat each arguments))
  }

  /// Resolves a keyed service whose factory takes run-time arguments.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - key: The key that the service is registered under.
  ///   - arguments: The factory's arguments besides the resolver. Their types and order are part of the service's identity.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: ``ResolutionError``, or the errors of the factory.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: That of `resolve(_:)`.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable, arguments: repeat each Argument
  ) throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(signature, key: key, resolver.frame)
    if found.isKept { return found.hit(type) }
    return try resolver.container.make(
      type, found, resolver.frame, key: Key.of(key), arguments: .of(repeat each arguments))
  }

  /// Resolves a keyed service whose factory takes run-time arguments, suspending if it is built asynchronously.
  ///
  /// - Parameters:
  ///   - type: The service type, as registered; inferred from the context if omitted.
  ///   - key: The key that the service is registered under.
  ///   - arguments: The factory's arguments besides the resolver. Their types and order are part of the service's identity.
  /// - Returns: The instance. The values of the first resolve determine a kept instance; later values are ignored.
  /// - Throws: The errors of the asynchronous `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: That of the asynchronous `resolve(_:)`.
  @_disfavoredOverload @_alwaysEmitIntoClient @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable, arguments: repeat each Argument
  ) async throws -> sending Service {
    let signature = TypeAddress.of(Service.self, taking: repeat (each Argument).self)
    let found = resolver.container.find(signature, key: key, resolver.frame)
    if found.isKept { return found.hit(type) }
    return try await resolver.container.makeAsync(
      type, found, resolver.frame, key: Key.of(key), arguments: .of(repeat each arguments))
  }
}
