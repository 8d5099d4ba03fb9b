internal import Synchronization

/// Keeps the instance in its binding, where the read path finds it in one load.
final class SingletonStorage: InstanceStorage {
  /// Unowned, since the binding owns the cell that owns this; an attempt in flight keeps the binding alive.
  private unowned(unsafe) let binding: Binding

  init(_ binding: Binding) {
    unsafe self.binding = binding
  }

  func load() -> Instance? {
    // Under the cell's lock nobody takes the instance out, so it may be retained without a pin (B2).
    let address = unsafe binding.instance.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return Instance(unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue())
  }

  func storeAlone(_ instance: Instance) -> Bool {
    guard unsafe binding.instance.load(ordering: .acquiring) == 0 else { return false }
    _ = unsafe binding.show(instance)
    return true
  }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe binding.show(product.instance)
    return dropped + product.forwarded.flatMap { $0.binding.show($0.instance) }
  }

  func take() -> [DroppedInstance] {
    let forwards = unsafe binding.forwards?.all ?? []
    return unsafe binding.show(nil) + forwards.flatMap { $0.binding.show(nil) }
  }
}

extension Binding {
  /// Shows the read path another instance, or none. Under the cell's lock.
  ///
  /// - Returns: what it showed before.
  final func show(_ instance: Instance?) -> [DroppedInstance] {
    let new =
      instance.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0.box).toOpaque()) } ?? 0
    let old = self.instance.exchange(new, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }
}
