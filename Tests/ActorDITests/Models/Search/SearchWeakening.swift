/// What can be taken away from a search along parents and links.
enum SearchWeakening: String, CaseIterable, Sendable {
  // P1: what a search reads is alive and complete.
  /// `find`: the pin lasts while the parent is searched.
  case parentPin
  /// `findByLinks`: the pin lasts while the linked container is searched.
  case linksPin
  /// `LinkList.retire`: a replaced link array goes to the reclaimer, and is not released at once.
  case retiringLinks
  /// `LinkArray`: it holds the containers.
  case arrayHolds
  /// `publishChange`: what is replaced goes to the reclaimer.
  case retiring
  /// `Lookup.lend` and `protect`: a hazard slot for the link array.
  case linksSlot
  /// `protect`: a hazard slot for the binding.
  case bindingSlot
  /// `Lookup.lend` and `protect`: the hazard slots are pushed before the unpin.
  case slotsBeforeUnpin
  /// `releaseHeld`: the hazard slots are looked at.
  case scan
  /// `publishChange` and `LinkList.publish`: the publication comes before the look at the pins.
  case publicationFirst
  /// `paceBarrier`: the barrier between the two.
  case barrier
  /// `publishChange`: the store of the snapshot releases.
  case snapshotRelease
  /// `findHere`: the load of a snapshot acquires.
  case snapshotAcquire
  /// `LinkList.publish`: the exchange of the link array releases.
  case linkRelease
  /// `look` and `findByLinks`: the load of the link array acquires.
  case linkAcquire

  // P2: what is found in another container stands there alone.
  /// A search reads the parent each time.
  case nothingCopied

  // Nothing is found without these.
  /// `publishChange`: the store is sequentially consistent.
  case snapshotOrder
  /// `LinkList.publish`: so is the exchange.
  case linkOrder

  static let redundant: [SearchWeakening] = [.snapshotOrder, .linkOrder]
}
