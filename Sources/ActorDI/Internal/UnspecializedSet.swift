/// A set for code that runs rarely.
///
/// The optimiser compiles a dozen functions of `Set` for each element type. This one calls the standard library's own, which are slower.
struct UnspecializedSet<Element: Hashable> {
  private var elements: Set<Element> = []

  /// Adds an element.
  ///
  /// - Returns: Whether it was not in the set.
  // The attribute is the standard library's own; there is no other way to ask the optimiser for it.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  @discardableResult
  mutating func insert(_ element: Element) -> Bool { elements.insert(element).inserted }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func contains(_ element: Element) -> Bool { elements.contains(element) }
}
