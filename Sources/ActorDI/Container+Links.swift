// Containers that work together: each finds in the others what it does not have itself.
extension Container {
  /// Lets this container find what another one has.
  ///
  /// A resolve looks in the container itself, then in its links in the order made, then in its parent; a linked container
  /// is looked through in the same way. What is found there and kept stays one instance, whoever asks. Two containers may be
  /// linked with each other.
  ///
  /// - Parameter other: the container to look in. It is kept alive until the link is cancelled: containers in a circle
  ///   keep each other.
  /// - Returns: the link, to cancel it by.
  /// - Complexity: O(*n*) in the number of links.
  /// - Concurrency: from any thread; resolves that begin afterwards see it.
  @discardableResult
  public nonisolated func link(_ other: Container) -> Link {
    let links = lazyLinks.load() ?? lazyLinks.storeIfNil(LinkList())
    let link = Link(in: links, number: links.add(other))
    dropStandIns()
    return link
  }

  /// The containers linked to, in the order made.
  nonisolated var links: [Container] { lazyLinks.load()?.containers ?? [] }
}

/// That one container looks in another.
///
/// It stays until it is cancelled, or the container that looks is gone; dropping this value does not end it.
public struct Link: Sendable {
  /// Not the container, which this does not keep: it empties the list when it goes.
  private let links: LinkList
  private let number: UInt

  fileprivate init(in links: LinkList, number: UInt) {
    self.links = links
    self.number = number
  }

  /// Ends the link. Resolves that have found something by it go on.
  ///
  /// - Concurrency: from any thread, any number of times.
  public func cancel() {
    links.remove(number)
  }
}

/// The links of one container.
final class LinkList: Sendable {
  private struct State: Sendable {
    var links: [(number: UInt, target: Container)] = []
    var lastNumber: UInt = 0
  }

  private let state = Lock(State())

  var containers: [Container] { state.withLock { $0.links.map(\.target) } }

  func add(_ target: Container) -> UInt {
    state.withLock { state in
      state.lastNumber += 1
      state.links.append((state.lastNumber, target))
      return state.lastNumber
    }
  }

  func remove(_ number: UInt) {
    // It may be the last reference to the container: it goes after the lock.
    _ = state.withLock { state -> Container? in
      guard let index = state.links.firstIndex(where: { $0.number == number }) else { return nil }
      return state.links.remove(at: index).target
    }
  }

  func removeAll() {
    _ = state.withLock { state in
      let all = state.links
      state.links = []
      return all
    }
  }
}
