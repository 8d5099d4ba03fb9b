/// The containers that a resolve searches, nearest first.
///
/// A search begins with the container itself, followed by its links in the order of their creation, then its parent. It
/// searches each linked container and each parent in the same way, and only once. `Container.search` and `CompleteSearch`, under a pin and
/// without retaining the containers, meet each of them for the first time in the same order, but may visit it again.
struct SearchOrder: Sequence, IteratorProtocol {
  /// A container to search.
  private struct Visit {
    let container: Container
    /// The containers with decorators on the path from the start to the container, without itself.
    let decorating: [Container]
  }

  private let start: Container
  /// The containers to search next; the last one comes first.
  private var pending: [Visit]
  /// Nil until the first link: without links, no container is met twice.
  private var visited: Set<ObjectIdentifier>?
  /// The containers with decorators on the path from the start to the last returned container, without itself.
  private var decorating: [Container] = []

  init(from start: Container) {
    self.start = start
    pending = [Visit(container: start, decorating: [])]
  }

  mutating func next() -> Container? {
    while let visit = pending.popLast() {
      let container = visit.container
      if let visited, visited.contains(ObjectIdentifier(container)) { continue }
      decorating = visit.decorating
      let onward = container.hasDecorators ? decorating + [container] : decorating
      let links = container.links
      if let parent = container.parent { pending.append(Visit(container: parent, decorating: onward)) }
      pending += links.reversed().map { Visit(container: $0, decorating: onward) }
      if !links.isEmpty && visited == nil { visited = searched(upTo: container) }
      visited?.insert(ObjectIdentifier(container))
      return container
    }
    return nil
  }

  /// Whether a container that has been searched has links.
  var hasMetLinks: Bool { visited != nil }

  /// A binding of the last returned container, wrapped by the decorators of the containers on the path from the start.
  func decorated(_ found: Located) -> Located { decorating.reversed().reduce(found) { $1.decorating($0) } }

  /// The containers that were searched before the first link.
  private func searched(upTo container: Container) -> Set<ObjectIdentifier> {
    Set(sequence(first: start) { $0 === container ? nil : $0.parent }.map(ObjectIdentifier.init))
  }
}

extension Container {
  nonisolated var searchOrder: SearchOrder { SearchOrder(from: self) }
}
