extension Container {
  /// Keeps this scope open after its operation has returned, for work that outlives the operation.
  ///
  /// A server's handler returns the body of a response as a stream, which the server writes later. The middleware that has opened the
  /// scope extends it, so that the stream can use the scope's instances:
  ///
  /// ```swift
  /// try await app.withScope("request") { scope in
  ///   var response = try await handler(request)
  ///   let lease = try scope.extendScope()
  ///   response.body = Body { [body = response.body] writer in
  ///     try await body.write(to: writer)
  ///     try await lease.end()
  ///   }
  ///   return response
  /// }
  /// ```
  ///
  /// The scope ends when its operation has returned and all of its extensions have ended. Its disposers learn the first outcome that
  /// is not ``ScopeOutcome/completed``. A scope of ``KeyedScopes``, which several operations share, ignores the outcomes of its extensions.
  /// The extension of a scope below such a scope keeps both in use.
  ///
  /// The extension of a container that ``withScope(_:_:operation:)`` has not opened has no effect.
  ///
  /// - Returns: The extension. If it is released without an end, it ends as ``ScopeOutcome/cancelled``.
  /// - Throws: ``ResolutionError/Code/closed`` if the scope has ended.
  /// - Complexity: O(1)
  /// - Concurrency: May be called from any task while the scope is open. Closing a container above closes an extended
  ///   scope, too; a shutdown waits for it first. An extension has no task that the shutdown's timeout could cancel.
  ///   The work that the scope is extended for must not wait for a shutdown without a timeout.
  public nonisolated func extendScope() throws(ResolutionError) -> ScopeExtension {
    guard lifecycle.isScope else { return ScopeExtension { _ in } }
    if let uses = lifecycle.uses {
      guard !lifecycle.isClosed, let end = uses.extend() else {
        throw ResolutionError(.closed, for: nil, container: name)
      }
      return ScopeExtension { [name] _ throws(ShutdownError) in
        let failures = await end()
        if !failures.isEmpty { throw ShutdownError(failures, container: name) }
      }
    }
    guard let parent, let operation = parent.awaitedOperation(of: self), lifecycle.activity.extend(), operation.extend()
    else { throw ResolutionError(.closed, for: nil, container: name) }
    // Retains the parent, because the scope does not while it is open.
    return ScopeExtension { [self] outcome throws(ShutdownError) in
      guard let outcome = operation.endExtension(after: outcome) else { return }
      var failures = await close(after: outcome)
      var scope = self
      failures += await parent.endScopeOnceClosed(&scope, after: outcome)
      if !failures.isEmpty { throw ShutdownError(failures, container: name) }
    }
  }
}

/// An extension of a scope beyond its operation. See ``Container/extendScope()``.
public final class ScopeExtension: Sendable {
  fileprivate typealias End = nonisolated(nonsending) @Sendable (ScopeOutcome) async throws(ShutdownError) -> Void

  /// Ends the extension, and retains the scope until then. Nil once the extension has ended.
  private let end: Lock<End?>

  fileprivate init(_ end: @escaping End) { self.end = Lock(end) }

  /// Ends the extension. The last extension to end closes the scope, unless the operation is still running.
  ///
  /// A second call has no effect.
  ///
  /// - Parameter outcome: The outcome of the work that the scope was extended for.
  /// - Throws: A ``ShutdownError`` if a disposal of the scope fails.
  /// - Concurrency: May be called from any task. If the call closes the scope, it returns when the scope's instances are disposed of.
  public nonisolated(nonsending) func end(after outcome: ScopeOutcome = .completed) async throws(ShutdownError) {
    try await take()?(outcome)
  }

  deinit {
    // In a task, because the scope's disposers must not run inside a release.
    if let end = take() { Task.detached { try await end(.cancelled) } }
  }

  private func take() -> End? { end.withLock { exchange(&$0, with: nil) } }
}
