/// The address of an object that somebody else holds, or that is retained by hand.
///
/// `@unchecked Sendable` because holding it is harmless; each use says why the object is alive.
@safe
struct UnheldReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  private let reference: Unmanaged<Object>

  init(at address: UInt) {
    unsafe reference = Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  init(_ reference: Unmanaged<Object>) { unsafe self.reference = reference }

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  var object: Object { unsafe reference.takeUnretainedValue() }

  func retain() { unsafe _ = reference.retain() }
  func release() { unsafe reference.release() }

  /// Lends the object, without a reference count.
  @inline(__always)
  func lend<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }
}
