/// Something that can stand in one ``LinkedList`` or ``UnheldList`` at a time.
///
/// `@unchecked Sendable` because the links are used under the lock of whoever has the list.
@safe
@usableFromInline
class LinkedElement: @unchecked Sendable {
  // Each element is retained once, by the list; the links are plain addresses. As strong references they would cost three times
  // the reference counting, and release a long list recursively.
  fileprivate final var next: Unmanaged<LinkedElement>?
  fileprivate final var previous: Unmanaged<LinkedElement>?
  fileprivate(set) final var isListed = false
}

/// Elements in the order in which they were added, each of which can be taken out at once, and is held until then.
///
/// Used under a lock: what is taken out is returned, for the caller to release after it.
struct LinkedList<Element: LinkedElement>: ~Copyable {
  private var links = Links()

  deinit { unsafe LinkedElement.release(from: links.last) }

  var isEmpty: Bool { links.isEmpty }

  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    links.append(element)
    unsafe _ = Unmanaged.passRetained(element)
  }

  /// - Returns: the list's own reference, for the caller to let go of after the lock; nil when the element was not there.
  /// - Complexity: O(1).
  mutating func remove(_ element: Element) -> Element? {
    links.remove(element) ? unsafe Unmanaged.passUnretained(element).takeRetainedValue() : nil
  }

  /// The last element that fits.
  ///
  /// - Complexity: O(*n*) in the elements behind it.
  func last(where isWanted: (Element) -> Bool) -> Element? {
    var next = unsafe links.last
    while let reference = unsafe next {
      let element = unsafe reference.takeUnretainedValue()
      if isWanted(unsafe unsafeDowncast(element, to: Element.self)) {
        return unsafe unsafeDowncast(element, to: Element.self)
      }
      unsafe next = element.previous
    }
    return nil
  }

  /// Takes all elements out.
  ///
  /// - Complexity: O(*n*). Nothing is allocated.
  mutating func removeAll() -> LinkedChain<Element> { unsafe LinkedChain(last: links.removeAll()) }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] { links.all.map { unsafe unsafeDowncast($0, to: Element.self) } }
}

/// The same for elements that somebody else holds for as long as they are listed.
struct UnheldList<Element: LinkedElement>: ~Copyable {
  private var links = Links()

  var isEmpty: Bool { links.isEmpty }

  /// - Complexity: O(1).
  mutating func append(_ element: Element) { links.append(element) }

  /// - Returns: whether it was there.
  /// - Complexity: O(1).
  @discardableResult
  mutating func remove(_ element: Element) -> Bool { links.remove(element) }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] { links.all.map { unsafe unsafeDowncast($0, to: Element.self) } }
}

/// The ends of a list. Whoever has the list knows of which type its elements are, and that they are alive.
@safe
private struct Links: ~Copyable {
  private var first: Unmanaged<LinkedElement>?
  private(set) var last: Unmanaged<LinkedElement>?

  var isEmpty: Bool { unsafe first == nil }

  mutating func append(_ element: LinkedElement) {
    let new = unsafe Unmanaged<LinkedElement>.passUnretained(element)
    unsafe element.previous = last
    element.isListed = true
    if let last = unsafe last {
      unsafe last._withUnsafeGuaranteedRef { unsafe $0.next = new }
    } else {
      unsafe first = new
    }
    unsafe last = new
  }

  /// - Returns: whether it was there.
  mutating func remove(_ element: LinkedElement) -> Bool {
    guard element.isListed else { return false }
    let (next, previous) = unsafe (element.next, element.previous)
    if let next = unsafe next {
      unsafe next._withUnsafeGuaranteedRef { unsafe $0.previous = previous }
    } else {
      unsafe last = previous
    }
    if let previous = unsafe previous {
      unsafe previous._withUnsafeGuaranteedRef { unsafe $0.next = next }
    } else {
      unsafe first = next
    }
    unsafe element.next = nil
    unsafe element.previous = nil
    element.isListed = false
    return true
  }

  /// - Returns: the last element, which leads to all others.
  mutating func removeAll() -> Unmanaged<LinkedElement>? {
    var next = unsafe first
    while let element = unsafe next {
      unsafe next = unsafe element._withUnsafeGuaranteedRef { element in
        element.isListed = false
        return unsafe element.next
      }
    }
    defer { unsafe (first, last) = (nil, nil) }
    return unsafe last
  }

  var all: [LinkedElement] {
    var elements: [LinkedElement] = []
    var next = unsafe first
    while let reference = unsafe next {
      let element = unsafe reference.takeUnretainedValue()
      elements.append(element)
      unsafe next = element.next
    }
    return elements
  }
}

/// What stood in a ``LinkedList``, to be taken from its end, without a lock: nobody finds it in a list any more.
///
/// `@unchecked Sendable` because it is the only way to the links of its elements.
@safe
struct LinkedChain<Element: LinkedElement>: ~Copyable, @unchecked Sendable {
  private var last: Unmanaged<LinkedElement>?

  fileprivate init(last: Unmanaged<LinkedElement>?) { unsafe self.last = last }

  deinit { unsafe LinkedElement.release(from: last) }

  /// Takes the element out that was added last.
  ///
  /// - Complexity: O(1).
  mutating func popLast() -> Element? {
    guard let reference = unsafe last else { return nil }
    let element = unsafe reference.takeRetainedValue()
    unsafe last = element.previous
    unsafe element.previous = nil
    unsafe element.next = nil
    // Nothing else can be added.
    return unsafe unsafeDowncast(element, to: Element.self)
  }
}

extension LinkedElement {
  fileprivate static func release(from last: Unmanaged<LinkedElement>?) {
    var next = unsafe last
    while let reference = unsafe next {
      let element = unsafe reference.takeRetainedValue()
      unsafe next = element.previous
    }
  }
}
