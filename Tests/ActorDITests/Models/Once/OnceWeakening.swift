/// What can be taken away from the way to the one instance.
enum OnceWeakening: String, CaseIterable, Sendable {
  // B1: what is found in a binding is complete.
  /// `SingletonStorage.put`: the exchange releases.
  case publicationRelease
  /// `Lookup.init`: the load of the instance acquires.
  case hitAcquire
  /// `LazyReference.storeIfNil`: the exchange releases.
  case cellRelease
  /// `LazyReference.load`: it acquires.
  case cellAcquire

  // One build.
  /// `LazyReference.storeIfNil`: only the first is stored.
  case firstCell
  /// `OnceCell.arrive`: the look at the storage, under the lock, by who has found nothing without it.
  case lookUnderLock
  /// `OnceCell.forget`: the machine is told, so that a build in flight keeps nothing.
  case detaching
  /// `Binding.retire`: the machine is told that nobody is to build any more.
  case retiring
  /// `Binding.retire`: a cell is made if there was none.
  case retiringCell

  // No lost wake-up.
  /// Q2. `OnceCell.finishQuietly`: the look whether somebody has come meanwhile.
  case quietEnd
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
}
