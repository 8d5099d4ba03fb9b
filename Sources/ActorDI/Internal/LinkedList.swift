/// An object that can be in one ``LinkedList`` or ``UnheldList`` at a time.
///
/// `@unchecked Sendable` because the links are used only under the lock that guards the list.
@safe
@usableFromInline
class LinkedElement: @unchecked Sendable {
  // The list retains each element once; the links are plain addresses. Strong references would triple the reference counting
  // and release a long list recursively.
  fileprivate final var next: Unmanaged<LinkedElement>?
  fileprivate final var previous: Unmanaged<LinkedElement>?
  fileprivate(set) final var isListed = false
}

/// A list of retained elements in order of addition, with constant-time removal.
///
/// The list is used under a lock. Removed elements are returned, so that the caller can release them after unlocking.
struct LinkedList<Element: LinkedElement>: ~Copyable {
  private var links = Links()

  deinit { unsafe LinkedElement.release(from: links.last) }

  var isEmpty: Bool { links.isEmpty }

  /// Appends an element and retains it.
  ///
  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    links.append(element)
    unsafe _ = Unmanaged.passRetained(element)
  }

  /// Removes an element.
  ///
  /// - Returns: The list's own reference, which the caller releases after unlocking; nil if the element was not in the list.
  /// - Complexity: O(1).
  mutating func remove(_ element: Element) -> Element? {
    links.remove(element) ? unsafe Unmanaged.passUnretained(element).takeRetainedValue() : nil
  }

  /// The last element that satisfies a predicate.
  ///
  /// - Complexity: O(*n*) in the number of elements behind it.
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

  /// Removes all elements.
  ///
  /// - Complexity: O(*n*). Allocates nothing.
  mutating func removeAll() -> LinkedChain<Element> { unsafe LinkedChain(last: links.removeAll()) }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] { links.all.map { unsafe unsafeDowncast($0, to: Element.self) } }
}

/// A list that does not retain its elements: each is kept alive by other means while it is listed.
struct UnheldList<Element: LinkedElement>: ~Copyable {
  private var links = Links()

  var isEmpty: Bool { links.isEmpty }

  /// Appends an element without retaining it.
  ///
  /// - Complexity: O(1).
  mutating func append(_ element: Element) { links.append(element) }

  /// Removes an element.
  ///
  /// - Returns: Whether the element was in the list.
  /// - Complexity: O(1).
  @discardableResult
  mutating func remove(_ element: Element) -> Bool { links.remove(element) }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] { links.all.map { unsafe unsafeDowncast($0, to: Element.self) } }
}

/// The two ends of a list. The enclosing list guarantees the type of the elements and that they are alive.
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

  /// Removes an element.
  ///
  /// - Returns: Whether the element was in the list.
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

  /// Removes all elements.
  ///
  /// - Returns: The last element, whose links lead to all others.
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

/// The elements removed from a ``LinkedList``, to be taken from the end without a lock: no list refers to them any more.
///
/// `@unchecked Sendable` because the chain is the only access to its elements' links.
@safe
struct LinkedChain<Element: LinkedElement>: ~Copyable, @unchecked Sendable {
  private var last: Unmanaged<LinkedElement>?

  fileprivate init(last: Unmanaged<LinkedElement>?) { unsafe self.last = last }

  deinit { unsafe LinkedElement.release(from: last) }

  /// Removes and returns the element that was added last.
  ///
  /// - Complexity: O(1).
  mutating func popLast() -> Element? {
    guard let reference = unsafe last else { return nil }
    let element = unsafe reference.takeRetainedValue()
    unsafe last = element.previous
    unsafe element.previous = nil
    unsafe element.next = nil
    // The type is certain: only a `LinkedList<Element>` makes the chain.
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
