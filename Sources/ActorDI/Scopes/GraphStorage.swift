/// Keeps a `.graph` instance for its call tree; after that, only as long as somebody else does.
///
/// A ``Lazy`` that was made in the call still finds what the call's objects hold. But the graph does not hold them for it: an
/// instance that holds a lazy, which holds the graph, would hold itself.
///
/// `@unchecked Sendable` because it is used under its cell's lock only.
final class GraphStorage: InstanceStorage, @unchecked Sendable {
  private var strong: Instance?
  private let weak = SharedStorage()

  func load() -> Instance? { strong ?? weak.load() }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = take()
    strong = product.instance
    if weak.keeps(product) { _ = weak.store(product) }
    return dropped
  }

  func take() -> [DroppedInstance] {
    _ = weak.take()
    return endCall()
  }

  func endCall() -> [DroppedInstance] {
    guard let strong else { return [] }
    self.strong = nil
    return [.owned(strong)]
  }
}
