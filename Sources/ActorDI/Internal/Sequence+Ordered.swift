extension Sequence {
  /// The elements, sorted stably.
  ///
  /// A sort takes about 4 kB of machine code for each element type. This one is compiled once, because it sorts indices.
  ///
  /// - Parameter isBefore: Whether the first of two elements must precede the second.
  func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    return orderedIndices(elements.count) { isBefore(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

// Not inlined, so that it is compiled once.
@inline(never)
private func orderedIndices(_ count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] { (0..<count).sorted(by: isBefore) }
