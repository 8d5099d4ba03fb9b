internal import Synchronization

/// A search through a container, its links and its parents, under a pin. It needs memory for the containers with links, and finds nothing
/// certain if there are too many of them.
struct CompleteSearch {
  /// A container with links that the search has entered and not left yet. It leaves a container after its links and its parents.
  @unsafe
  private struct Entered {
    let container: UnheldReference<Container>
    /// The one that was entered before.
    let outer: UnsafePointer<Entered>?
    let depth: Int
  }

  private let wanted: Container.Wanted
  private var entries = 0

  private init(for wanted: Container.Wanted) { self.wanted = wanted }

  /// Searches a container, its links and its parents.
  static func find(
    _ wanted: Container.Wanted, from container: Container, where isMatch: (FoundBinding) -> Bool
  ) -> SearchResult {
    var search = CompleteSearch(for: wanted)
    return unsafe search.visit(UnheldReference(container), by: .none, behind: nil, where: isMatch)
  }

  /// Searches a container, its links and its parents.
  ///
  /// - Parameters:
  ///   - links: Those by which the container, or one whose parent it is, was found.
  ///   - outer: The containers that have been entered.
  // Not inlined into itself, nor into the search that needs no memory.
  @inline(never)
  private mutating func visit(
    _ container: UnheldReference<Container>, by links: LinksWord, behind outer: UnsafePointer<Entered>?,
    where isMatch: (FoundBinding) -> Bool
  ) -> SearchResult {
    var current = container
    while true {
      let found = current.borrow { $0.findHere(wanted, where: isMatch) }
      if found != .nothing { return SearchResult(binding: found, links: links) }
      let own = current.borrow { $0.publishedLinks }
      if own != .none { return unsafe follow(own, of: current, by: links, behind: outer, where: isMatch) }
      guard let parent = current.borrow({ $0.parentToSearch }) else { return .nothing }
      current = parent
    }
  }

  /// Searches the links of a container, and then its parents.
  // Inlined to save a call for each link.
  @inline(__always)
  private mutating func follow(
    _ own: LinksWord, of container: UnheldReference<Container>, by links: LinksWord,
    behind outer: UnsafePointer<Entered>?, where isMatch: (FoundBinding) -> Bool
  ) -> SearchResult {
    let depth = unsafe outer.map { unsafe $0.pointee.depth + 1 } ?? 0
    var next = unsafe outer
    while let entered = unsafe next {
      if unsafe entered.pointee.container == container { return .nothing }
      unsafe next = entered.pointee.outer
    }
    guard depth < Self.mostEntered, entries < Self.mostEntries else { return .unsure }
    entries += 1
    let entered = unsafe Entered(container: container, outer: outer, depth: depth)
    return unsafe withUnsafePointer(to: entered) { path in
      var result = SearchResult.nothing
      var index = 0
      while result.binding == .nothing, let target = own.target(at: index) {
        result = unsafe visit(target, by: own, behind: path, where: isMatch)
        index += 1
      }
      if result.binding == .nothing, let parent = container.borrow({ $0.parentToSearch }) {
        result = unsafe visit(parent, by: links, behind: path, where: isMatch)
      }
      return own.mayDecorate(result.binding) ? .unsure : result
    }
  }

  /// The maximum number of containers that a search has entered and not left yet.
  private static var mostEntered: Int { 16 }
  /// The maximum number of times that a search enters a container: it enters one anew for each way that leads there.
  private static var mostEntries: Int { 256 }
}
