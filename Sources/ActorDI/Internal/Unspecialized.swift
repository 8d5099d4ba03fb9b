// Collections for code that runs rarely, compiled once for all types of elements.
//
// The optimiser would copy the standard library's functions into this module for each type of elements, and once more for each closure. Those
// of arrays alone were a tenth of the library's compile time, and 29 kB of machine code. Code that must be fast uses a
// loop instead.
//
// The attribute `_semantics` is the standard library's own; there is no other way to ask the optimiser for it.

// Inside this module, these functions hide the standard library's, for arrays and for closures that do not throw.
extension Array {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func map<T>(_ transform: (Element) -> T) -> [T] {
    var transformed: [T] = []
    transformed.reserveCapacity(count)
    for index in 0..<count { transformed.append(transform(self[index])) }
    return transformed
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func compactMap<T>(_ transform: (Element) -> T?) -> [T] {
    var transformed: [T] = []
    for index in 0..<count { if let value = transform(self[index]) { transformed.append(value) } }
    return transformed
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func flatMap<T>(_ transform: (Element) -> [T]) -> [T] {
    var transformed: [T] = []
    for index in 0..<count { transformed += transform(self[index]) }
    return transformed
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
    var filtered: [Element] = []
    for index in 0..<count where isIncluded(self[index]) { filtered.append(self[index]) }
    return filtered
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func reversed() -> [Element] {
    var reversed: [Element] = []
    reversed.reserveCapacity(count)
    for index in 0..<count { reversed.append(self[count - 1 - index]) }
    return reversed
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    for index in 0..<count where predicate(self[index]) { return index }
    return nil
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func first(where predicate: (Element) -> Bool) -> Element? { firstIndex(where: predicate).map { self[$0] } }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func contains(where predicate: (Element) -> Bool) -> Bool { firstIndex(where: predicate) != nil }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func allSatisfy(_ predicate: (Element) -> Bool) -> Bool { !contains { !predicate($0) } }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func += (array: inout [Element], elements: [Element]) {
    for index in 0..<elements.count { array.append(elements[index]) }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func + (array: [Element], elements: [Element]) -> [Element] {
    if array.isEmpty { return elements }
    if elements.isEmpty { return array }
    var joined = array
    joined += elements
    return joined
  }
}

/// A set for code that runs rarely: it calls the standard library's unspecialised functions.
struct UnspecializedSet<Element: Hashable> {
  private var elements: Set<Element> = []

  /// Adds an element.
  ///
  /// - Returns: Whether it was not in the set.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never") @discardableResult
  mutating func insert(_ element: Element) -> Bool { elements.insert(element).inserted }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func contains(_ element: Element) -> Bool { elements.contains(element) }
}
