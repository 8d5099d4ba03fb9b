/// The operations that run in a scope of several tasks. A value under its owner's lock.
struct RunningOperations {
  private struct Use {
    /// The address of the task; 0 for an extension.
    let task: UInt
    /// Made for the first waiter.
    var operation: ScopeOperation?
  }

  private var uses: [Use?] = []
  private var free: [Int] = []

  var count: Int { uses.count - free.count }

  /// Begins an operation.
  ///
  /// - Returns: The number of the operation, for its end.
  mutating func begin(by task: UInt) -> Int {
    let use = Use(task: task)
    guard let index = free.popLast() else {
      uses.append(use)
      return uses.count - 1
    }
    uses[index] = use
    return index
  }

  /// Ends an operation.
  ///
  /// - Returns: The operation if a task waits for it.
  mutating func leave(_ index: Int) -> ScopeOperation? {
    let operation = uses[index]?.operation
    uses[index] = nil
    free.append(index)
    return operation
  }

  /// Whether a task runs one of the operations.
  ///
  /// - Complexity: O(*n*) in the largest number of concurrent operations so far.
  func isRun(by task: UInt) -> Bool { task != 0 && uses.contains { $0?.task == task } }

  /// The operations, for a caller that will wait for them.
  ///
  /// - Parameter make: Makes the operation of a task.
  mutating func operations(_ make: (UInt) -> ScopeOperation) -> [ScopeOperation] {
    uses.indices.compactMap { index in
      guard let use = uses[index] else { return nil }
      let operation = use.operation ?? make(use.task)
      uses[index]?.operation = operation
      return operation
    }
  }
}
