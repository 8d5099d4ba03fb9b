public import Synchronization

/// A reference that the first caller sets, once.
///
/// A replacement for `AtomicLazyReference`, whose code is not inlined. ThreadSanitizer does not see the ordering that it
/// establishes, and reports every first use on another thread as a race.
@usableFromInline
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object's address, or 0. The reference count is held until `deinit`, so a loaded object can be retained at any time.
  @usableFromInline let address = Atomic<UInt>(0)

  deinit {
    loadUnheld()?.release()
  }

  /// Loads the object, or nil if none is stored.
  ///
  /// The load pairs with the exchange in ``storeIfNil(_:)``: a thread that loads the object sees all that its initialiser
  /// wrote.
  borrowing func load() -> Object? { loadUnheld()?.object }

  /// The stored object, or a new one that is stored now. Threads that store at the same time get the same object.
  borrowing func load(orStore make: @autoclosure () -> Object) -> Object { load() ?? storeIfNil(make()) }

  /// Loads the object without retaining it. The caller guarantees that the owner of this reference stays alive.
  borrowing func loadUnheld() -> UnheldReference<Object>? { UnheldReference(ifAt: address.load(ordering: .acquiring)) }

  /// Whether an object is stored. A load in the one order of ``storeIfNil(_:)`` and other sequentially consistent operations.
  var isSet: Bool { address.load(ordering: .sequentiallyConsistent) != 0 }

  /// Stores an object unless one is stored already.
  ///
  /// - Returns: The stored object: `instance`, or the object that another thread stored first.
  borrowing func storeIfNil(_ instance: Object) -> Object {
    let reference = UnheldReference(retaining: instance)
    let (exchanged, original) = address.compareExchange(
      expected: 0, desired: reference.address, ordering: .sequentiallyConsistent)
    if exchanged { return instance }
    reference.release()
    return UnheldReference(at: original).object
  }
}
