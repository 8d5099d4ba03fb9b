internal import Synchronization

/// A service that is somebody else's to keep: there as long as its object is.
///
/// `@unchecked Sendable` because it is never changed, and made of Sendable services only; a weak reference is safe to read
/// from any thread.
@safe
@usableFromInline
final class WeakBox: @unchecked Sendable {
  weak let object: AnyObject?

  /// The type of the service.
  private let type: any Any.Type
  private let size: Int

  /// The bits of the service as it was built, without ownership. An existential is more than its object, and rebuilding
  /// it by a dynamic cast costs several times the weak load. They are only read while `object` is held strongly.
  let bits: UnsafeMutableRawPointer

  /// Nil for a service that is no object.
  init?(_ instance: Instance) {
    guard let object = instance.object else { return nil }
    self.object = object
    type = instance.type
    func copyBits<Service>(_ type: Service.Type) -> UnsafeMutableRawPointer {
      let bits = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Service>.size, alignment: MemoryLayout<Service>.alignment)
      unsafe bits.copyMemory(from: instance.box.memory(of: type), byteCount: MemoryLayout<Service>.size)
      extendLifetime(instance)
      return unsafe bits
    }
    unsafe bits = copyBits(instance.type)
    func byteCount<Service>(_ type: Service.Type) -> Int { MemoryLayout<Service>.size }
    size = byteCount(instance.type)
  }

  deinit { unsafe bits.deallocate() }

  /// Nil when the object is gone.
  final var instance: Instance? {
    guard holdObject() else { return nil }
    let box = Box.empty(for: self.type)
    unsafe takeBits(to: box.memory)
    return Instance(box)
  }

  /// Makes a reference to the object, if it is there, for ``takeBits(to:)`` to give away.
  ///
  /// Retaining an object that has weak references costs several times as much as another: the one reference that the weak load
  /// makes has to do. In memory that is never deinitialised it stays.
  @inline(__always)
  final func holdObject() -> Bool {
    // Nothing writes beyond it, so it needs no guard of the stack.
    unsafe _withUnprotectedUnsafeTemporaryAllocation(of: AnyObject?.self, capacity: 1) { held in
      let slot = unsafe held.baseAddress.unsafelyUnwrapped
      unsafe slot.initialize(to: object)
      return unsafe UnsafeRawPointer(slot).load(as: UInt.self) != 0
    }
  }

  /// Writes the service, with the reference that ``holdObject()`` has made: its bits own one reference to the object, and nothing else.
  ///
  /// Moving leaves the bits as they are, for a class reference and an existential of one are moved bitwise.
  @inline(__always)
  func takeBits(to memory: UnsafeMutableRawPointer) {
    // A call to copy a few words takes longer than the words. Most services are an existential of one protocol, or of a class.
    switch size {
    case MemoryLayout<Existential>.size: unsafe memory.copy(Existential.self, from: bits)
    case MemoryLayout<ClassExistential>.size: unsafe memory.copy(ClassExistential.self, from: bits)
    case MemoryLayout<UInt>.size: unsafe memory.copy(UInt.self, from: bits)
    default: unsafe memory.copyMemory(from: bits, byteCount: size)
    }
  }

  /// The words of one, and of one that is bound to classes.
  private typealias Existential = (UInt, UInt, UInt, UInt, UInt)
  private typealias ClassExistential = (UInt, UInt)
}

extension Instance {
  /// The object that it is: of a class type, or an existential that holds a class instance. Nil for a value.
  ///
  /// Nil also where the service's memory does not begin with the reference, as that of `any Error`: it refers to a box, which ends when
  /// its last user lets go of it, though the object may live on.
  var object: AnyObject? {
    func object<Service>(_ type: Service.Type) -> AnyObject? {
      let value = value(as: type)
      guard Swift.type(of: value as Any) is AnyClass else { return nil }
      let object = value as AnyObject
      let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      return unsafe withUnsafeBytes(of: value) { bytes in
        unsafe bytes.count >= MemoryLayout<UInt>.size
          && bytes.loadUnaligned(as: UInt.self) == UInt(bitPattern: address)
      } ? object : nil
    }
    return object(self.type)
  }
}

extension UnsafeMutableRawPointer {
  @inline(__always)
  fileprivate func copy<Words: BitwiseCopyable>(_ type: Words.Type, from bits: UnsafeMutableRawPointer) {
    unsafe storeBytes(of: bits.load(as: type), as: type)
  }
}
