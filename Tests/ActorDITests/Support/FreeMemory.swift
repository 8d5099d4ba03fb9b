/// Fills the small blocks that the allocator has free on this thread with bytes of one, the mark of an optional without a value.
///
/// A read beyond the end of a value in new memory then finds such a byte. Otherwise it mostly finds zeros, which hide the error.
package func fillFreeMemory() {
  var blocks: [UnsafeMutableRawPointer] = unsafe []
  for size in stride(from: 16, through: 256, by: 16) {
    for _ in 0..<32 {
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      unsafe block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
      unsafe blocks.append(block)
    }
  }
  while let block = unsafe blocks.popLast() { unsafe block.deallocate() }
}
