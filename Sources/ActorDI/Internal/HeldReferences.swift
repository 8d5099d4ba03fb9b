/// An immutable array of references that it holds, for readers to borrow.
///
/// An array of objects would be retained by each reader, and so would its elements: threads would contend for the counts.
///
/// `@unchecked Sendable` because nothing changes between its creation and its end.
@safe
struct HeldReferences<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  private let elements: UnsafeBufferPointer<UnheldReference<Object>>

  init(_ objects: some Collection<Object>) {
    let memory = UnsafeMutableBufferPointer<UnheldReference<Object>>.allocate(capacity: objects.count)
    _ = unsafe memory.initialize(fromContentsOf: objects.map { UnheldReference($0) })
    unsafe elements = UnsafeBufferPointer(memory)
    for index in indices { self[index].retain() }
  }

  deinit {
    for index in indices { self[index].release() }
    unsafe elements.deallocate()
  }

  var indices: Range<Int> { unsafe elements.indices }
  var count: Int { unsafe elements.count }

  subscript(index: Int) -> UnheldReference<Object> { unsafe elements[index] }
}
