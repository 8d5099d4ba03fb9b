internal import Synchronization

extension UnsafeMutablePointer<ThreadRecord> {
  /// Orders the pin before what follows, where the process barrier cannot.
  ///
  /// - Returns: whether the resolve has to look closer.
  @usableFromInline
  @inline(never)
  func pinAttentively() -> Bool {
    let bits = unsafe pointee.attention.load(ordering: .relaxed)
    // A fence, not a sequentially consistent store: that would not come before the load of an instance, which only acquires.
    if bits & ThreadRecord.fenced != 0 { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    return bits & ThreadRecord.recording != 0 || (bits & ThreadRecord.overridden != 0 && OverrideLayer.active != nil)
  }

  /// Whether overrides are in force for the task that runs on this thread.
  var isOverridden: Bool {
    unsafe pointee.attention.load(ordering: .relaxed) & ThreadRecord.overridden != 0 && OverrideLayer.active != nil
  }
}
