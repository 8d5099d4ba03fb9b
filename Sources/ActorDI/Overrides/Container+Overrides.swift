// Overrides for a single task, for tests that run in parallel.
extension Container {
  /// Runs an operation with replaced registrations, which only the calling task and its child tasks see.
  ///
  /// ```swift
  /// @Test func ordersAreRefused() async throws {
  ///   try await container.withOverrides {
  ///     Registration(autowired: (any Payments).self, scope: .singleton) { BrokenPayments() }
  ///   } operation: {
  ///     let shop = try await container.resolve(Shop.self)  // made with the broken payments
  ///     await #expect(throws: PaymentError.self) { try await shop.order("tea") }
  ///   }
  /// }
  /// ```
  ///
  /// **Where overrides apply.** They apply to every call that the operation or its child tasks make to this container.
  /// The same is true of calls to its children and scopes, and to containers that link to it. They do not apply in
  /// detached tasks or in a task that outlives the operation. A lookup searches them first, nested overrides before
  /// enclosing ones. In `[T]`, an override hides the registration of its type and key. A ``Decorator`` among the overrides wraps
  /// the service that is found without it.
  ///
  /// **What keeps them.** An ``Injected`` property, a ``Lazy`` or a ``Provider`` that is created in the operation resolves
  /// from the overrides, also after the operation. The operation's own instances are gone by then, so the overrides make new
  /// ones. These are disposed of when the last such property, lazy or provider is released.
  ///
  /// **What stays untouched.** Overrides never change the container:
  ///
  /// - A kept service whose dependency graph includes an override is built once for the operation alone, and disposed of with
  ///   it, or with a container or scope that ends earlier. So tests with conflicting overrides can run in parallel.
  /// - Any other kept service remains the container's own. Its build sees no overrides.
  ///
  /// **How the graph is determined.** The dependencies of autowired initialisers, injected properties, values and declared
  /// factories (`dependsOn(_:)`) are known in advance. Those of a factory closure, a hook or a decorator are known once it
  /// has run, in an operation with overrides or without. A closure that has not run yet counts as if it used an override, and
  /// so does one that takes the container itself. Services taken by a ``Lazy`` or ``Provider`` count, too. The closure of such
  /// a service counts as one that has not run, unless the service is kept. Two things are not seen: what an asynchronous
  /// closure takes through a captured container rather than its ``Resolver``, and what a closure will take that it has not
  /// taken in its runs so far. Declare these dependencies.
  ///
  /// **Strict operations.** With `strict`, resolving a service that is registered as ``Registration/external()`` fails, unless an override
  /// replaces it: the resolve throws ``ResolutionError/Code/external`` with the resolution path and the line of the registration. This
  /// also holds for the services of the container's parents, children, scopes and links. An external service counts as an override in
  /// the dependency graph of a kept service. So a service that exists already is built again, and fails if it resolves the external one.
  /// An override may itself be external.
  ///
  /// Calls that change the container, such as registering and resetting, work as usual; ``registrations`` and `validate()`
  /// describe the container without the overrides. ``validate(building:)`` builds with them.
  ///
  /// If a closure has `try` and `await` only inside macros, the compiler infers that it neither throws nor suspends. An
  /// example is `#expect(try await container.resolve(Shop.self).isOpen)`. Begin such a closure with `() async throws in`.
  ///
  /// The operation resolves on the slow path: overrides are for tests. Other tasks resolve as usual meanwhile, except
  /// that each resolve checks a task-local value.
  ///
  /// - Parameters:
  ///   - strict: Whether to refuse external services that no override replaces. An enclosing strict operation stays strict.
  ///   - overrides: The overriding registrations; see ``RegistrationBuilder``. Modules run their ``Module/didLoad(_:)`` with
  ///     a container that represents the overrides: registrations made in it are overrides, too.
  ///   - operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: ``ResolutionError`` for a faulty registration, before `operation` runs; any error of `overrides`, a module or
  ///   `operation`; otherwise a ``ShutdownError`` if an instance made for the operation could not be disposed of.
  /// - Concurrency: Stays on the caller's executor.
  public nonisolated(nonsending) func withOverrides<Result>(
    strict: Bool = false,
    @RegistrationBuilder _ overrides: nonisolated(nonsending) () async throws -> Registrations,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    try await withOverrides(try await overrides(), strict ? Strictness() : nil, operation: operation)
  }

  /// Runs an operation with replaced registrations, and reports external services that it resolves.
  ///
  /// - Parameter strictness: Nil to allow external services.
  package nonisolated(nonsending) func withOverrides<Result>(
    _ overrides: Registrations, _ strictness: Strictness?, operation: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let layer = try OverrideLayer(of: self, overrides, strictness)
    let (result, failures) = try await layer.run {
      try await layer.overlay.runInCall(overrides.modules)
      return try await operation()
    }
    if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    return result
  }

  /// Runs a synchronous operation with replaced registrations, which only the calling task or thread sees.
  ///
  /// See the asynchronous form for the details. Instances made for the operation whose disposal suspends are disposed of in
  /// the background.
  ///
  /// - Parameters:
  ///   - strict: Whether to refuse external services that no override replaces. An enclosing strict operation stays strict.
  ///   - overrides: The overriding registrations; see ``RegistrationBuilder``. Modules are not allowed, since they may
  ///     suspend.
  ///   - operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: ``ResolutionError`` for a faulty registration or, with the code ``ResolutionError/Code/asyncRequired``, for a
  ///   module, before `operation` runs; any error of `overrides` or `operation`; otherwise a ``ShutdownError`` if an instance
  ///   made for the operation could not be disposed of.
  public nonisolated func withOverrides<Result>(
    strict: Bool = false,
    @RegistrationBuilder _ overrides: () throws -> Registrations, operation: () throws -> Result
  ) throws -> Result {
    let batch = try overrides()
    if let module = batch.modules.first {
      throw ResolutionError(
        .asyncRequired, for: nil, container: name,
        note: "The module \(type(of: module)) may suspend. Override with its registrations, or make the operation "
          + "asynchronous: 'try await container.withOverrides { … } operation: { () async throws in … }'.")
    }
    let layer = try OverrideLayer(of: self, batch, strict ? Strictness() : nil)
    let (result, failures) = try layer.run(operation)
    if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    return result
  }
}
