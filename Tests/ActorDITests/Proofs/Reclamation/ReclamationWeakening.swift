/// The orderings and steps of the reclamation protocol, each of which a test removes in turn.
enum ReclamationWeakening: String, CaseIterable, Sendable {
  // O1
  /// `executeBarrier`: the barrier between unlinking and looking at the pins.
  case processBarrier
  /// `pin`: the compiler fence between the store of the pin and the following loads.
  case pinFence
  /// `pinCheckingFlags`: the reader's fence where there is no process-wide barrier.
  case fencedPin
  /// `pinCheckingFlags`: that fence, replaced by a sequentially consistent store of the pin.
  case fencedPinIsFence
  /// `publishChange`: the store of the snapshot releases.
  case snapshotRelease
  /// `lookUp`: the load of the snapshot acquires.
  case snapshotAcquire
  /// `adoptThread`: the record is listed before its first pin.
  case listing
  /// `adoptThread`: a record belongs to one thread at a time.
  case ownRecord
  /// `retire`: an object retired during a grace period waits for the next one.
  case ownGracePeriod

  // O2
  /// `unpin`: the store releases.
  case unpinRelease
  /// `dropUnpinned`: the load of the pin acquires.
  case unpinAcquire
  /// `unpin`: the compiler fence before the store (R3).
  case useBeforeUnpin
  /// `borrow`: the hazard slot is pushed before the unpin.
  case slotBeforeUnpin

  // O3
  /// `pop`: the compiler fence before the store (R3).
  case useBeforePop
  /// `pop`: the store of `depth` releases.
  case popRelease
  /// `scanSlots`: the load of `depth` acquires.
  case popAcquire
  /// `push`: the store of the hazard slot releases.
  case slotRelease
  /// `scanSlots`: the load of the hazard slot acquires.
  case slotAcquire
  /// `removeUnused`: the scan of the hazard slots.
  case scan

  // O4
  /// `awaitPending`: the flag `awaited` is set.
  case request
  /// `awaitPending`: the barrier after setting the flag.
  case awaitBarrier
  /// `awaitPending`: the second look at the pins, after the barrier.
  case lookAgain
  /// `unpin`: the compiler fence before the load of `flags`.
  case unpinFence
  /// `handle`: the call of `collect`.
  case call
  /// `requestPops`: the request, the barrier and the next scan of the hazard slots.
  case requestForSlots
  /// `handleFlagsAfterPop`: handles the request for a pop, which an unpin ignores.
  case popRequest
  /// `removeUnused`: the barrier before the next scan.
  case slotBarrier

  // R4
  /// `collectLater`: the task declares that it ends before it collects.
  case taskEndFirst

  // Redundant: without these, the checker finds no error.
  /// `publishChange`: the snapshot's store is sequentially consistent. Release is enough.
  case publicationInOrder
  /// `lookUp`: the snapshot's load is sequentially consistent. Acquire is enough.
  case snapshotLoadInOrder
  /// `handle`: the exchange of `pins` by a reader that executes its own fences.
  case fencedUnpin
  /// `push`: the store of `depth` releases. A scan that finds an old address in the slot asks the slot's thread to call, which frees
  /// the object after the next pop.
  case pushRelease
}
