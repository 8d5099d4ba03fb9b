/// Where a once cell keeps its instance. What "keep" means is all that tells the kept scopes apart.
///
/// All functions but `readClock` are called under the cell's lock: they run no user code, and so release nothing. What they
/// drop is returned, for the caller to release after the lock.
protocol InstanceStorage: AnyObject, Sendable {
  /// Called before the lock is taken, since a clock may be the user's: what follows under the lock goes by what it says here.
  func readClock()

  /// The instance, if there is one.
  func load() -> Instance?

  /// Whether the scope keeps instances of this kind.
  func keeps(_ product: Product) -> Bool

  /// Keeps the instance.
  ///
  /// - Returns: what stood there before.
  func store(_ product: Product) -> [DroppedInstance]

  /// Puts the cell in charge of a holder that was used without one; see ``InstanceHolder/claim()``.
  func claim() -> OnceStateMachine.Claimed

  /// Forgets the instance.
  func take() -> [DroppedInstance]

  /// The call tree that the instance was made in has ended.
  func endCall() -> [DroppedInstance]
}

extension InstanceStorage {
  func readClock() {}
  func keeps(_ product: Product) -> Bool { true }
  func claim() -> OnceStateMachine.Claimed { .nothing }
  func endCall() -> [DroppedInstance] { [] }
}

/// What a build yields: the instance and, for each forward, the same instance as the forward's type.
struct Product: Sendable {
  let instance: Instance
  var forwarded: [(holder: InstanceHolder, instance: Instance)] = []
}

/// A reference that a storage gave up.
enum DroppedInstance: Sendable {
  /// Readers may be using it by its address: it has to go through the ``Reclaimer``.
  case published(address: UInt)
  /// Only owners can reach it: releasing is enough.
  case owned(Instance)
  /// It has to be disposed of.
  case ended(Disposal)
  /// It has been.
  case done(Disposal)
  /// What was noted of an instance: it names keys of the user's.
  case notes(RequestNotes)
}

extension [DroppedInstance] {
  /// Lets go. Runs code of the user's: not under a lock.
  ///
  /// What has to be disposed of is, without anybody waiting for it.
  consuming func release() { if !isEmpty { reclaim().disposeInBackground() } }

  /// The same, and waits until everything has been disposed of.
  consuming func dispose() async { await reclaim().dispose() }

  /// Lets go of the instances.
  ///
  /// - Returns: what has to be disposed of.
  consuming func reclaim() -> [Disposal] {
    if isEmpty { return [] }
    var hasPublished = false
    var disposals: [Disposal] = []
    for dropped in self {
      switch dropped {
      case .published(let address):
        Reclaimer.shared.retire(takingReferenceAt: address)
        hasPublished = true
      case .ended(let disposal): disposals.append(disposal)
      case .owned, .done, .notes: break
      }
    }
    if hasPublished { Reclaimer.shared.collectAfterChange() }
    return disposals
  }
}

/// Keeps the instance in the cell itself: for a scope that ends with its owner, such as one call.
///
/// `@unchecked Sendable` because it is only used under the cell's lock.
final class OwnedStorage: InstanceStorage, @unchecked Sendable {
  private var instance: Instance?

  func load() -> Instance? { instance }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = take()
    instance = product.instance
    return dropped
  }

  func take() -> [DroppedInstance] {
    guard let instance else { return [] }
    self.instance = nil
    return [.owned(instance)]
  }
}
