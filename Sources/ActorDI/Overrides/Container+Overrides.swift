// Replacing registrations for one task: for tests that run in parallel.
extension Container {
  /// Runs an operation for which registrations are replaced: in the calling task and its child tasks, for nobody else.
  ///
  /// ```swift
  /// @Test func ordersAreRefused() async throws {
  ///   try await container.withOverrides {
  ///     Registration((any Payments).self, scope: .singleton) { _ in BrokenPayments() }
  ///   } operation: {
  ///     let shop = try await container.resolve(Shop.self)      // made with the broken payments
  ///     await #expect(throws: PaymentError.self) { try await shop.order("tea") }
  ///   }
  /// }
  /// ```
  ///
  /// *What sees them:* every call to this container, to its children and scopes, and to containers that link to it, in the operation
  /// and its child tasks. Detached tasks do not, nor does a task that outlives the operation. They are looked up before everything else;
  /// nested ones before those around them. In `[T]`, a registration among them hides what stands under its type and key.
  ///
  /// *What is never touched:* the container. A kept service whose graph meets an override is built for the operation alone, once, and disposed
  /// of with it; so tests that override the same things in different ways can run in parallel. A kept service whose graph does not is the
  /// container's own, and if it has to be built, it is built as if there were no overrides. What the graph is, is known of autowired
  /// initialisers, injected properties, values, and declared factories (`dependsOn(_:)`); of a factory closure, a hook and a decorator, when they
  /// have run. A closure that has not is taken for one that meets an override, and so is one that takes the container itself. What is taken
  /// by a ``Lazy`` or ``Provider`` counts, too. What an asynchronous closure takes through a captured container rather than its
  /// ``Resolver`` is not seen.
  ///
  /// Registering, resetting and the like change the container as ever; ``registrations`` and `validate()` tell of it.
  ///
  /// A closure in which `try` and `await` stand in macros alone, as in `#expect(try await container.resolve(Shop.self).isOpen)`, is taken by
  /// the compiler for one that does neither: let it begin with `() async throws in`.
  ///
  /// What the operation resolves takes a slower path: overrides are made for tests. Other tasks resolve as ever meanwhile, but for a look at
  /// a task-local value each time.
  ///
  /// - Parameters:
  ///   - overrides: see ``RegistrationBuilder``. Modules run their ``Module/didLoad(_:)``, given a container that stands for the
  ///     overrides: what is registered in it is one, too.
  ///   - operation: what to run.
  /// - Returns: what `operation` returns.
  /// - Throws: ``ResolutionError`` for a faulty registration, before `operation` has run; what `overrides`, a module or `operation` throws;
  ///   else a ``ShutdownError`` if something of the operation's own could not be disposed of.
  /// - Concurrency: stays on the caller's executor.
  public nonisolated(nonsending) func withOverrides<Result>(
    @RegistrationBuilder _ overrides: nonisolated(nonsending) () async throws -> Registrations,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let batch = try await overrides()
    let layer = try OverrideLayer(of: self, batch)
    layer.begin()
    let result: Result
    do {
      result = try await OverrideLayer.$current.withValue(layer) {
        for module in batch.modules { try await module.didLoad(layer.overlay) }
        return try await operation()
      }
    } catch {
      // What went wrong first is what the caller is to hear of.
      _ = await layer.end(after: .thrown(error))
      throw error
    }
    let failures = await layer.end(after: .completed)
    if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    return result
  }

  /// Runs a synchronous operation for which registrations are replaced: in the calling task or thread, for nobody else.
  ///
  /// See the asynchronous form. Services of the operation's own that suspend when they are disposed of are so in the background.
  ///
  /// - Parameters:
  ///   - overrides: see ``RegistrationBuilder``. No modules: these may have to be waited for.
  ///   - operation: what to run.
  /// - Returns: what `operation` returns.
  /// - Throws: ``ResolutionError`` for a faulty registration or, with the code ``ResolutionError/Code/asyncRequired``, for a module,
  ///   before `operation` has run; what `overrides` or `operation` throws.
  public nonisolated func withOverrides<Result>(
    @RegistrationBuilder _ overrides: () throws -> Registrations, operation: () throws -> Result
  ) throws -> Result {
    let batch = try overrides()
    if let module = batch.modules.first {
      throw ResolutionError(
        .asyncRequired, for: nil, container: name,
        note: "\(type(of: module)) may have to be waited for. Override with its registrations, or let the operation be "
          + "asynchronous: 'try await container.withOverrides { … } operation: { () async throws in … }'.")
    }
    let layer = try OverrideLayer(of: self, batch)
    layer.begin()
    let result: Result
    do {
      result = try OverrideLayer.$current.withValue(layer, operation: operation)
    } catch {
      _ = layer.end(after: .thrown(error))
      throw error
    }
    let failures = layer.end(after: .completed)
    if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    return result
  }
}
