// The container of code that was given none.
extension Container {
  /// The container of the process: what ``current`` is unless a task says otherwise.
  ///
  /// It is empty at first. Register in it, or give it a container to look in by ``activate()``.
  public static let root = Container(name: "root")

  /// The container that ``Injected`` resolves from: the task's, else ``root``.
  ///
  /// It is a task-local value: `Container.$current.withValue(container) { … }` or `withCurrent(_:operation:)` sets it for what
  /// they run and for the child tasks of that. Asynchronous factories of kept services run in tasks of the container's, and so
  /// do not see it: let them resolve from their ``Resolver``.
  @TaskLocal public static var current: Container = root

  /// Runs a function for which a container is the ``current`` one.
  ///
  /// - Parameters:
  ///   - container: the container to resolve from.
  ///   - operation: what to run.
  /// - Returns: what `operation` returns.
  /// - Throws: what `operation` throws.
  public static func withCurrent<Result>(
    _ container: Container, operation: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(container, operation: operation)
  }

  /// Runs a function for which a container is the ``current`` one, in all tasks that are its children, too.
  ///
  /// - Parameters:
  ///   - container: the container to resolve from.
  ///   - operation: what to run.
  /// - Returns: what `operation` returns.
  /// - Throws: what `operation` throws.
  /// - Concurrency: stays on the caller's executor.
  public nonisolated(nonsending) static func withCurrent<Result>(
    _ container: Container, operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $current.withValue(container, operation: operation)
  }
}
