// Containers that live for one function call.
extension Container {
  /// Runs an operation with a child container that is closed when the operation ends.
  ///
  /// ```swift
  /// try await app.withScope("request") {
  ///   Registration(instance: request)
  /// } operation: { scope in
  ///   try await scope.resolve(Handler.self).respond()
  /// }
  /// ```
  ///
  /// A ``Scope/scoped`` registration, in this container or a parent, has one instance in the scope. Scopes may be nested.
  ///
  /// When the operation has returned or thrown, the scope is closed as by ``shutdown(timeout:)``. A cancelled operation keeps it open
  /// until it returns. The scope's instances are disposed of, in reverse order of creation, before this function returns. Disposers can
  /// ask how the scope has ended; see ``ScopeOutcome``. ``extendScope()`` keeps a scope open for longer.
  ///
  /// - Parameters:
  ///   - name: The scope's name, for ``Scope/scoped(_:)`` and for messages.
  ///   - registrations: The scope's own registrations, in addition to those of its parents. Modules run their
  ///     ``Module/didLoad(_:)`` in the scope, before `operation`.
  ///   - operation: The operation. Using the scope after the operation has ended throws ``ResolutionError/Code/closed``.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of a module, without running `operation`; the error of `operation`; otherwise a ``ShutdownError`` if a disposal
  ///   fails; ``ResolutionError/Code/closed`` if this container is closed.
  /// - Complexity: O(1), plus the registrations and the instances made.
  /// - Concurrency: Runs on the caller's executor.
  // Inlinable, because a result of unknown size would be a considerable part of a scope's cost.
  @inlinable
  public nonisolated(nonsending) func withScope<Result>(
    _ name: ScopeName = "scope",
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = { Registrations() },
    operation: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    var modules: [any Module] = []
    var scope = try openScope(name, registrations, &modules)
    let result: Result
    do {
      // Part of the operation: its task runs the modules, and their errors end the scope as those of the operation do.
      if !modules.isEmpty { try await scope.runInCall(modules) }
      result = try await operation(scope)
    } catch {
      // The operation's error takes precedence over failed disposals.
      let outcome = ScopeOutcome.thrown(error)
      if let rest = endScopeAtOnce(&scope, after: outcome) { _ = await endScopeSlowly(&scope, rest, after: outcome) }
      throw error
    }
    if let rest = endScopeAtOnce(&scope, after: .completed) {
      let failures = await endScopeSlowly(&scope, rest, after: .completed)
      if !failures.isEmpty { throw ShutdownError(failures, container: name.description) }
    }
    return result
  }

  /// What is left to do for a scope whose operation has returned.
  @usableFromInline
  enum RestOfScope {
    /// The rest of its closing, and its end.
    case closing(RestOfClosing)
    /// The scope has ended; the rest concerns its operation.
    case operation(RestOfOperation)
  }

  /// Closes and ends a scope whose operation has returned, unless it is extended, as far as no step suspends.
  ///
  /// - Returns: The remaining work; nil if the scope has ended without failures.
  @usableFromInline
  nonisolated func endScopeAtOnce(_ scope: inout Container, after outcome: ScopeOutcome) -> RestOfScope? {
    if let rest = scope.closeScopeAtOnce(after: outcome) { return .closing(rest) }
    return endScope(&scope, after: outcome).map { .operation($0) }
  }

  /// Does what ``endScopeAtOnce(_:after:)`` has left.
  ///
  /// - Returns: The failures of disposals.
  @usableFromInline
  nonisolated(nonsending) func endScopeSlowly(
    _ scope: inout Container, _ rest: RestOfScope, after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    switch rest {
    case .closing(let rest): await closeScope(&scope, rest, after: outcome)
    case .operation(let rest): await rest()
    }
  }

