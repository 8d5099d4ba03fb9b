internal import Synchronization

/// Keeps the instance of a registration for a container other than the one in which that stands, and shows it in the bindings that
/// stand in for the registration there, if there are any: see ``StandIn``.
///
/// `@unchecked Sendable` because it is only used under the cell's lock.
final class ScopedStorage: InstanceStorage, @unchecked Sendable {
  private var instance: Instance?
  private var useCount = 0

  /// Unowned, since a stand-in, which holds the cell, is taken out of here before it is let go of.
  @safe
  private struct Shown {
    unowned(unsafe) private let reference: StandIn
    init(_ standIn: StandIn) { unsafe reference = standIn }
    var standIn: StandIn { unsafe reference }
  }
  private var shown: [Shown] = []

  func load() -> Instance? { instance }

  func storeAlone(_ instance: Instance) -> Bool {
    guard self.instance == nil && shown.isEmpty else { return false }
    self.instance = instance
    return true
  }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = instance == nil ? [] : take()
    instance = product.instance
    for entry in shown { _ = put(product, into: entry.standIn) }
    return dropped
  }

  func take() -> [DroppedInstance] {
    guard let instance else { return [] }
    self.instance = nil
    if shown.isEmpty { return [.owned(instance)] }
    return shown.flatMap { $0.standIn.put(nil) } + [.owned(instance)]
  }

  func takeUnshared() -> Instance? {
    guard shown.isEmpty else { return nil }
    let old = instance
    instance = nil
    useCount = 0
    return old
  }

  /// - Returns: what is kept, and how often it was asked for here; nil when nothing is.
  func noteUse() -> (instance: Instance, count: Int)? {
    useCount += 1
    return instance.map { ($0, useCount) }
  }

  /// Shows an instance, as the stand-in's type, if it is the one that is kept.
  func attach(_ standIn: StandIn, showing product: Product) {
    // One that has been dropped meanwhile was unlisted first, and will not be detached any more.
    guard standIn.isListed.load(ordering: .acquiring) else { return }
    shown.append(Shown(standIn))
    if product.instance.object === instance?.object { _ = put(product, into: standIn) }
  }

  /// The stand-ins go with their container.
  func detachAll() -> [DroppedInstance] {
    guard !shown.isEmpty else { return [] }
    let old = shown
    shown = []
    useCount = 0
    return old.flatMap { $0.standIn.put(nil) }
  }

  func detach(_ standIn: StandIn) -> [DroppedInstance] {
    shown.removeAll { $0.standIn === standIn }
    return standIn.put(nil)
  }

  private func put(_ product: Product, into standIn: StandIn) -> [DroppedInstance] {
    guard standIn.origin.primary != nil else { return standIn.put(product.instance) }
    return standIn.put(product.forwarded.first { $0.binding === standIn.origin }?.instance)
  }
}
