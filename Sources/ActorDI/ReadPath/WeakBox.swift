public import Synchronization

/// A service that is somebody else's to keep: there as long as its object is.
///
/// `@unchecked Sendable` because it is never changed, and made of Sendable services only; a weak reference is safe to read
/// from any thread.
@safe
@usableFromInline
final class WeakBox<Service>: @unchecked Sendable {
  @usableFromInline weak let object: AnyObject?

  /// The bits of the service as it was built, without ownership. An existential is more than its object, and rebuilding
  /// it by a dynamic cast costs several times the weak load. They are only read while `object` is held strongly.
  @usableFromInline let bits: UnsafeMutablePointer<Service>

  init(_ value: Service) {
    object = Self.object(of: value)
    unsafe bits = .allocate(capacity: 1)
    unsafe withUnsafePointer(to: value) { source in
      unsafe UnsafeMutableRawPointer(bits).copyMemory(
        from: source, byteCount: MemoryLayout<Service>.size)
    }
  }

  deinit { unsafe bits.deallocate() }

  /// Nil when the object is gone.
  @inlinable
  @inline(__always)
  final var value: Service? {
    guard let object else { return nil }
    // The reference that the weak load has made becomes the copy's: the bits own one reference to the object and nothing else.
    // Retaining an object that has weak references costs several times as much as another.
    _ = unsafe Unmanaged.passRetained(object)
    return unsafe withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { copy in
      let target = unsafe copy.baseAddress.unsafelyUnwrapped
      unsafe UnsafeMutableRawPointer(target).copyMemory(
        from: bits, byteCount: MemoryLayout<Service>.size)
      return unsafe target.move()
    }
  }

  /// The object that a service is: of a class type, or an existential that holds a class instance. Nil for a value.
  static func object(of value: Service) -> AnyObject? {
    guard type(of: value as Any) is AnyClass else { return nil }
    return value as AnyObject
  }
}

extension Lookup {
  /// The instance that a binding keeps weakly, if it is there. Otherwise the thread stays pinned.
  ///
  /// Only at the top of a call tree: within one, what is resolved has to be held to its end, which is for the general path to do.
  @inlinable
  @inline(__always)
  func heldWeakly<Service>(_ type: Service.Type) -> Service? {
    guard binding != 0, unsafe record.pointee.depth.load(ordering: .relaxed) == record.pointee.base
    else { return nil }
    let address = unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
      $0.weakInstance.load(ordering: .acquiring)
    }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    guard
      let value = unsafe Unmanaged<WeakBox<Service>>.fromOpaque(pointer)
        ._withUnsafeGuaranteedRef({ $0.value })
    else { return nil }
    unsafe record.unpin()
    return value
  }
}
