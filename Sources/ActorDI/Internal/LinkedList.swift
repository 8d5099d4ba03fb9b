/// An object that can be in one ``LinkedList`` or ``UnheldList`` at a time.
///
/// `@unchecked Sendable` because the links are used only under the lock that guards the list.
@safe @usableFromInline
class LinkedElement: @unchecked Sendable {
  // The list retains each element once; the links are plain addresses. Strong references would triple the reference counting
  // and release a long list recursively.
  fileprivate final var next: Unmanaged<LinkedElement>?
  fileprivate final var previous: Unmanaged<LinkedElement>?
  fileprivate(set) final var isListed = false

  fileprivate final func unlink() {
    unsafe next = nil
    unsafe previous = nil
    isListed = false
  }
}

/// A list of retained elements in order of addition, with constant-time removal.
///
/// The list is used under a lock, or by the thread that has taken the whole list from under the lock. Removed elements are returned,
/// so that the caller can release them after unlocking.
///
/// `@unchecked Sendable` because the list is the only access to its elements' links.
struct LinkedList<Element: LinkedElement>: ~Copyable, @unchecked Sendable {
  private var links = UnheldList<Element>()

  deinit {
    var next = unsafe links.last
    while let reference = unsafe next {
      let element = unsafe reference.takeRetainedValue()
      unsafe next = element.previous
      element.unlink()
    }
  }

  var isEmpty: Bool { links.isEmpty }

  /// The element that was added first.
  var first: Element? {
    unsafe links.first.map { unsafe unsafeDowncast($0.takeUnretainedValue(), to: Element.self) }
  }

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

  /// Removes and returns the element that was added last.
  ///
  /// - Complexity: O(1).
  mutating func popLast() -> Element? {
    guard let last = unsafe links.last else { return nil }
    let element = unsafe unsafeDowncast(last.takeRetainedValue(), to: Element.self)
    links.remove(element)
    return element
  }

  /// The last element that satisfies a predicate.
  ///
  /// - Complexity: O(*n*) in the number of elements behind it.
  func last(where isWanted: (Element) -> Bool) -> Element? {
    var next = unsafe links.last
    while let reference = unsafe next {
      let element = unsafe unsafeDowncast(reference.takeUnretainedValue(), to: Element.self)
      if isWanted(element) { return element }
      unsafe next = element.previous
    }
    return nil
  }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] { links.all }
}

/// A list that does not retain its elements: each is kept alive by other means while it is listed.
@safe
struct UnheldList<Element: LinkedElement>: ~Copyable {
  fileprivate var first: Unmanaged<LinkedElement>?
  fileprivate var last: Unmanaged<LinkedElement>?

  var isEmpty: Bool { unsafe first == nil }

  /// Appends an element without retaining it.
  ///
  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    let new = unsafe Unmanaged<LinkedElement>.passUnretained(element)
    unsafe element.previous = last
    element.isListed = true
    unsafe last?._withUnsafeGuaranteedRef { unsafe $0.next = new }
    if isEmpty { unsafe first = new }
    unsafe last = new
  }

  /// Removes an element.
  ///
  /// - Returns: Whether the element was in the list.
  /// - Complexity: O(1).
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    guard element.isListed else { return false }
    let (next, previous) = unsafe (element.next, element.previous)
    unsafe next?._withUnsafeGuaranteedRef { unsafe $0.previous = previous }
    if unsafe next == nil { unsafe last = previous }
    unsafe previous?._withUnsafeGuaranteedRef { unsafe $0.next = next }
    if unsafe previous == nil { unsafe first = next }
    element.unlink()
    return true
  }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] {
    var elements: [Element] = []
    var next = unsafe first
    while let reference = unsafe next {
      // The type is certain: only `append(_:)` adds elements.
      let element = unsafe unsafeDowncast(reference.takeUnretainedValue(), to: Element.self)
      elements.append(element)
      unsafe next = element.next
    }
    return elements
  }
}
