/// Fills the small blocks that the allocator has free on this thread with bytes of one, the mark of an optional without a value.
///
/// A read beyond the end of a value in new memory then finds such a byte. Otherwise it mostly finds zeros, which hide the error.
func fillFreeMemory() {
  let blocks = stride(from: 16, through: 256, by: 16).flatMap { size in
    (0..<32).map { _ in
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
      return block
    }
  }
  for block in blocks { block.deallocate() }
}
