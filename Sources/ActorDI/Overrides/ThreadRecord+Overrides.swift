internal import Synchronization

extension ThreadRecordPointer {
  /// Orders the pin before later loads where the process has no barrier to do so, and checks the flags.
  ///
  /// - Returns: Whether the lookup must leave everything to the search: overrides are in force for the task, or the
  ///   thread notes requests.
  // Not inlined: the fast path calls it only if a flag is set.
  @usableFromInline @inline(never)
  func pinCheckingFlags() -> Bool {
    let bits = pointee.flags.load(ordering: .relaxed)
    // A fence is necessary (O1): a sequentially consistent store would not be ordered before the load of an instance, which
    // only acquires.
    if bits & ThreadRecord.fenced != 0 { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    return isRecording || (bits & ThreadRecord.overridden != 0 && OverrideLayer.active != nil)
  }

  /// Whether overrides are in force for the task running on this thread.
  var isOverridden: Bool {
    pointee.flags.load(ordering: .relaxed) & ThreadRecord.overridden != 0 && OverrideLayer.active != nil
  }
}
