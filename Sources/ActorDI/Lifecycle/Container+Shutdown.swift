extension Container {
  /// Closes the container and everything below it, and disposes of the instances that they have made.
  ///
  /// ```swift
  /// try await container.start()
  /// try await server.run()
  /// try await container.shutdown(timeout: .seconds(10))
  /// ```
  ///
  /// A shutdown has these steps:
  ///
  /// 1. From the call on, the container opens no scope, and a resolve throws ``ResolutionError/Code/closed``. Registrations do not
  ///    change any more.
  /// 2. The shutdown waits for the operations of ``withScope(_:_:operation:)`` to return. Until then, their scopes work as before,
  ///    and resolve and build what they need from the container. So do factories, the disposers of these scopes, ``Lazy`` and
  ///    ``Provider``. The scopes of the containers' ``KeyedScopes`` are disposed of in step 4.
  /// 3. Builds in flight are cancelled and waited for. Instances that they still make are disposed of, and their waiters get the
  ///    `closed` error. A transient or `.graph` service is only waited for, unless a kept service needs it. The
  ///    ``Module/didLoad(_:)`` of initial registrations is cancelled, too, but not waited for.
  /// 4. Every instance with something to dispose of (`onDispose(_:)`, ``Disposable``) is disposed of: exactly once, the last
  ///    created first, those of children and open scopes before the container's own. A failure does not stop the other disposals.
  /// 5. The container releases all instances, and its registrations with their closures: ``registrations`` is empty then.
  ///
  /// An instance is disposed of earlier if the container drops it:
  ///
  /// - by ``unregister(_:)-(Service.Type)``, ``reset(_:)-(Scope?)``, ``rebuild()`` or ``pop()``,
  /// - at the end of the validity period of its ``ManagedScope``,
  /// - when its successor is stored after its time to live,
  /// - when its registration is replaced: at once if nothing was built from it, otherwise at the next reset.
  ///
  /// A weakly held instance is disposed of only if it is still alive then. A container that is released without a shutdown disposes
  /// of nothing.
  ///
  /// Cancelling the caller does not stop the shutdown. A repeated call, or a call for a container below one that is being closed,
  /// waits for the end and throws nothing. A call by a factory or a disposer of the container itself starts the shutdown without
  /// waiting for it. So does a call by a factory if the end waits for an operation or a disposer that waits for the factory's
  /// instance. If the operation asks for the instance only after the call, both wait until the timeout. A disposer may close any
  /// other container: one below its own, beside it, or one whose disposers close the disposer's own. So may the operation of a
  /// scope: its own scope is then closed while the operation runs. Such a call waits for everything that does not wait for the call
  /// itself. A child task of the operation does not count as the operation: close containers above the scope from the operation's
  /// own task.
  ///
  /// - Parameter timeout: The maximum time to wait, measured by ``Container/Configuration/clock``; nil for no limit. It applies
  ///   separately to operations, to builds in flight, and to disposals. On timeout, work in progress is cancelled and reported:
  ///   the tasks that run operations, including all their other work, then the builds of their scopes. These scopes are closed
  ///   while their operations run. Work that ignores its cancellation continues by itself, in order.
  /// - Throws: One ``ShutdownError`` with all failures.
  /// - Complexity: O(*n*) in registrations and instances.
  /// - Concurrency: May be called from any task. Suspending disposals run in a task of the container.
  public nonisolated(nonsending) func shutdown(timeout: Duration? = nil) async throws(ShutdownError) {
    guard lifecycle.beginShutdown() else { return await waitForClosing(timeout: timeout) }
    refuseNewWork()
    let (open, failures) = await drainAndClose(after: .shutDown, timeout: timeout)
    if !failures.isEmpty || !open.isEmpty { throw ShutdownError(failures, openScopes: open, container: name) }
  }

  /// Waits for the operations of open scopes, and closes the container, which refuses new work already.
  ///
  /// - Returns: The scopes whose operations have not returned in time, and the failures of disposals.
  nonisolated(nonsending) func drainAndClose(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> (open: [OpenScope], failures: [ShutdownError.Failure]) {
    let draining = Draining.begin(in: self)
    if draining.isOver { return ([], await close(after: outcome, timeout: timeout)) }
    return await runEndInTask {
      let open = await draining.wait(Timeout(duration: timeout, clock: self.configuration.clock))
      return (open, await self.close(after: outcome, timeout: timeout))
    } ?? ([], [])
  }
}
