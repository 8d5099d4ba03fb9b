/// A kept instance. Immutable, so that threads may read it at the same time.
///
/// `@unchecked Sendable` because only Sendable services are kept: the initialisers of ``Registration`` that take
/// a kept scope ask for it, and a box that holds anything else (a `.graph` instance under construction) never leaves its call.
@usableFromInline
final class Box<Service>: @unchecked Sendable {
  @usableFromInline let value: Service

  @inlinable
  init(_ value: Service) {
    self.value = value
  }
}

extension Box {
  /// Reads the value of a box that is known by its address only. The caller holds a pin or a slot for it.
  @inlinable
  @inline(__always)
  static func value(at address: UInt) -> Service {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    return unsafe Unmanaged<Box<Service>>.fromOpaque(pointer)
      ._withUnsafeGuaranteedRef { $0.value }
  }
}
