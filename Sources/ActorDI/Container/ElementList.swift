/// The bindings of a collection's elements, in order of registration; those of parents and links come first.
///
/// Making a list takes many times as long as checking that a published one still holds. So containers publish the lists that they have
/// made.
///
/// `ListByKey` is its subclass. `@unchecked Sendable` because a class with subclasses cannot be checked; all stored properties are
/// Sendable.
class ElementList: @unchecked Sendable {
  /// A collection that is asked for.
  struct Query {
    /// The identity of the elements. With a key, only the bindings of that key are elements.
    let identity: ServiceIdentity
    /// The type of the collection, which selects the elements by their keys.
    let collection: ObjectIdentifier

    func isSame(as other: Query) -> Bool {
      collection == other.collection && identity.isSame(as: other.identity)
    }
  }

  let bindings: HeldReferences<Binding>
  /// The elements with their containers, which a link holds no longer if it is cancelled. Empty in a published list: its container would
  /// hold itself.
  private let located: [Located]

  /// Creates a list.
  ///
  /// - Parameter located: The elements with their containers; empty for a list to publish, whose bindings are those of the publishing
  ///   container and its parents.
  init(_ bindings: [Binding], holding located: [Located]) {
    self.bindings = HeldReferences(bindings)
    self.located = located
  }

  var count: Int { bindings.count }
}

/// The lists that a container publishes. Immutable.
final class ElementLists: Sendable {
  /// A published list. It serves requests until a registry that it depends on changes (P5), and has only bindings of its publisher and of
  /// the containers above (P6).
  final class Entry: Sendable {
    let query: ElementList.Query
    let list: ElementList
    /// The bindings that make the instances of the elements. A request by one of them gets a list of its own, without the elements that
    /// this binding makes.
    let makers: [BindingID]
    /// The newest version of the registries of the container and its parents, before the list was made.
    let version: UInt

    init(_ query: ElementList.Query, _ list: ElementList, madeBy makers: [BindingID], version: UInt) {
      self.query = query
      self.list = list
      self.makers = makers
      self.version = version
    }
  }

  let entries: HeldReferences<Entry>

  /// The maximum number of lists. Keys can be values of any number.
  private static var mostEntries: Int { 16 }

  init(_ entries: some Collection<Entry>) { self.entries = HeldReferences(entries.suffix(Self.mostEntries)) }

  /// The latest entry for a query.
  func entry(for query: ElementList.Query) -> UnheldReference<Entry>? {
    for index in entries.indices.reversed() where entries[index].borrow({ $0.query.isSame(as: query) }) {
      return entries[index]
    }
    return nil
  }
}
