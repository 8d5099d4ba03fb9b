/// What can be taken away from the reclamation's protocol.
enum ReclamationWeakening: String, CaseIterable, Sendable {
  // O1
  /// `paceBarrier`: the barrier between unlinking and looking at the pins.
  case processBarrier
  /// `pin`: the compiler's fence between the pin and what follows.
  case pinFence
  /// `pinAttentively`: the fence of a reader where there is no process-wide barrier.
  case fencedPin
  /// The same, by a sequentially consistent store of the pin rather than by a fence.
  case fencedPinIsFence
  /// `publishChange`: what is retired has been unlinked; here, that its snapshot releases what it leads to.
  case snapshotRelease
  /// `lookup`: the load of the snapshot acquires it.
  case snapshotAcquire
  /// `adoptThread`: a record is listed before its first pin.
  case listing
  /// `adoptThread`: a record belongs to one thread at a time.
  case ownRecord
  /// `retire`: what is retired during a grace period waits for the next one.
  case ownGracePeriod

  // O2
  /// `unpin`: the store releases.
  case unpinRelease
  /// `dropUnpinned`: the load acquires.
  case unpinAcquire
  /// `unpin`: the compiler's fence before the store (R3).
  case useBeforeUnpin
  /// `lend`: the slot is pushed before the unpin.
  case slotBeforeUnpin

  // O3
  /// `pop`: the store of the depth releases.
  case popRelease
  /// `usedAddresses`: its load acquires.
  case popAcquire
  /// `push`: the store of the slot releases.
  case slotRelease
  /// `usedAddresses`: its load acquires.
  case slotAcquire
  /// `releaseHeld`: the slots are looked at.
  case scan

  // O4
  /// `awaitPending`: `awaited` is set.
  case request
  /// `awaitPending`: the barrier after it.
  case awaitBarrier
  /// `awaitPending`: the look at the pins after that.
  case lookAgain
  /// `unpin`: the compiler's fence before the load of `attention`.
  case unpinFence
  /// `attend`: the call of `collect`.
  case call
  /// `releaseHeld`: the same request, barrier and look for slots.
  case requestForSlots
  /// `releaseHeld`: the barrier of these.
  case slotBarrier

  // R4
  /// `collectLater`: the task says that it is not about to collect any more before it collects.
  case taskEndFirst

  // Nothing is found without these.
  /// `publishChange`: the snapshot's store is sequentially consistent. Release is enough.
  case publicationInOrder
  /// `lookup`: so is its load. Acquire is enough.
  case snapshotLoadInOrder
  /// `attend`: the exchange of a fenced reader.
  case fencedUnpin
  /// `push`: the store of the depth releases. The unpin that follows does.
  case pushRelease
}
