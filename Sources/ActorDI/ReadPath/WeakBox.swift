internal import Synchronization

/// A weakly kept service: available while its object is alive.
///
/// `@unchecked Sendable` because it is immutable and made only of Sendable services. A weak reference may be read from any thread.
@safe
final class WeakBox: @unchecked Sendable {
  weak let object: AnyObject?

  /// The type of the service.
  private let type: any Any.Type
  private let size: Int

  /// The bits of the service as it was built, without ownership.
  ///
  /// An existential consists of more than its object, and rebuilding it by a dynamic cast costs several times the weak load. The
  /// bits are read only while `object` is held strongly.
  let bits: UnsafeMutableRawPointer

  /// The requests of the build, if it noted any: see ``Box/notes``.
  private let notes: RequestNotes?

  /// Creates a weak reference to a service; nil if the service is not an object.
  init?(_ instance: Instance) {
    guard let object = instance.object else { return nil }
    self.object = object
    notes = instance.box.notes
    type = instance.type
    func layout<Service>(_ type: Service.Type) -> (size: Int, alignment: Int) {
      (MemoryLayout<Service>.size, MemoryLayout<Service>.alignment)
    }
    let (size, alignment) = layout(instance.type)
    self.size = size
    unsafe bits = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    unsafe bits.copyMemory(from: instance.box.memory.pointer, byteCount: size)
    extendLifetime(instance)
  }

  deinit { unsafe bits.deallocate() }

  /// Whether releasing the box may run user code: the notes may own the last reference to a user-defined key.
  var ownsKeys: Bool { notes?.haveKeys ?? false }

  /// About the size of a box with its bits and the side table of its object.
  static var byteCount: Int { 128 }

  /// The service; nil once its object is gone.
  final var instance: Instance? {
    guard holdObject() else { return nil }
    let box = Box.empty(for: self.type)
    takeBits(to: box.memory)
    box.notes = notes
    return Instance(box)
  }

  /// Creates a strong reference to the object for ``takeBits(to:)`` to pass on.
  ///
  /// Retaining an object that has weak references costs several times as much as usual. So the one reference that the weak load
  /// creates is reused: the temporary memory is never deinitialised, so the reference survives it.
  ///
  /// - Returns: False if the object is gone.
  final func holdObject() -> Bool {
    // Unprotected: no write exceeds the allocation, so it needs no stack protector.
    unsafe _withUnprotectedUnsafeTemporaryAllocation(of: AnyObject?.self, capacity: 1) { held in
      let slot = unsafe held.baseAddress.unsafelyUnwrapped
      unsafe slot.initialize(to: object)
      return unsafe UnsafeRawPointer(slot).load(as: UInt.self) != 0
    }
  }

  /// Writes the service to memory, with the reference that ``holdObject()`` has created.
  ///
  /// The bits own exactly that reference. Moving them is correct, because class references and their existentials are moved
  /// bitwise.
  // Inlined, because a weakly kept service is hardly more than this copy.
  @inline(__always)
  func takeBits(to memory: ServiceMemory) {
    // Copying a few words by a call takes longer than copying them inline. Most services are an existential of one protocol, or a
    // class reference.
    switch size {
    case MemoryLayout<Existential>.size: unsafe memory.pointer.copy(Existential.self, from: bits)
    case MemoryLayout<ClassExistential>.size: unsafe memory.pointer.copy(ClassExistential.self, from: bits)
    case MemoryLayout<UInt>.size: unsafe memory.pointer.copy(UInt.self, from: bits)
    default: unsafe memory.pointer.copyMemory(from: bits, byteCount: size)
    }
  }

  /// The words of an existential of one protocol, and of one that is bound to classes.
  private typealias Existential = (UInt, UInt, UInt, UInt, UInt)
  private typealias ClassExistential = (UInt, UInt)
}

extension Instance {
  /// The object behind the service: a class instance, or the class instance in an existential. Nil for a value.
  ///
  /// Also nil for `any Error`, which refers to a box of its own. That box ends with its last user, although the object may live on.
  var object: AnyObject? {
    func isObject<Service>(_ type: Service.Type) -> Bool { borrow(as: type) { Swift.type(of: $0 as Any) is AnyClass } }
    guard self.type != (any Error).self, isObject(self.type) else { return nil }
    // A class reference, and an existential of one, begin with the reference.
    return unsafe box.memory.pointer.load(as: AnyObject.self)
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func copy<Words: BitwiseCopyable>(_ type: Words.Type, from bits: UnsafeMutableRawPointer) {
    unsafe storeBytes(of: bits.load(as: type), as: type)
  }
}
