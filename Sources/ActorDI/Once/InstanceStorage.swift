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

  /// What the storage writes to and does not hold: who ends a build that is held (G1) has to.
  var holder: InstanceHolder? { get }

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
  var holder: InstanceHolder? { nil }
  func claim() -> OnceStateMachine.Claimed { .nothing }
  func endCall() -> [DroppedInstance] { [] }
}

/// What a build yields: the instance and, for each forward, the same instance as the forward's type.
struct Product: Sendable {
  let instance: Instance
  var forwarded: [(holder: InstanceHolder, instance: Instance)] = []
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

/// Keeps the instance in a holder, where readers find it in one load; and in those that show the same.
///
/// `@unchecked Sendable` because it is only used under its cell's lock.
final class HolderStorage: InstanceStorage, @unchecked Sendable {
  /// Unowned, since the holder owns the cell that owns this; a build in flight keeps the holder alive.
  private unowned(unsafe) let own: InstanceHolder
  var holder: InstanceHolder? { unsafe own }

  init(_ holder: InstanceHolder) { unsafe own = holder }

  func claim() -> OnceStateMachine.Claimed { unsafe own.claim() }

  func load() -> Instance? { unsafe own.current }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe own.show(product.instance)
    return dropped + product.forwarded.flatMap { $0.holder.show($0.instance) }
  }

  func take() -> [DroppedInstance] {
    unsafe own.show(nil) + own.shownBy.flatMap { $0.show(nil) }
  }
}
