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
    _ = unsafe Self.put(instance, into: binding)
    return true
  }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe Self.put(product.instance, into: binding)
    return dropped + product.forwarded.flatMap { Self.put($0.instance, into: $0.binding) }
  }

  func take() -> [DroppedInstance] {
    let forwards = unsafe binding.forwards?.all ?? []
    return unsafe Self.put(nil, into: binding) + forwards.flatMap { Self.put(nil, into: $0.binding) }
  }

  private static func put(_ instance: Instance?, into binding: Binding) -> [DroppedInstance] {
    let new =
      instance.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0.box).toOpaque()) } ?? 0
    let old = binding.instance.exchange(new, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }
}
