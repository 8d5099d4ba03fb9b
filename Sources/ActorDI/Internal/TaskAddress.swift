/// What a task is recognised by: its address, which is compared, and followed only where the task is known to be alive.
enum TaskAddress {
  /// That of the calling task; 0 outside of any.
  static var current: UInt {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe unsafeBitCast(task, to: UInt.self)
    }
  }

  /// Cancels a task that is alive during the call.
  static func cancel(_ address: UInt) { unsafe unsafeBitCast(address, to: UnsafeCurrentTask.self).cancel() }
}
