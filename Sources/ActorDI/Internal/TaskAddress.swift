/// The address of a task, which identifies it.
///
/// Addresses are compared. An address is dereferenced only while its task is known to be alive.
enum TaskAddress {
  /// The address of the calling task; 0 outside of any task.
  static var current: UInt {
    // Nil is 0. Unwrapping would copy the task.
    unsafe withUnsafeCurrentTask { unsafe unsafeBitCast($0, to: UInt.self) }
  }

  /// Cancels a task. The caller guarantees that the task is alive during the call.
  static func cancel(_ address: UInt) { unsafe unsafeBitCast(address, to: UnsafeCurrentTask.self).cancel() }
}
