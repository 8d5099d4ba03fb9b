/// What can be taken away from the way to the one instance.
enum OnceWeakening: String, CaseIterable, Sendable {
  // B1: what is found in a binding is complete.
  /// `InstanceHolder.show`: the exchange releases.
  case publicationRelease
  /// `InstanceHolder.finishAlone`: the exchange releases.
  case aloneRelease
  /// `Lookup.init`: the load of the instance acquires.
  case hitAcquire
  /// `InstanceHolder.claim` and `shown`: the loads of a caller of the cell acquire what was shown without its lock. Either would do.
  case lookAcquire
  /// `LazyReference.storeIfNil`: the exchange releases.
  case cellRelease
  /// `LazyReference.load`: it acquires.
  case cellAcquire

  // One build.
  /// `LazyReference.storeIfNil`: only the first is stored.
  case firstCell
  /// `InstanceHolder.beginAlone`: the look at the mark is the exchange that sets it.
  case beginByExchange
  /// `InstanceHolder.show`: where nothing is shown, the cell stays in charge.
  case keepingCharge
  /// `OnceCell.arrive`: the look at the storage, under the lock, by a caller that has found nothing without it.
  case lookUnderLock
  /// `OnceCell.forget`: the machine is told, so that a build in flight keeps nothing.
  case detaching
  /// `InstanceHolder.forgetInstance`: the look at the holder where there is no cell.
  case forgetLooks
  /// `InstanceHolder.forgetInstance`: it forgets by the cell.
  case forgetByCell
  /// `Binding.retire`: the machine is told that nobody is to build any more.
  case retiring
  /// `Binding.retire`: a cell is made if there was none.
  case retiringCell

  // Q1: the cell takes charge of what has begun without it.
  /// `InstanceHolder.claim`: it takes the mark away.
  case takingTheMark
  /// `OnceCell.withState`: the machine is told of the build that has begun.
  case takingOver
  /// `InstanceHolder.claim`: the look is the exchange that claims.
  case claimByExchange

  // Q2: the end of an uncontended build looks whether it still is one.
  /// `InstanceHolder.finishAlone`: the instance takes the place of the mark, and of nothing else.
  case endByExchange
  /// `Binding.buildAlone`: the end that finds its mark gone goes by the cell.
  case endByCell
  /// `InstanceHolder.abandonAlone`: only the mark is taken away.
  case abandonByExchange
  /// `Binding.buildAlone`: the same for a build that has failed.
  case abandonByCell

  // No lost wake-up.
  /// `OnceCell.settle`: an outcome is left for a waiter that is not ready for it.
  case leavingOutcome
  /// `suspend` and `block`: the look at what was left.
  case lookBeforeWaiting
  /// `OnceCell.finish`: those who came too late are told to come again.
  case retrying
  /// `OnceCell.leave`: who gives up is woken.
  case wakingTheCancelled
  /// `actordi_parker_wait`: a signal that came before the wait is remembered.
  case rememberedSignal
  /// `Attempt.cancel`: it is remembered until there is a task.
  case rememberedCancellation
  /// `Attempt.run`: the look at what was remembered.
  case lookBeforeRunning

  // Nothing is found without these: the holder's word has one order, and the cell's lock orders the rest.
  /// `InstanceHolder.beginAlone`: the exchange acquires and releases.
  case beginOrder
  /// `InstanceHolder.abandonAlone`: so does its exchange.
  case abandonOrder
  /// `InstanceHolder.claim`: so does its exchange.
  case claimOrder

  static let redundant: [OnceWeakening] = [.beginOrder, .abandonOrder, .claimOrder]
}
