internal import Synchronization

extension Task where Failure == Never {
  /// Begins a task with the caller's priority, which the caller's cancellation does not reach.
  ///
  /// - Parameters:
  ///   - seesCaller: Whether the operation sees the caller's task-locals.
  ///   - isAtOnce: Whether to start on the caller's thread: an operation that need not suspend then ends before the caller would wait. The
  ///     task starts elsewhere if the stack may lack room, or within a synchronous resolve, whose chain the operation would not continue.
  static func begin(
    seesCaller: Bool, isAtOnce: Bool = true, _ operation: @escaping @concurrent @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let priority = Task<Never, Never>.currentPriority
    let record = ThreadRecordPointer.current
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), isAtOnce,
      !record.isInCall && record.pointee.stackLimit != 0 && record.hasRoom(at: record.pointee.base)
    {
      return seesCaller
        ? .immediate(priority: priority, operation: operation)
        : .immediateDetached(priority: priority, operation: operation)
    }
    return seesCaller
      ? Task(priority: priority, operation: operation) : .detached(priority: priority, operation: operation)
  }

  /// The calling task, which must be of this type.
  static var running: Task? {
    unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe unsafeBitCast($0, to: Task.self) } }
  }
}
