/// The address of an object that another reference keeps alive, or that is retained manually.
///
/// `@unchecked Sendable` because storing the address is harmless; each use states why the object is alive.
@usableFromInline @frozen @safe
struct UnheldReference<Object: AnyObject>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let reference: Unmanaged<Object>

  // Emitted into the client for the fast path.
  @_alwaysEmitIntoClient @inline(__always)
  init(at address: UInt) {
    unsafe reference = Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// Creates the reference to an object, and retains it until ``release()`` or ``takeRetained()``.
  init(retaining object: Object) { unsafe reference = Unmanaged.passRetained(object) }

  /// Creates the reference that was stored as an address; nil for 0.
  init?(ifAt address: UInt) {
    if address == 0 { return nil }
    self.init(at: address)
  }

  /// The same reference, without the type.
  var erased: UnheldReference<AnyObject> { UnheldReference<AnyObject>(at: address) }

  @_alwaysEmitIntoClient @inline(__always)
  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// The same reference, with the type under which the object was stored.
  ///
  /// A holder of erased references stores objects of one type only, and asks for that type.
  func restored<Stored>(to type: Stored.Type) -> UnheldReference<Stored> {
    assert(object is Stored, "a reference is restored to the type it was stored under")
    return UnheldReference<Stored>(at: address)
  }

  static func == (left: Self, right: Self) -> Bool { left.address == right.address }

  var object: Object { unsafe reference.takeUnretainedValue() }

  /// The object, with the reference that was retained manually.
  func takeRetained() -> Object { unsafe reference.takeRetainedValue() }

  func retain() { unsafe _ = reference.retain() }
  func release() { unsafe reference.release() }

  /// Borrows the object for a closure, without counting a reference.
  @_alwaysEmitIntoClient @inline(__always)
  func borrow<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }
}
