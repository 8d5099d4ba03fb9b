/// The orderings and checks of a once-initialisation, each of which a test removes in turn.
enum OnceWeakening: String, CaseIterable, Sendable {
  // B1: an instance found in a binding is complete.
  /// `InstanceHolder.show`: the exchange releases.
  case publicationRelease
  /// `InstanceHolder.finishUncontended`: the exchange releases.
  case aloneRelease
  /// `Lookup.init`: the load of the instance acquires.
  case hitAcquire
  /// `InstanceHolder.claim` and `shown`: their loads acquire an instance that was shown without the cell's lock. Either is enough.
  case lookAcquire
  /// `LazyReference.storeIfNil`: the exchange releases.
  case cellRelease
  /// `LazyReference.load`: the load acquires.
  case cellAcquire

  // At most one build at a time.
  /// `LazyReference.storeIfNil`: only the first cell is stored.
  case firstCell
  /// `InstanceHolder.beginUncontended`: the exchange that sets the mark also checks the word.
  case beginByExchange
  /// `InstanceHolder.beginInsteadOfReleased`: the exchange also checks the word.
  case releasedByExchange
  /// `InstanceHolder.claim`: a weak reference gets the flag of the cell.
  case claimingWeak
  /// `InstanceHolder.show`: if no instance is shown, the cell stays in charge.
  case keepingCharge
  /// `OnceCell.arrive`: a caller that found nothing without the lock checks the storage again under it.
  case lookUnderLock
  /// `OnceCell.forget`: the machine is reset, so a build in flight keeps nothing.
  case detaching
  /// `InstanceHolder.forgetInstance`: the check of the word where there is no cell.
  case forgetLooks
  /// `InstanceHolder.forgetInstance`: the reset goes through the cell.
  case forgetByCell
  /// `Binding.retire`: the machine is retired, so no further build begins.
  case retiring
  /// `Binding.retire`: a missing cell is made.
  case retiringCell

  // Q1: the cell takes over a build that began without it.
  /// `InstanceHolder.claim`: the exchange removes the mark.
  case takingTheMark
  /// `OnceCell.withClaimedState`: the machine is told of the build in progress.
  case takingOver
  /// `InstanceHolder.claim`: the exchange that claims also checks the word.
  case claimByExchange

  // Q2: an uncontended build checks at its end that it still is uncontended.
  /// `InstanceHolder.finishUncontended`: the instance replaces the mark only.
  case endByExchange
  /// `Binding.buildUncontended`: a build that finds its mark gone ends through the cell.
  case endByCell
  /// `InstanceHolder.abandonUncontended`: only the mark is removed.
  case abandonByExchange
  /// `Binding.buildUncontended`: a failed build that finds its mark gone ends through the cell.
  case abandonByCell

  // No lost wake-ups.
  /// `OnceCell.settle`: the outcome is stored for a waiter that has not begun to wait.
  case leavingOutcome
  /// `OnceCell.outcome(for:elseWakingBy:)`: the check for a stored outcome.
  case lookBeforeWaiting
  /// `OnceCell.finish`: waiters that joined too late are told to ask again.
  case retrying
  /// `OnceCell.leave`: the waiter that leaves is woken.
  case wakingTheCancelled
  /// `actordi_parker_wait`: a signal before the wait is remembered.
  case rememberedSignal
  /// `Attempt.cancel`: a cancellation before the task is known is remembered.
  case rememberedCancellation
  /// `Attempt.run`: the check for a remembered cancellation.
  case lookBeforeRunning

  // Redundant: the holder's word has one order of exchanges, and the cell's lock orders the rest.
  /// `InstanceHolder.beginUncontended`: the exchange acquires and releases.
  case beginOrder
  /// `InstanceHolder.abandonUncontended`: the exchange acquires and releases.
  case abandonOrder
  /// `InstanceHolder.claim`: the exchange acquires and releases.
  case claimOrder

  static let redundant: [OnceWeakening] = [.beginOrder, .abandonOrder, .claimOrder]
}
