internal import Synchronization

// The builds that a container has in flight, for the report of a shutdown.
extension Container {
  /// The services that are being built for this container, kept or not.
  nonisolated var servicesInFlight: [ServiceIdentity] {
    let isUncontended = { (holder: InstanceHolder) in holder.word == .building }
    let uncontended =
      allBindings.filter(isUncontended).map(\.identity) + kept.all.filter(isUncontended).map(\.identity)
    return lifecycle.builds.map(\.identity) + FramesInFlight.services(of: self) + uncontended + servicesOnThreads
  }

  /// The services without kept instances that threads are building for this container; see ``Lifecycle/mark``.
  private nonisolated var servicesOnThreads: [ServiceIdentity] {
    let bindings = searchOrder.flatMap(\.allBindings).filter { !$0.isIndirect }
    let names = Dictionary(bindings.map { ($0.id, $0.identity) }) { first, _ in first }
    return Reclaimer.shared.hazardSlotsOfThreads.flatMap { slots in
      slots.indices.filter { slots[$0] == lifecycle.mark }.compactMap { index in
        // For an asynchronous caller, the service's slot follows the mark.
        let before = slots[..<index].last.flatMap { BindingID($0) }
        return (before ?? slots[index...].lazy.compactMap { BindingID($0) }.first).flatMap { names[$0] }
      }
    }
  }
}

extension Lifecycle {
  /// The listed builds; see ``State/builds``.
  var builds: [ListedBuild] { state.withLock { $0.builds.all } }

  /// The mark in a thread's hazard slots, beside a service's own slot, of a build for this container without a kept
  /// instance.
  var mark: HazardSlot { HazardSlot(marking: self) }
}
