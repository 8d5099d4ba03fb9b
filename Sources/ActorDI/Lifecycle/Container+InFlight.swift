internal import Synchronization

// The builds that a container has in flight, for the report of a shutdown.
extension Container {
  /// The services that are being built for this container, kept or not.
  nonisolated var servicesInFlight: [ServiceIdentity] {
    let isUncontended = { (holder: InstanceHolder) in
      holder.instance.load(ordering: .relaxed) == InstanceHolder.Mark.building
    }
    let uncontended =
      ownRegistrations.filter(isUncontended).map(\.identity) + kept.all.filter(isUncontended).map(\.identity)
    return lifecycle.builds.compactMap(\.service) + uncontended + servicesOnThreads
  }

  /// The services without kept instances that threads are building for this container; see ``Lifecycle/mark``.
  private nonisolated var servicesOnThreads: [ServiceIdentity] {
    let bindings = searchOrder.flatMap(\.ownRegistrations).filter { !$0.isIndirect }
    let names = Dictionary(bindings.map { ($0.address, $0.identity) }) { first, _ in first }
    return Reclaimer.shared.hazardSlotsOfThreads.flatMap { slots in
      slots.indices.filter { slots[$0] == lifecycle.mark }.compactMap { index in
        // For an asynchronous caller, the service's slot follows the mark.
        let isBinding = { (slot: UInt) in slot & 1 == 0 }
        let binding = slots[..<index].suffix(1).first(where: isBinding) ?? slots[index...].first(where: isBinding)
        return binding.flatMap { names[$0] }
      }
    }
  }
}

extension Lifecycle {
  /// The listed builds; see ``State/builds``.
  var builds: [ListedBuild] { state.withLock { $0.builds.all } }

  /// The mark in a thread's hazard slots, beside a service's own slot, of a build for this container without a kept
  /// instance.
  ///
  /// Its lowest bit is set, so it is not a step of the thread's path.
  var mark: UInt { UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) | 1 }
}
