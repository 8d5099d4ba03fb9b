/// The storage of a once cell. Each kind of scope keeps its instance in its own way.
///
/// All functions but `readClock` are called under the cell's lock, so they run no user code and release nothing. They return what
/// they drop, and the caller releases it after the lock.
protocol InstanceStorage: AnyObject, Sendable {
  /// Reads the clock, which may be user code, before the cell's lock is taken. The calls under the lock use that reading.
  func readClock()

  /// Returns the instance, if there is one.
  func load() -> Instance?

  /// Whether the scope keeps instances of this kind.
  func keeps(_ product: Product) -> Bool

  /// Keeps the instance.
  ///
  /// - Returns: The instance that was kept before.
  func store(_ product: Product) -> [DroppedInstance]

  /// The holder that the storage writes to without retaining it. A build that is held (G1) must retain it until its end.
  var holder: InstanceHolder? { get }

  /// Puts the cell in charge of a holder that has been used without one; see ``InstanceHolder/claim()``.
  func claim() -> OnceStateMachine.Claimed

  /// Forgets the instance, and returns it.
  func take() -> [DroppedInstance]

  /// Drops what the storage keeps only for the call tree in which the instance was made.
  func endCall() -> [DroppedInstance]
}

extension InstanceStorage {
  func readClock() {}
  func keeps(_ product: Product) -> Bool { true }
  var holder: InstanceHolder? { nil }
  func claim() -> OnceStateMachine.Claimed { .nothing }
  func endCall() -> [DroppedInstance] { [] }
}

/// The result of a build: the instance, and the same instance as the type of each alias.
struct Product: Sendable {
  let instance: Instance
  var aliased: [(holder: InstanceHolder, instance: Instance)] = []
}

/// A storage in the cell itself, for a scope that ends with its owner, such as one call.
///
/// `@unchecked Sendable` because it is accessed only under the cell's lock.
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

/// A storage in a holder, where readers find the instance in one load, and in the holders of its aliases.
///
/// `@unchecked Sendable` because it is accessed only under the cell's lock.
final class HolderStorage: InstanceStorage, @unchecked Sendable {
  /// Unowned, because the holder owns the cell, which owns this storage. A build in flight keeps the holder alive.
  private unowned(unsafe) let own: InstanceHolder
  var holder: InstanceHolder? { unsafe own }

  init(_ holder: InstanceHolder) { unsafe own = holder }

  func claim() -> OnceStateMachine.Claimed { unsafe own.claim() }

  func load() -> Instance? { unsafe own.current }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe own.show(product.instance)
    return dropped + product.aliased.flatMap { $0.holder.show($0.instance) }
  }

  func take() -> [DroppedInstance] {
    unsafe own.show(nil) + own.shownBy.flatMap { $0.show(nil) }
  }
}
