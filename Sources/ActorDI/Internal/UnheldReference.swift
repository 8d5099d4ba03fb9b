/// The address of an object that another reference keeps alive, or that is retained manually.
///
/// `@unchecked Sendable` because storing the address is harmless; each use states why the object is alive.
@safe
struct UnheldReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  private let reference: Unmanaged<Object>

  init(at address: UInt) {
    unsafe reference = Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  init(_ reference: Unmanaged<Object>) { unsafe self.reference = reference }

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  static func == (left: Self, right: Self) -> Bool { left.address == right.address }

  var object: Object { unsafe reference.takeUnretainedValue() }

  func retain() { unsafe _ = reference.retain() }
  func release() { unsafe reference.release() }

  /// Borrows the object for a closure, without counting a reference.
  func borrow<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }
}
