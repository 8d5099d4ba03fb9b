internal import CActorDI

/// The address of a task, which identifies it.
///
/// Addresses are compared. An address is dereferenced only while its task is known to be alive.
enum TaskAddress {
  /// The address of the calling task; 0 outside of any task.
  // The runtime's function, because `withUnsafeCurrentTask` retains the task.
  static var current: UInt { unsafe UInt(bitPattern: actordi_current_task()) }

  /// Cancels a task. The caller guarantees that the task is alive during the call.
  static func cancel(_ address: UInt) { unsafe unsafeBitCast(address, to: UnsafeCurrentTask.self).cancel() }
}
