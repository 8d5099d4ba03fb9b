public import Synchronization

/// A reference that is set once, by whoever comes first.
///
/// As `AtomicLazyReference`, whose code is not inlined: ThreadSanitizer does not see the order it makes, and reports
/// every first use on another thread as a race.
@usableFromInline
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address, with a reference that is held to the end; so what was loaded can be retained at any time.
  @usableFromInline let address = Atomic<UInt>(0)

  init() {}

  deinit {
    if let stored = unsafe loadUnretained() { unsafe stored.release() }
  }

  /// Pairs with the exchange in ``storeIfNil(_:)``: who sees the instance sees all that its initialiser wrote.
  borrowing func load() -> Object? {
    unsafe loadUnretained()?.takeUnretainedValue()
  }

  /// As ``load()``, without a reference: for those who know that its owner is alive.
  @inlinable
  @inline(__always)
  borrowing func loadUnretained() -> Unmanaged<Object>? {
    unsafe Self.reference(at: address.load(ordering: .acquiring))
  }

  /// - Returns: what is stored now, `instance` or what another thread was faster with.
  borrowing func storeIfNil(_ instance: Object) -> Object {
    let reference = unsafe Unmanaged.passRetained(instance)
    let (exchanged, original) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: unsafe reference.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return instance }
    unsafe reference.release()
    return unsafe Self.reference(at: original).unsafelyUnwrapped.takeUnretainedValue()
  }

  /// Takes the reference out. Only where nobody else has the owner: who has just loaded it may be about to retain it.
  borrowing func take() -> Object? {
    let stored = unsafe Self.reference(at: address.load(ordering: .acquiring))
    guard let stored = unsafe stored else { return nil }
    address.store(0, ordering: .relaxed)
    return unsafe stored.takeRetainedValue()
  }

  @inlinable
  @inline(__always)
  static func reference(at address: UInt) -> Unmanaged<Object>? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return unsafe Unmanaged.fromOpaque(pointer)
  }
}
