/// A storage that keeps its instance weakly.
///
/// `@unchecked Sendable` because it is accessed only under the cell's lock.
final class SharedStorage: InstanceStorage, @unchecked Sendable {
  private var box: WeakBox?

  /// The holder in which the fast path finds the instance; nil if the fast path must not find it.
  ///
  /// Unowned, because the holder owns the cell, which owns this storage. A build in flight keeps the holder alive.
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

/// A storage that keeps a `.graph` instance strongly during its call tree, and weakly afterwards.
///
/// After the call, a ``Lazy`` that was made in it still finds the instances that other objects of the call hold. The graph does not
/// hold them for the lazy: an instance that holds the lazy, which holds the graph, would form a retain cycle.
///
/// `@unchecked Sendable` because it is accessed only under the cell's lock.
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
