internal import Synchronization

/// Keeps the instance only as long as somebody else does.
///
/// `@unchecked Sendable` because it is used under its cell's lock only.
final class SharedStorage<Service>: InstanceStorage, @unchecked Sendable {
  private var box: WeakBox<Service>?

  /// The binding in which the read path finds the instance; nil where it must not. Unowned, since the binding owns the cell that owns
  /// this; an attempt in flight keeps the binding alive.
  private unowned(unsafe) let binding: Binding?

  init(publishingIn binding: Binding? = nil) {
    unsafe self.binding = binding
  }

  func keeps(_ product: Product) -> Bool {
    WeakBox.object(of: Self.value(of: product)) != nil
  }

  func load() -> Instance? {
    guard let value = box?.value else { return nil }
    return Instance(object: Box(value))
  }

  func store(_ product: Product) -> [DroppedInstance] {
    put(WeakBox(Self.value(of: product)))
  }

  func take() -> [DroppedInstance] { put(nil) }

  private func put(_ new: WeakBox<Service>?) -> [DroppedInstance] {
    box = new
    guard let binding = unsafe binding else { return [] }
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = binding.extras.weakInstance.exchange(address, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }

  private static func value(of product: Product) -> Service {
    unsafe unsafeDowncast(product.instance.object, to: Box<Service>.self).value
  }
}
