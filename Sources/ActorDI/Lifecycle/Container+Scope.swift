// Containers that end where they began.
extension Container {
  /// Runs a function with a container of its own, which is closed when the function ends, however it does.
  ///
  /// ```swift
  /// try await app.withScope("request") {
  ///   Registration(instance: request)
  /// } operation: { scope in
  ///   try await scope.resolve(Handler.self).respond()
  /// }
  /// ```
  ///
  /// What is registered as ``Scope/scoped``, here or in a parent, has one instance in it. Scopes may be nested.
  ///
  /// At the end, on return, throw and cancellation, the scope is closed as by ``shutdown(timeout:)``: what it made is disposed of, in
  /// reverse order of creation, before this function returns. Disposers may ask how it has ended: ``ScopeOutcome``.
  ///
  /// - Parameters:
  ///   - name: for ``Scope/scoped(_:)``, and for messages.
  ///   - registrations: what the scope has besides what its parents have.
  ///   - operation: gets the scope. To use that after it has ended throws ``ResolutionError/Code/closed``.
  /// - Returns: what `operation` returns.
  /// - Throws: what `operation` throws; else a ``ShutdownError`` if something could not be disposed of; ``ResolutionError/Code/closed``
  ///   if this container is closed.
  /// - Complexity: O(1) besides what is registered and made.
  /// - Concurrency: stays on the caller's executor.
  // Inlinable, since a scope costs so little that a result of unknown size would be a good part of it.
  @inlinable
  public nonisolated(nonsending) func withScope<Result>(
    _ name: String = "scope",
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = {
      Registrations()
    },
    operation: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    var scope = try openScope(name, registrations)
    let result: Result
    do {
      result = try await operation(scope)
    } catch {
      // What went wrong first is what the caller is to hear of.
      let outcome = ScopeOutcome.thrown(error)
      if let rest = scope.closeScopeAtOnce(after: outcome) { _ = await scope.closeScope(rest, after: outcome) }
      if let awaited = endScope(&scope, after: outcome) { await awaited.end() }
      throw error
    }
    var failures: [ShutdownError.Failure] = []
    if let rest = scope.closeScopeAtOnce(after: .completed) {
      failures = await scope.closeScope(rest, after: .completed)
    }
    if let awaited = endScope(&scope, after: .completed) { await awaited.end() }
    if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    return result
  }

  /// - Throws: ``ResolutionError/Code/closed`` if this container is closed.
  @usableFromInline
  nonisolated func openScope(
    _ name: String, _ registrations: @escaping @Sendable () -> Registrations
  ) throws(ResolutionError) -> Container {
    let scope = Container(scope: name, of: self, registrations)
    scope.loadScope(registrations())
    guard lifecycle.add(scope.lifecycle) else {
      scope.holdParent()
      throw ResolutionError(.closed, for: nil, container: self.name)
    }
    scope.noteOpening()
    return scope
  }

  /// The end of a scope that has been closed.
  ///
  /// Whoever uses a scope has a reference to it. So if this is the only one, nobody is reading what the scope has, or looking at its
  /// parent, and whoever comes by way of a weak reference finds it closed: what it kept goes with it, at once (E1). Otherwise its
  /// instances go as those of any container, and it takes a reference to its parent, which those who use it may need.
  ///
  /// - Returns: the scope's operation, if somebody waits for it.
  @usableFromInline
  nonisolated func endScope(_ scope: inout Container, after outcome: ScopeOutcome) -> AwaitedOperation? {
    scope.noteEnd(after: outcome)
    let awaited = lifecycle.remove(scope.lifecycle)
    // A sequentially consistent store: whoever has had a reference before this is counted below, whoever gets one later sees it.
    scope.end()
    if !isKnownUniquelyReferenced(&scope) {
      scope.holdParent()
      scope.letGoOfInstances()
      scope.endFeeds()
    }
    return awaited
  }
}
