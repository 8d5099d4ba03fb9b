internal import Synchronization

extension Task where Failure == Never {
  /// Begins a task with the caller's priority, which the caller's cancellation does not reach.
  ///
  /// It starts on the caller's thread at once, if the stack certainly has room: an operation that need not suspend then ends before the
  /// caller would wait.
  ///
  /// - Parameter seesCaller: Whether the operation sees the caller's task-locals.
  static func begin(
    seesCaller: Bool, _ operation: @escaping @concurrent @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let priority = Task<Never, Never>.currentPriority
    let record = unsafe ThreadRecordPointer.current
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      unsafe record.pointee.stackLimit != 0 && record.hasRoom(at: record.pointee.depth.load(ordering: .relaxed))
    {
      return seesCaller
        ? .immediate(priority: priority, operation: operation)
        : .immediateDetached(priority: priority, operation: operation)
    }
    return seesCaller
      ? Task(priority: priority, operation: operation) : .detached(priority: priority, operation: operation)
  }
}
