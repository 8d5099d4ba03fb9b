/// The containers that a resolve searches, nearest first.
///
/// A search begins with the container itself, followed by its links in the order of their creation, then its parent. It
/// searches each linked container and each parent in the same way, and only once. `Container.search` and `CompleteSearch` visit the
/// containers in the same order, under a pin and without retaining them.
struct SearchOrder: Sequence, IteratorProtocol {
  /// A container to search.
  private struct Visit {
    let container: Container
    /// The number of containers with decorators on the path to the container, without itself.
    let decoratingCount: Int
  }

  private let start: Container
  /// The containers to search next; the last one comes first.
  private var pending: [Visit] = []
  /// The only container to search next, kept out of `pending` to save its allocation.
  private var following: Visit?
  /// Nil until the first link: without links, no container is met twice.
  private var visited: Set<ObjectIdentifier>?
  /// The containers with decorators on the path from the start to the last returned container, and that
  /// container itself if it has decorators.
  private var decorating: [Container] = []
  private var decoratingCount = 0

  init(from start: Container) {
    self.start = start
    following = Visit(container: start, decoratingCount: 0)
  }

  mutating func next() -> Container? {
    while let visit = following ?? pending.popLast() {
      following = nil
      let container = visit.container
      if let visited, visited.contains(ObjectIdentifier(container)) { continue }
      decoratingCount = visit.decoratingCount
      decorating.removeLast(decorating.count - decoratingCount)
      if container.hasDecorators { decorating.append(container) }
      let links = container.links
      let parent = container.parent.map { Visit(container: $0, decoratingCount: decorating.count) }
      if links.isEmpty && pending.isEmpty {
        following = parent
      } else {
        if let parent { pending.append(parent) }
        pending += links.reversed().map { Visit(container: $0, decoratingCount: decorating.count) }
      }
      if !links.isEmpty && visited == nil { visited = searched(upTo: container) }
      visited?.insert(ObjectIdentifier(container))
      return container
    }
    return nil
  }

  /// Whether a container that has been searched has links.
  var hasLinks: Bool { visited != nil }

  /// A binding of the last returned container, wrapped by the decorators of the containers on the path from the start.
  func decorated(_ found: Located) -> Located {
    decoratingCount == 0 ? found : decorating[..<decoratingCount].reversed().reduce(found) { $1.decorating($0) }
  }

  /// The containers that were searched before the first link.
  private func searched(upTo container: Container) -> Set<ObjectIdentifier> {
    Set(sequence(first: start) { $0 === container ? nil : $0.parent }.map(ObjectIdentifier.init))
  }
}

extension Container {
  nonisolated var searchOrder: SearchOrder { SearchOrder(from: self) }
}
