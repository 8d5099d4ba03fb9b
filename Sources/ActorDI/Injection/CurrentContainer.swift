// The default container of code without an explicit one.
extension Container {
  /// The container of the process, and the default of ``current``.
  ///
  /// It is empty at first. Register services in it, or make another container's services available by ``activate()``.
  public static let root = Container(name: "root")

  /// The container that ``Injected`` resolves from: the task's container, or ``root`` if the task has none.
  ///
  /// The value is task-local: `Container.$current.withValue(container) { … }` or `withCurrent(_:operation:)` sets it for an operation
  /// and its child tasks. Asynchronous factories of singleton and shared services run without the caller's task-locals and do not see
  /// the value. Resolve from the factory's ``Resolver`` instead.
  @TaskLocal public static var current: Container = root

  /// Runs an operation with a container as the ``current`` one.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from.
  ///   - operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of `operation`.
  public static func withCurrent<Result>(_ container: Container, operation: () throws -> Result) rethrows -> Result {
    try $current.withValue(container, operation: operation)
  }

  /// Runs an operation, and its child tasks, with a container as the ``current`` one.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from.
  ///   - operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of `operation`.
  /// - Concurrency: Stays on the caller's executor.
  public nonisolated(nonsending) static func withCurrent<Result>(
    _ container: Container, operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $current.withValue(container, operation: operation)
  }

  /// Runs an operation with this container as the ``current`` one.
  ///
  /// - Parameter operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of `operation`.
  public nonisolated func withCurrent<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Self.withCurrent(self, operation: operation)
  }

  /// Runs an operation, and its child tasks, with this container as the ``current`` one.
  ///
  /// - Parameter operation: The operation to run.
  /// - Returns: The result of `operation`.
  /// - Throws: The error of `operation`.
  /// - Concurrency: Stays on the caller's executor.
  public nonisolated(nonsending) func withCurrent<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await Self.withCurrent(self, operation: operation)
  }
}
