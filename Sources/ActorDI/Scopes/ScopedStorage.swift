internal import Synchronization

/// Keeps the instance of a registration for a container other than the one in which that stands, and shows it in the bindings that
/// stand in for the registration there, if there are any: see ``StandIn``.
///
/// `@unchecked Sendable` because it is only used under the cell's lock; which is also why exclusivity needs no check at run time.
final class ScopedStorage: InstanceStorage, @unchecked Sendable {
  private struct State {
    var instance: Instance?
    var useCount = 0
    var shown: [Shown] = []
  }
  @exclusivity(unchecked) private var state = State()

  /// Unowned, since a stand-in, which holds the cell, is taken out of here before it is let go of.
  @safe
  private struct Shown {
    unowned(unsafe) private let reference: StandIn
    init(_ standIn: StandIn) { unsafe reference = standIn }
    var standIn: StandIn { unsafe reference }
  }
  func load() -> Instance? { unsafe state.instance }

  func storeAlone(_ instance: Instance) -> Bool {
    guard unsafe state.instance == nil && state.shown.isEmpty else { return false }
    unsafe state.instance = instance
    return true
  }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe state.instance == nil ? [] : take()
    unsafe state.instance = product.instance
    for entry in unsafe state.shown { _ = put(product, into: entry.standIn) }
    return dropped
  }

  func take() -> [DroppedInstance] {
    guard let instance = unsafe state.instance else { return [] }
    unsafe state.instance = nil
    if unsafe state.shown.isEmpty { return [.owned(instance)] }
    return unsafe state.shown.flatMap { $0.standIn.show(nil) } + [.owned(instance)]
  }

  func takeUnshared() -> Instance? {
    guard unsafe state.shown.isEmpty else { return nil }
    let old = unsafe state.instance
    unsafe state.instance = nil
    unsafe state.useCount = 0
    return old
  }

  /// - Returns: what is kept, and how often it was asked for here; nil when nothing is.
  func noteUse() -> (instance: Instance, count: Int)? {
    unsafe state.useCount += 1
    return unsafe state.instance.map { ($0, unsafe state.useCount) }
  }

  /// Shows an instance, as the stand-in's type, if it is the one that is kept.
  func attach(_ standIn: StandIn, showing product: Product) {
    // One that has been dropped meanwhile was unlisted first, and will not be detached any more.
    guard standIn.isListed.load(ordering: .acquiring) else { return }
    unsafe state.shown.append(Shown(standIn))
    if unsafe product.instance.box === state.instance?.box { _ = put(product, into: standIn) }
  }

  /// The stand-ins go with their container.
  func detachAll() -> [DroppedInstance] {
    guard unsafe !state.shown.isEmpty else { return [] }
    let old = unsafe state.shown
    unsafe state.shown = []
    unsafe state.useCount = 0
    return old.flatMap { $0.standIn.show(nil) }
  }

  func detach(_ standIn: StandIn) -> [DroppedInstance] {
    unsafe state.shown.removeAll { $0.standIn === standIn }
    return standIn.show(nil)
  }

  private func put(_ product: Product, into standIn: StandIn) -> [DroppedInstance] {
    guard standIn.origin.primary != nil else { return standIn.show(product.instance) }
    return standIn.show(product.forwarded.first { $0.binding === standIn.origin }?.instance)
  }
}
