/// Something to resolve services from: a ``Container``, or the ``Resolver`` that a factory is given.
///
/// All forms come twice under the same name. In asynchronous code, `try await` takes the one that may suspend: it builds
/// asynchronous factories and waits for builds in flight without blocking a thread. In synchronous code the other one
/// is taken; it throws ``ResolutionError/Code/asyncRequired`` where only the first would do.
///
/// A resolve of a kept instance that exists takes no lock, allocates nothing, never suspends and never changes threads.
public protocol Resolving: Sendable {
  /// The resolver that calls are made through.
  nonisolated var resolver: Resolver { get }
}

extension Resolver: Resolving {
  /// Itself.
  public var resolver: Resolver {
    // `@inlinable` would be enough for speed; always inlined, it costs debug builds nothing either.
    @inlinable @inline(__always) get { self }
  }
}

extension Container: Resolving {
  /// The resolver for calls from outside of any factory.
  public nonisolated var resolver: Resolver {
    @inlinable @inline(__always) get { Resolver(container: self) }
  }
}

// Everything on the way to an instance that exists is `@inlinable`: specialised for the service's type in the caller's
// module, a hit is some twenty instructions, and the copy of the instance is most of its cost.
extension Resolving {
  // MARK: By type

  /// Resolves a service by its type.
  ///
  /// ```swift
  /// let store = try container.resolve((any UserStore).self)
  /// let clock: any Clock = try container.resolve()
  /// ```
  ///
  /// - Parameter type: the service, as registered; inferred from the context if left out.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: from any thread. Blocks only while another thread builds the same kept service synchronously.
  @inlinable
  @inline(__always)
  public func resolve<Service>(_ type: Service.Type = Service.self) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    // Folded by the compiler. A program has as many of these calls as its factories have parameters, and most run once.
    if Self.self == Resolver.self { return try source.take(type, frame) }
    var found = source.lookup(TypeAddress.of(type))
    if found.isToSearch(for: frame) { found = source.search(found, TypeAddress.of(type), frame) }
    if found.isKept { return found.hit(type) }
    return try source.make(type, found, frame)
  }

  /// Resolves a service by its type, suspending where it has to be built asynchronously.
  ///
  /// - Parameter type: the service, as registered; inferred from the context if left out.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: ``ResolutionError``, what the factory throws, or `CancellationError` when the task is cancelled while it
  ///   waits for a build.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: from any task; stays on the caller's executor. An asynchronous factory of a kept service runs in a task
  ///   of the container's; others run in the caller's.
  @inlinable
  @inline(__always)
  public func resolve<Service>(
    _ type: Service.Type = Service.self
  ) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    var found = source.lookup(TypeAddress.of(type))
    if found.isToSearch(for: frame) { found = source.search(found, TypeAddress.of(type), frame) }
    if found.isKept { return found.hit(type) }
    return try await source.makeAsync(type, found, frame)
  }

  // MARK: By key

  /// Resolves a service by its type and key.
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - key: the key it is registered under. Keys of different types are different keys.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: as `resolve(_:)`.
  @inlinable
  @inline(__always)
  public func resolve<Service>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable
  ) throws -> sending Service {
    let (source, frame, word) = (resolver.container, resolver.frame, KeyWord.hash(key))
    var found = source.lookup(TypeAddress.of(type), key: key, word: word)
    if found.isToSearch(for: frame) {
      found = source.search(found, TypeAddress.of(type), word: word, frame) {
        Binding.hasKey($0, key)
      }
    }
    if found.isKept { return found.hit(type) }
    return try source.make(type, found, frame, key: Key.of(key), literal: 0)
  }

  /// Resolves a service by its type and key, suspending where it has to be built asynchronously.
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - key: the key it is registered under. Keys of different types are different keys.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as the form without a key.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  @inlinable
  @inline(__always)
  public func resolve<Service>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable
  ) async throws -> sending Service {
    let (source, frame, word) = (resolver.container, resolver.frame, KeyWord.hash(key))
    var found = source.lookup(TypeAddress.of(type), key: key, word: word)
    if found.isToSearch(for: frame) {
      found = source.search(found, TypeAddress.of(type), word: word, frame) {
        Binding.hasKey($0, key)
      }
    }
    if found.isKept { return found.hit(type) }
    return try await source.makeAsync(type, found, frame, key: Key.of(key), literal: 0)
  }

  // MARK: By token

  /// Resolves a service by a typed token.
  ///
  /// - Parameter token: says both type and key; see ``ServiceKey``.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  /// - Concurrency: as `resolve(_:)`.
  @inlinable
  @inline(__always)
  public func resolve<Service>(_ token: ServiceKey<Service>) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    var found = source.lookup(token)
    if found.isToSearch(for: frame) { found = source.search(found, token, frame) }
    if found.isKept { return found.hit(Service.self) }
    return try source.make(Service.self, found, frame, key: token.key, literal: token.literalWord)
  }

  /// Resolves a service by a typed token, suspending where it has to be built asynchronously.
  ///
  /// - Parameter token: says both type and key; see ``ServiceKey``.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as the form by type.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  @inlinable
  @inline(__always)
  public func resolve<Service>(_ token: ServiceKey<Service>) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    var found = source.lookup(token)
    if found.isToSearch(for: frame) { found = source.search(found, token, frame) }
    if found.isKept { return found.hit(Service.self) }
    return try await source.makeAsync(Service.self, found, frame, key: token.key, literal: token.literalWord)
  }

  // MARK: With arguments

  /// Resolves a service whose factory takes run-time arguments.
  ///
  /// ```swift
  /// let greeting = try container.resolve(Greeting.self, arguments: "Ada")
  /// ```
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - arguments: what the factory takes beside the resolver. Their static types and order are part of what is looked up:
  ///     an `Int` does not find a factory that takes an `Int?`.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: as `resolve(_:)`.
  @inlinable
  @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, arguments: repeat each Argument
  ) throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let signature = TypeAddress.of(Signature<Service, repeat each Argument>.self)
    var found = source.lookup(signature)
    if found.isToSearch(for: frame) { found = source.search(found, signature, frame) }
    if found.isKept { return found.hit(type) }
    return try resolver.makeWithArguments(type, found.retain(), key: nil, arguments: repeat each arguments)
  }

  /// Resolves a service whose factory takes run-time arguments, suspending where it has to be built asynchronously.
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: as the form by type.
  /// - Complexity: O(1) for an instance that exists.
  @inlinable
  @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, arguments: repeat each Argument
  ) async throws -> sending Service {
    let (source, frame) = (resolver.container, resolver.frame)
    let signature = TypeAddress.of(Signature<Service, repeat each Argument>.self)
    var found = source.lookup(signature)
    if found.isToSearch(for: frame) { found = source.search(found, signature, frame) }
    if found.isKept { return found.hit(type) }
    return try await resolver.makeWithArguments(type, found.retain(), key: nil, arguments: repeat each arguments)
  }

  /// Resolves a keyed service whose factory takes run-time arguments.
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - key: the key it is registered under.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: ``ResolutionError``, or what the factory throws.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: as `resolve(_:)`.
  @inlinable
  @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable,
    arguments: repeat each Argument
  ) throws -> sending Service {
    let (source, frame, word) = (resolver.container, resolver.frame, KeyWord.hash(key))
    let signature = TypeAddress.of(Signature<Service, repeat each Argument>.self)
    var found = source.lookup(signature, key: key, word: word)
    if found.isToSearch(for: frame) {
      found = source.search(found, signature, word: word, frame) { Binding.hasKey($0, key) }
    }
    if found.isKept { return found.hit(type) }
    return try resolver.makeWithArguments(
      type, found.retain(), key: Key.of(key), arguments: repeat each arguments)
  }

  /// Resolves a keyed service whose factory takes run-time arguments, suspending where it has to be built asynchronously.
  ///
  /// - Parameters:
  ///   - type: the service, as registered; inferred from the context if left out.
  ///   - key: the key it is registered under.
  ///   - arguments: what the factory takes beside the resolver; their types and order are part of what is looked up.
  /// - Returns: the instance. A kept instance ignores the values: the first ones count.
  /// - Throws: as the form by type.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  @inlinable
  @inline(__always)
  public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, key: some Hashable & Sendable,
    arguments: repeat each Argument
  ) async throws -> sending Service {
    let (source, frame, word) = (resolver.container, resolver.frame, KeyWord.hash(key))
    let signature = TypeAddress.of(Signature<Service, repeat each Argument>.self)
    var found = source.lookup(signature, key: key, word: word)
    if found.isToSearch(for: frame) {
      found = source.search(found, signature, word: word, frame) { Binding.hasKey($0, key) }
    }
    if found.isKept { return found.hit(type) }
    return try await resolver.makeWithArguments(
      type, found.retain(), key: Key.of(key), arguments: repeat each arguments)
  }
}

