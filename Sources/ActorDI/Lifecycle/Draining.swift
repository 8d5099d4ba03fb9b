/// The phase in which a shutdown waits for the operations of open scopes, in a container and in its children.
///
/// While a container drains, it has withdrawn its registrations: the fast path finds nothing in it, as if it were closed.
/// The slow path serves operations and builds in flight. Its callers are a scope that has found nothing in itself, a
/// factory, a ``Lazy`` or ``Provider``, and the task that runs an operation. So the check for refused resolves costs the
/// fast path nothing.
///
/// - L5: The drainer marks the containers, and then looks for open scopes and children. A thread that adds one lists it, and then
///   looks at the mark. So none is missed.
/// - L6: A container is withdrawn before it refuses its first call, by the caller if the drainer has not reached it yet. So no later
///   call gets an instance from it, and no later change of its registrations succeeds.
struct Draining: Sendable {
  private let operations: [ScopeOperation]
  /// The edges of its waits; see ``ClosingOrder``.
  private let edges: [ClosingOrder.Edge]

  /// Begins to drain a container and its children. ``Container/beginDraining()`` has been called for the container.
  init(of root: Container) {
    var (containers, next) = ([root], 0)
    var edges: [ClosingOrder.Edge] = []
    while next < containers.count {
      let container = containers[next]
      next += 1
      if container !== root, container.beginDraining() {
        edges.append(ClosingOrder.Edge(from: .container(container), to: .container(root)))
      }
      if container.lifecycle.uses == nil { container.withdrawRegistry() }
      // A child that is made after this look finds its parent draining.
      containers += container.lazyFamily.load()?.all ?? []
      containers += container.scopes.filter { $0.lifecycle.uses != nil }
    }
    // From now on, scopes open only within open scopes, whose operations wait for them.
    let open = containers.flatMap(\.runningOperations)
    (operations, self.edges) = ClosingOrder.awaiting(open, by: root, edges)
  }

  /// Whether there are no operations to wait for.
  var isOver: Bool { operations.isEmpty }

  /// Ends the phase: removes its waits from the ``ClosingOrder``.
  func end() { ClosingOrder.remove(edges) }

  /// Waits for the operations, and ends the phase. On timeout, cancels the tasks of the remaining operations.
  ///
  /// - Returns: The scopes of the operations that have not returned in time.
  func wait(_ timeout: Timeout) async -> [OpenScope] {
    defer { end() }
    if await timeout.wait(for: operations.map { $0.endLatch() }) { return [] }
    let late = operations.compactMap { operation in operation.openScope.map { (operation, $0) } }
    for (operation, _) in late { operation.cancel() }
    return late.map { $1 }
  }
}

extension Container {
  /// Begins to drain the container. A scope of several tasks refuses further operations, and otherwise works as before.
  ///
  /// - Returns: Whether the caller must close the container.
  nonisolated func beginDraining() -> Bool {
    if let uses = lifecycle.uses { return uses.beginEnding() }
    return lifecycle.beginDraining()
  }

  /// The operations of other tasks that run in this container's scopes or, if it is a scope of several tasks, in itself.
  fileprivate nonisolated var runningOperations: [ScopeOperation] {
    let task = TaskAddress.current
    let own = lifecycle.uses?.operations.filter { $0.task != task || task == 0 } ?? []
    return own
      + scopes.filter { $0.lifecycle.uses == nil && !$0.isRunByCaller }.compactMap { operation(of: $0) }
  }

  /// Whether the calling task runs the operation of an open scope of this container or of one below it.
  nonisolated var isCallerInOpenScope: Bool { familyTree.dropFirst().contains { $0.lifecycle.isRunByCaller } }

  /// Returns the operation of a scope of this container, for a caller that will wait for it.
  ///
  /// - Returns: Nil if the scope is no longer open.
  nonisolated func operation(of scope: Container) -> ScopeOperation? {
    lifecycle.scopes.operation(of: scope.lifecycle, in: name)
  }

  /// Whether the calling task runs the operation of this scope, or of an open scope below it.
  fileprivate nonisolated var isRunByCaller: Bool { lifecycle.isRunByCaller || isCallerInOpenScope }
}
