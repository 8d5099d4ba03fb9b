/// What a shutdown waits for before it closes anything: the operations of the scopes that are open in a container and in its children.
///
/// As long as that lasts, these containers have withdrawn their registrations: on the fast path nothing is found in them, as if they were closed.
/// The slow path serves whoever asks for an operation, or for a build in flight: a scope that has found nothing in itself, a factory, a ``Lazy``
/// or ``Provider``, and the task that runs an operation. So the resolves that are refused cost those that are not a look at the container's state,
/// and neither costs anything before.
///
/// L5: who begins it marks the containers, and looks for open scopes and for children after that; who adds one lists it, and looks at the mark after
/// that. So nothing is missed.
struct Draining: Sendable {
  private let operations: [AwaitedOperation]
  /// What it waits for, and for what: see ``ClosingOrder``.
  private let edges: [ClosingOrder.Edge]

  /// Begins it for a container that ``Lifecycle/beginDraining()`` has been called of, and for its children.
  init(of root: Container) {
    var (containers, next) = ([root], 0)
    var edges: [ClosingOrder.Edge] = []
    while next < containers.count {
      let container = containers[next]
      next += 1
      if container !== root, container.lifecycle.beginDraining() {
        edges.append(ClosingOrder.Edge(from: .container(container), to: .container(root)))
      }
      container.withdrawRegistry()
      // A child that is made after this look finds its parent draining.
      containers += container.lazyFamily.load()?.children ?? []
    }
    // No scope is opened any more but in one that is open: whoever has that waits for it.
    let open = containers.flatMap { container in
      container.scopes.filter { !$0.isRunByCaller }.compactMap { container.lifecycle.operation(of: $0.lifecycle) }
    }
    (operations, self.edges) = ClosingOrder.awaiting(open, by: root, edges)
  }

  /// Whether there is nothing to wait for.
  var isOver: Bool {
    if operations.isEmpty { ClosingOrder.remove(edges) }
    return operations.isEmpty
  }

  /// Waits for the operations. When the time is up, it cancels the tasks of those that have not returned.
  ///
  /// - Returns: their scopes.
  func wait(_ timeout: Timeout) async -> [OpenScope] {
    defer { ClosingOrder.remove(edges) }
    if await timeout.wait(for: operations.map(\.latch)) { return [] }
    let late = operations.compactMap { operation in operation.openScope.map { (operation, $0) } }
    for (operation, _) in late { operation.cancel() }
    return late.map { $1 }
  }
}

extension Container {
  /// Whether the calling task runs the operation of a scope that is open in this container or below it.
  nonisolated var isCallerInOpenScope: Bool { children.contains(where: \.isRunByCaller) }

  /// The same of this container, or below it.
  fileprivate nonisolated var isRunByCaller: Bool { lifecycle.isRunByCaller || isCallerInOpenScope }
}
