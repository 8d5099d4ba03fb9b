/// Keeps the instance only as long as somebody else does.
///
/// `@unchecked Sendable` because it is used under its cell's lock only.
final class SharedStorage: InstanceStorage, @unchecked Sendable {
  private var box: WeakBox?

  /// The holder in which the read path finds the instance; nil where it must not. Unowned, since the holder owns the cell that owns
  /// this; an attempt in flight keeps the holder alive.
  private unowned(unsafe) let publisher: InstanceHolder?
  var holder: InstanceHolder? { unsafe publisher }

  init(publishingIn holder: InstanceHolder? = nil) {
    unsafe publisher = holder
  }

  func keeps(_ product: Product) -> Bool { product.instance.object != nil }

  func load() -> Instance? { box?.instance }

  func store(_ product: Product) -> [DroppedInstance] { put(WeakBox(product.instance)) }

  func take() -> [DroppedInstance] { put(nil) }

  private func put(_ new: WeakBox?) -> [DroppedInstance] {
    box = new
    return unsafe publisher?.showWeakly(new) ?? []
  }
}

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
