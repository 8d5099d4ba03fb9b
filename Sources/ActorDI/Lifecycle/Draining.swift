/// The phase in which a shutdown waits for the operations of open scopes, in a container and in its children.
///
/// While a container drains, it has withdrawn its registrations: the fast path finds nothing in it, as if it were closed.
/// The slow path serves operations and builds in flight. Its callers are a scope that has found nothing in itself, a
/// factory, a disposer of a container below, a ``Lazy`` or ``Provider``, and the task that runs an operation. So the check for
/// refused resolves costs the fast path nothing.
///
/// A scope of several tasks lets no further operation begin, and otherwise works as before, with everything below it, as other scopes do.
///
/// - L5: The drainer marks the containers, and then looks for open scopes and children. A thread that adds one lists it, and then
///   looks at the mark. So none is missed.
/// - L6: A container is withdrawn before it refuses its first call, by the caller if the drainer has not reached it yet. So no later
///   call gets an instance from it, and no later change of its registrations succeeds.
struct Draining: Sendable {
  private let root: Container
  /// The operations to wait for first.
  private let operations: [ScopeOperation]
  /// The edges of the first wait; see ``ClosingOrder``.
  private let edges: [ClosingOrder.Edge]
  /// The operations that wait for the call itself. Determined in ``begin(in:)``, which runs in the caller's task. ``wait(_:)`` runs in
  /// another one, where `isOfCaller` means nothing.
  private let ofCaller: Set<ScopeOperation>

  /// Finds the operations in a container and its children, and adds the edges of a wait for them. The container refuses new work already:
  /// it drains, or it is a scope of several tasks whose key ends.
  ///
  /// - Returns: The draining, for the caller to wait for if it is not over: the wait removes the edges.
  static func begin(in root: Container) -> Draining {
    let running = root.refuseNewWorkBelow().flatMap(\.drainedOperations)
    let ofCaller = Set(running.filter(\.isOfCaller).map(\.operation))
    let (operations, edges) = ClosingOrder.addEdges(to: running.filter { !$0.isOfCaller }.map(\.operation), from: root)
    return Draining(root: root, operations: operations, edges: edges, ofCaller: ofCaller)
  }

  /// Whether there are no operations to wait for.
  var isOver: Bool { operations.isEmpty }

  /// Waits for the operations. On timeout, cancels the tasks of the remaining operations.
  ///
  /// - Returns: The scopes of the operations that have not returned in time.
  func wait(_ timeout: Timeout) async -> [OpenScope] {
    let stopwatch = timeout.duration == nil ? nil : Stopwatch(by: timeout.clock)
    var (operations, edges, remaining) = (operations, edges, timeout)
    while !operations.isEmpty {
      let areInTime = await remaining.wait(for: operations.map { $0.endLatch() })
      ClosingOrder.remove(edges)
      guard areInTime else { return cancel(operations) }
      // While operations run, a scope of several tasks can be extended, and further scopes can open in it.
      let running = root.refuseNewWorkBelow().flatMap(\.drainedOperations)
      (operations, edges) = ClosingOrder.addEdges(
        to: running.map(\.operation).filter { !ofCaller.contains($0) }, from: root)
      if let elapsed = stopwatch?.elapsed { remaining = timeout.less(elapsed) }
    }
    return []
  }

  private func cancel(_ operations: [ScopeOperation]) -> [OpenScope] {
    let late = operations.compactMap { operation in operation.openScope.map { (operation, $0) } }
    for (operation, _) in late { operation.cancel() }
    return late.map { $1 }
  }
}

extension Container {
  /// Begins to drain the container. A scope of several tasks does not drain: it begins no further operation, and otherwise works as before.
  nonisolated func refuseNewWork() {
    if let uses = lifecycle.uses { return uses.beginEnding() }
    lifecycle.beginDraining()
    withdrawRegistry()
  }

  /// An operation in progress, and whether the calling task runs it or a part of it.
  fileprivate struct DrainedOperation {
    let operation: ScopeOperation
    let isOfCaller: Bool
  }

  /// Lets the children of each container that drains refuse new work, too. The container itself refuses it already.
  ///
  /// - Returns: This container and everything below it, except the scopes of one task and what is below these. Parents precede their
  ///   children.
  fileprivate nonisolated func refuseNewWorkBelow() -> [Container] {
    var (containers, next) = ([self], 0)
    while next < containers.count {
      let container = containers[next]
      next += 1
      // A child that is made after this look finds its parent draining. The containers of override layers do not drain: the operation of
      // an open scope may end its own layer, and waits for their end.
      let below = container.children.filter { !$0.lifecycle.isScopeOfOneTask }
      if container.lifecycle.isDraining {
        for child in below {
          child.refuseNewWork()
          child.lifecycle.uses?.refuseOpenings()
        }
      }
      containers += below
    }
    return containers
  }

  /// The operations that run in the scopes of this container, and in the container itself, if it is a scope of several tasks.
  fileprivate nonisolated var drainedOperations: [DrainedOperation] {
    let ofScopes = scopes.filter(\.lifecycle.isScopeOfOneTask).compactMap { scope in
      awaitedOperation(of: scope).map { operation in
        DrainedOperation(
          operation: operation, isOfCaller: scope.lifecycle.isRunByCaller || scope.isCallerInOpenScope)
      }
    }
    return ofScopes + (lifecycle.uses.map { operations(of: $0) } ?? [])
  }

  /// The operations of this scope of several tasks.
  private nonisolated func operations(of uses: any ScopeUses) -> [DrainedOperation] {
    let task = TaskAddress.current
    // A task in a scope of its own may be part of any of the operations.
    let isPartOfAny = !uses.isUsedByCaller && isCallerInOpenScope
    return uses.operations.map { operation in
      DrainedOperation(operation: operation, isOfCaller: isPartOfAny || task != 0 && operation.task == task)
    }
  }

  /// Whether the calling task runs the operation of an open scope of this container or of one below it.
  nonisolated var isCallerInOpenScope: Bool { familyTree.dropFirst().contains { $0.lifecycle.isRunByCaller } }

  /// Returns the operation of a scope of this container, for a caller that will wait for it or extend it. Makes the operation for the first
  /// such caller.
  ///
  /// - Returns: Nil if the scope is no longer open.
  nonisolated func awaitedOperation(of scope: Container) -> ScopeOperation? {
    lifecycle.scopes.awaitedOperation(of: scope.lifecycle, in: name)
  }
}
