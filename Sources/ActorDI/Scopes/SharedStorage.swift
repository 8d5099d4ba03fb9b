internal import Synchronization

/// Keeps the instance only as long as somebody else does.
///
/// `@unchecked Sendable` because it is used under its cell's lock only.
final class SharedStorage: InstanceStorage, @unchecked Sendable {
  private var box: WeakBox?

  /// The binding in which the read path finds the instance; nil where it must not. Unowned, since the binding owns the cell that owns
  /// this; an attempt in flight keeps the binding alive.
  private unowned(unsafe) let binding: Binding?

  init(publishingIn binding: Binding? = nil) {
    unsafe self.binding = binding
  }

  func keeps(_ product: Product) -> Bool { product.instance.object != nil }

  func load() -> Instance? { box?.instance }

  func store(_ product: Product) -> [DroppedInstance] { put(WeakBox(product.instance)) }

  func take() -> [DroppedInstance] { put(nil) }

  private func put(_ new: WeakBox?) -> [DroppedInstance] {
    box = new
    guard let binding = unsafe binding else { return [] }
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = binding.extras.weakInstance.exchange(address, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }
}
