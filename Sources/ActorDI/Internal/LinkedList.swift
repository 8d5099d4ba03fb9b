/// Something that can stand in one ``LinkedList`` at a time.
///
/// `@unchecked Sendable` because the links are used under the lock of whoever has the list.
class LinkedElement: @unchecked Sendable {
  fileprivate final var next: LinkedElement?
  fileprivate final unowned(unsafe) var previous: LinkedElement?
  fileprivate(set) final var isListed = false
}

/// Elements in the order in which they were added, each of which can be taken out at once.
///
/// Used under a lock: what is taken out is returned, for the caller to release after it.
struct LinkedList<Element: LinkedElement>: ~Copyable {
  private var first: LinkedElement?
  private var last: LinkedElement?

  init() {}

  deinit {
    // One by one: thousands must not be released recursively.
    var next = first
    while let element = next {
      next = element.next
      element.next = nil
    }
  }

  var isEmpty: Bool { first == nil }

  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    unsafe element.previous = last
    element.isListed = true
    last?.next = element
    if first == nil { first = element }
    last = element
  }

  /// - Returns: whether it was there.
  /// - Complexity: O(1).
  mutating func remove(_ element: Element) -> Bool {
    guard element.isListed else { return false }
    let (next, previous) = unsafe (element.next, element.previous)
    unsafe next?.previous = previous
    if let previous { previous.next = next } else { first = next }
    if next == nil { last = previous }
    element.next = nil
    unsafe element.previous = nil
    element.isListed = false
    return true
  }

  /// Takes all elements out, in order.
  mutating func removeAll() -> [Element] {
    let elements = all
    for element in elements { _ = remove(element) }
    return elements
  }

  /// The elements, in order.
  var all: [Element] {
    var elements: [Element] = []
    var next = first
    while let element = next {
      // Nothing else can be added.
      elements.append(unsafe unsafeDowncast(element, to: Element.self))
      next = element.next
    }
    return elements
  }
}