  /// Closes and ends a scope for which ``closeScopeAtOnce(after:)`` has left work, unless the scope is extended.
  private nonisolated(nonsending) func closeScope(
    _ scope: inout Container, _ rest: RestOfClosing, after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    var outcome = outcome
    // From now on, no call cancels this task, which may end before the scope.
    if let operation = lifecycle.scopes.noteReturn(from: scope.lifecycle) {
      // Nil: an extension continues, and closes the scope.
      guard let common = await operation.noteReturn(after: outcome) else { return [] }
      outcome = common
    }
    let failures: [ShutdownError.Failure]
    switch rest {
    case .notBegun: failures = await scope.close(after: outcome)
    case .disposals: failures = await scope.closeSlowly(after: outcome, finishedBy: .runner)
    case .report(let reported): failures = reported
    }
    return failures + (await endScopeOnceClosed(&scope, after: outcome))
  }

  /// Ends a scope whose closing has begun. If the closing waits for this call, a task ends the scope when it is closed.
  ///
  /// - Returns: The failures of disposals in a scope of several tasks that ends with this one.
  nonisolated(nonsending) func endScopeOnceClosed(
    _ scope: inout Container, after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    if scope.lifecycle.hasEnded { return await endScope(&scope, after: outcome)?() ?? [] }
    // Retains this container, because the scope does not while it is open.
    Task.detached { [self, scope] in
      var scope = scope
      _ = await scope.lifecycle.endLatch().wait()
      _ = await endScope(&scope, after: outcome)?()
    }
    return []
  }

  /// Opens a scope.
  ///
  /// - Parameter modules: Receives the scope's modules, for the caller to run.
  /// - Throws: ``ResolutionError/Code/closed`` if this container is closed.
  @usableFromInline
  nonisolated func openScope(
    _ name: ScopeName, _ registrations: @escaping @Sendable () -> Registrations, _ modules: inout [any Module]
  ) throws(ResolutionError) -> Container {
    let scope = Container(scope: name.description, of: self, registrations)
    modules = scope.loadScope(registrations())
    guard list(scope) else {
      scope.parentReference.holdParent()
      throw ResolutionError(.closed, for: nil, container: self.name)
    }
    // After the listing: an end of the scope around that begins before this finds the new scope.
    usesAround?.beginBelow()
    scope.emitOpening()
    return scope
  }

  /// The operations of the scope of several tasks that this container is, or is in; nil if there is none. Also nil if a scope of one task
  /// is in between, whose end closes everything below it.
  nonisolated var usesAround: (any ScopeUses)? {
    UnheldReference(self).nearest { $0.lifecycle.isScope }?.borrow { $0.lifecycle.uses }
  }

  /// Ends a closed scope (E1).
  ///
  /// Every user of a scope has a reference to it. If this reference is the only one, no thread is reading the scope or its parent.
  /// A thread that gets the scope from a weak reference finds it closed. So the scope and its instances are freed at once.
  /// Otherwise, the scope releases its contents as any container does, and retains its parent for its remaining users.
  ///
  /// - Returns: The rest, if a task waits for the scope's operation, if it was extended, or if a scope of several tasks ends with it.
  nonisolated func endScope(_ scope: inout Container, after outcome: ScopeOutcome) -> RestOfOperation? {
    scope.emitEnd(after: outcome)
    let awaited = unlist(scope)
    // A sequentially consistent store. A reference taken before it is counted below; a thread that takes one later sees the store.
    scope.parentReference.markEndedByRunner()
    if !isKnownUniquelyReferenced(&scope) {
      scope.parentReference.holdParent()
      scope.releaseContents()
      scope.endFeeds()
    }
    let rest = usesAround?.endBelow()
    if awaited == nil && rest == nil { return nil }
    return {
      await awaited?.end()
      return await rest?() ?? []
    }
  }

  /// Lists a scope, which must stay alive while it is listed.
  ///
  /// - Returns: False if this container is closed, or the scope: an observer learns of a scope before it is listed, and may close it.
  // Not inlined: a function borrows the scope and therefore its lifecycle. Its caller, which owns the scope, would count a reference.
  @inline(never)
  nonisolated func list(_ scope: Container) -> Bool {
    lifecycle.scopes.add(scope.lifecycle) { !lifecycle.isClosed && !lifecycle.isDraining && !scope.lifecycle.isClosed }
  }

  @inline(never)
  private nonisolated func unlist(_ scope: Container) -> ScopeOperation? { lifecycle.scopes.remove(scope.lifecycle) }
}
