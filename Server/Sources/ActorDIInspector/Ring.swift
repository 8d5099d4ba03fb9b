/// A buffer of the newest elements.
struct Ring<Element> {
  private let limit: Int
  private var elements: [Element] = []
  /// The index of the oldest element, once the buffer is full.
  private var oldest = 0

  init(limit: Int) { self.limit = limit }

  /// Adds an element.
  ///
  /// - Returns: The element that it displaces.
  mutating func append(_ element: Element) -> Element? {
    guard limit > 0 else { return element }
    guard elements.count == limit else {
      elements.append(element)
      return nil
    }
    defer { oldest = (oldest + 1) % limit }
    let displaced = elements[oldest]
    elements[oldest] = element
    return displaced
  }

  var newestFirst: [Element] { (elements[oldest...] + elements[..<oldest]).reversed() }
}
