internal import Synchronization

/// A reference to an immutable object that readers borrow under a pin.
///
/// What it replaces is retired. The caller tells the reclaimer to collect.
struct PublishedReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object's address; 0 for none. The reference count is held while the object is published.
  private let address = Atomic<UInt>(0)

  deinit { current?.release() }

  /// The published object, under a pin. A hazard slot for its address can take over from the pin.
  var current: UnheldReference<Object>? { UnheldReference(ifAt: address.load(ordering: .acquiring)) }

  /// Publishes an object in place of an expected one, or of none. Has no effect if another one is published.
  borrowing func replace(_ expected: UnheldReference<Object>?, by new: Object) {
    let new = UnheldReference(retaining: new)
    // Sequentially consistent, like the publication of a snapshot: see `Reclaimer`, O1.
    let (isDone, _) = address.compareExchange(
      expected: expected?.address ?? 0, desired: new.address, ordering: .sequentiallyConsistent)
    if !isDone { return new.release() }
    if let expected { Reclaimer.shared.retire(takingReferenceAt: expected.address) }
  }

  /// Publishes no object any more.
  ///
  /// The load is sequentially consistent: a thread that publishes an object and then looks at what the caller has marked before the call
  /// finds the mark, or this call finds the object.
  borrowing func clear() {
    if address.load(ordering: .sequentiallyConsistent) == 0 { return }
    let old = address.exchange(0, ordering: .sequentiallyConsistent)
    if old != 0 { Reclaimer.shared.retire(takingReferenceAt: old) }
  }
}
