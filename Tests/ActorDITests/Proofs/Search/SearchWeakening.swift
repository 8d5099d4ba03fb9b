/// The orderings and rules of a search along parents and links, each of which a test removes in turn.
enum SearchWeakening: String, CaseIterable, Sendable {
  // P1: a search reads live and complete objects only.
  /// `find`: the pin lasts until the parent has been searched.
  case parentPin
  /// `CompleteSearch`: the pin lasts until the linked container has been searched.
  case linksPin
  /// `LinkList.retire`: a replaced link array is retired, not released at once.
  case retiringLinks
  /// `LinkArray`: the array holds the linked containers.
  case arrayHolds
  /// `publishChange`: replaced objects are retired, not released at once.
  case retiring
  /// `Lookup.borrow` and `protect`: the hazard slot for the link array.
  case linksSlot
  /// `protect`: the hazard slot for the binding.
  case bindingSlot
  /// `Lookup.borrow` and `protect`: the hazard slots are pushed before the unpin.
  case slotsBeforeUnpin
  /// `removeUnused`: the scan of the hazard slots.
  case scan
  /// `publishChange` and `LinkList.publish`: the change is published before the look at the pins.
  case publicationFirst
  /// `executeBarrier`: the barrier between publication and look.
  case barrier
  /// `publishChange`: the store of the snapshot releases.
  case snapshotRelease
  /// `findHere`: the load of a snapshot acquires.
  case snapshotAcquire
  /// `LinkList.publish`: the exchange of the link array releases.
  case linkRelease
  /// `look` and `CompleteSearch`: the load of the link array acquires.
  case linkAcquire

  // P2: a binding found in another container is not cached.
  /// Every search reads the parent again.
  case nothingCopied

  // Redundant: without these, the checker finds no error.
  /// `publishChange`: the snapshot's store is sequentially consistent. Release is enough.
  case snapshotOrder
  /// `LinkList.publish`: the exchange is sequentially consistent. Acquire and release are enough.
  case linkOrder

  static let redundant: [SearchWeakening] = [.snapshotOrder, .linkOrder]
}