extension Container {
  /// Looks a token up in this container's own registry: by the address of its literal, if it is made of one.
  @inlinable
  @inline(__always)
  nonisolated func lookup<Service>(_ token: ServiceKey<Service>) -> Lookup {
    let word = token.literalWord
    if word != 0 { return lookup(TypeAddress.of(Service.self), word: word) }
    let record = unsafe ThreadRecordPointer.current
    unsafe record.pin()
    return unsafe Lookup(unsearched: record)
  }

  /// What a token leads to.
  @inlinable
  @inline(__always)
  nonisolated func search<Service>(_ found: Lookup, _ token: ServiceKey<Service>, _ frame: ResolutionFrame?) -> Lookup {
    let word = token.literalWord
    if word != 0 { return search(found, TypeAddress.of(Service.self), literal: word, frame) }
    return searchByKey(found, token, frame)
  }

  /// What a token leads to that is not made of a literal. Apart from where it is used, which is to hold no reference to the token.
  @inlinable
  @inline(never)
  nonisolated func searchByKey<Service>(
    _ found: Lookup, _ token: ServiceKey<Service>, _ frame: ResolutionFrame?
  ) -> Lookup {
    search(found, TypeAddress.of(Service.self), word: token.keyWord, frame) { token.isKey(of: $0) }
  }
}
