/// Scopes of a container that are opened by a key, such as a tenant, a user's session, a document or a window.
///
/// ```swift
/// let tenants = app.keyedScopes("tenant", idleFor: .seconds(600), max: 1_000) { (id: TenantID) in
///   Registration(instance: Tenant(id: id))
/// }
/// try await tenants.withScope(id) { tenant in
///   try await tenant.resolve(Invoices.self).send()
/// }
/// ```
///
/// A key has at most one open scope, which all callers of ``withScope(_:operation:)`` share. The first caller opens it. It ends
/// with the last operation, or when it has been idle for the time `idleFor:`, as every scope does: its instances are disposed of in reverse
/// order of creation, and observers receive its events. A ``Scope/scoped(_:)`` registration of the container has one instance for each key.
///
/// Scopes such as that of a request can be opened below. An operation in a scope below keeps the scope above it in use, and so does an
/// extension of the scope below.
///
/// The collection holds its container, and each open scope holds the collection.
/// ``Container/shutdown(timeout:)`` of the container waits for the operations in progress, and ends all scopes.
public final class KeyedScopes<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let scopes: ScopesByKey

  init(_ scopes: ScopesByKey) { self.scopes = scopes }

  // MARK: Using

  /// Runs an operation in the scope of a key, which it opens if necessary.
  ///
  /// Operations of the same key run concurrently, in the same scope. While the scope of the key is ending, the call waits, and then opens a
  /// new one. If the collection has its maximum of scopes, a new key ends the longest idle one, or waits until one is idle. So an
  /// operation that itself opens a further key can wait for a scope that it uses.
  ///
  /// A scope of several operations has no outcome of its own: its disposers receive ``ScopeOutcome/completed`` even if an operation threw, and
  /// ``ScopeOutcome/shutDown`` from ``end(_:timeout:)`` or a shutdown.
  ///
  /// An operation does not wait for the ``Module/didLoad(_:)`` of the scope's modules. If it needs what they do, it calls
  /// ``Container/waitUntilLoaded()`` of its container, which also throws their errors.
  ///
  /// A task that an operation starts should use the operation's container, not the key. If the scope is ending meanwhile, an operation that
  /// the task begins waits for that end, which waits for the first operation.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - operation: The operation. It receives the container of the scope.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of `operation`. ``ResolutionError``, if a registration of a new scope is faulty or, with the code
  ///   ``ResolutionError/Code/closed``, if the container is closed. `CancellationError`, if the task is cancelled before the scope is
  ///   open. A ``ShutdownError``, if the scope ends with the operation and a disposal fails. If a scope below is still open, the scope ends
  ///   with that one.
  /// - Complexity: O(1) for an open scope.
  /// - Concurrency: Runs on the caller's executor. Callers of different keys do not wait for one another.
  // Inlinable, so that the client compares keys whose type it knows, and for the result, as `Container.withScope`.
  @inlinable
  public nonisolated(nonsending) func withScope<Result>(
    _ key: Key, operation: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    let word = KeyWord.seededHash(key)
    let use: ScopesByKey.Use
    if let known = scopes.beginAtOnce(word, where: { $0.hasTypedValue(key) }) {
      use = known
    } else {
      use = try await scopes.begin(TypedKey(key), word)
    }
    let result: Result
    do {
      result = try await operation(use.scope)
    } catch {
      // The operation's error takes precedence over failed disposals.
      _ = await scopes.leave(use)?()
      throw error
    }
    if let failures = await scopes.leave(use)?(), !failures.isEmpty {
      throw ShutdownError(failures, container: use.scope.name)
    }
    return result
  }

  /// Ends the scope of a key, if it is open.
  ///
  /// The call waits for the operations in progress, and for the disposal of the scope's instances. Observers learn of failures. From an
  /// operation of the scope itself, the call ends the scope while the operation runs.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - timeout: The maximum time to wait, as for ``Container/shutdown(timeout:)``; nil for no limit.
  /// - Concurrency: Callable from any task. Callers that arrive meanwhile wait, and then open a new scope.
  public nonisolated(nonsending) func end(_ key: Key, timeout: Duration? = nil) async {
    let scope = scopes.scope(of: KeyWord.seededHash(key)) { $0.hasTypedValue(key) }
    try? await scope?.shutdown(timeout: timeout)
  }

  /// The open scopes, the oldest first.
  ///
  /// - Complexity: O(*n* log *n*) in the number of open scopes.
  /// - Concurrency: Callable from any thread. Scopes may open and end while they are listed.
  public var open: [OpenKeyedScope<Key>] {
    let now = scopes.stopwatch.elapsed
    let all = scopes.mapTables { table in
      table.all.filter { $0.phase == .open }.map { (max(.zero, now - $0.openedAt), table.status(of: $0, at: now)) }
    }
    let open = all.joined().compactMap { age, status in
      status.key.value(as: Key.self).map {
        OpenKeyedScope(key: $0, age: age, uses: status.uses, idleFor: status.idleFor)
      }
    }
    return open.sorted { $0.age > $1.age }
  }
}

extension Container {
  /// Creates a collection of scopes that are opened by a key.
  ///
  /// ```swift
  /// let documents = app.keyedScopes("document", idleFor: .seconds(30)) { (url: URL) in
  ///   Registration(instance: url)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of each scope, for ``Scope/scoped(_:)`` and for messages.
  ///   - idleFor: How long a scope stays open after its last operation, by ``Configuration/clock``; nil to end it at once.
  ///   - max: The maximum number of scopes that are open at the same time; less than 1 counts as 1, and nil is no limit.
  ///   - registrations: The own registrations of a key's scope. Evaluated once for each scope, before it opens.
  /// - Returns: The collection. It holds this container.
  /// - Concurrency: Callable from any thread.
  public nonisolated func keyedScopes<Key: Hashable & Sendable>(
    _ name: ScopeName, idleFor: Duration? = nil, max: Int? = nil,
    @RegistrationBuilder _ registrations: @escaping @Sendable (Key) -> Registrations = { _ in Registrations() }
  ) -> KeyedScopes<Key> {
    KeyedScopes(
      ScopesByKey(in: self, name, idleFor: idleFor, max: max) { key in
        key.value(as: Key.self).map(registrations) ?? Registrations()
      })
  }
}
