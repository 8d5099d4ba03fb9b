/// An object that can be in one ``LinkedList`` or ``UnheldList`` at a time.
///
/// `@unchecked Sendable` because the links are used only under the lock that guards the list.
@safe @usableFromInline
class LinkedElement: @unchecked Sendable {
  // The list retains each element once; the links are plain addresses. Strong references would triple the reference counting
  // and release a long list recursively.
  fileprivate final var next: UnheldReference<LinkedElement>?
  fileprivate final var previous: UnheldReference<LinkedElement>?
  fileprivate(set) final var isListed = false

  fileprivate final func unlink() {
    next = nil
    previous = nil
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
    var next = links.last
    while let reference = next {
      let element = reference.takeRetained()
      next = element.previous
      element.unlink()
    }
  }

  var isEmpty: Bool { links.isEmpty }

  /// The element that was added first.
  var first: Element? { links.first?.restored(to: Element.self).object }

  /// Appends an element and retains it.
  ///
  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    links.append(element)
    UnheldReference(element).retain()
  }

  /// Removes an element.
  ///
  /// - Returns: The list's own reference, which the caller releases after unlocking; nil if the element was not in the list.
  /// - Complexity: O(1).
  mutating func remove(_ element: Element) -> Element? {
    links.remove(element) ? UnheldReference(element).takeRetained() : nil
  }

  /// Removes and returns the element that was added last.
  ///
  /// - Complexity: O(1).
  mutating func popLast() -> Element? {
    guard let last = links.last else { return nil }
    let element = last.restored(to: Element.self).takeRetained()
    links.remove(element)
    return element
  }

  /// The last element that satisfies a predicate.
  ///
  /// - Complexity: O(*n*) in the number of elements behind it.
  func last(where isWanted: (Element) -> Bool) -> Element? {
    var next = links.last
    while let reference = next {
      let element = reference.restored(to: Element.self).object
      if isWanted(element) { return element }
      next = element.previous
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
  fileprivate var first: UnheldReference<LinkedElement>?
  fileprivate var last: UnheldReference<LinkedElement>?

  var isEmpty: Bool { first == nil }

  /// Appends an element without retaining it.
  ///
  /// - Complexity: O(1).
  mutating func append(_ element: Element) {
    let new = UnheldReference<LinkedElement>(element)
    element.previous = last
    element.isListed = true
    last?.borrow { $0.next = new }
    if isEmpty { first = new }
    last = new
  }

  /// Removes an element.
  ///
  /// - Returns: Whether the element was in the list.
  /// - Complexity: O(1).
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    guard element.isListed else { return false }
    let (next, previous) = (element.next, element.previous)
    next?.borrow { $0.previous = previous }
    if next == nil { last = previous }
    previous?.borrow { $0.next = next }
    if previous == nil { first = next }
    element.unlink()
    return true
  }

  /// The elements, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [Element] {
    var elements: [Element] = []
    var next = first
    while let reference = next {
      let element = reference.restored(to: Element.self).object
      elements.append(element)
      next = element.next
    }
    return elements
  }
}
