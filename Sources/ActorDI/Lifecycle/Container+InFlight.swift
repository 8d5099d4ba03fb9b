internal import Synchronization

// What a container is building: nobody but a shutdown asks.
extension Container {
  /// The builds of what this container keeps that have begun and not ended.
  nonisolated var attemptsInFlight: [Attempt] {
    cells.compactMap(\.attemptInFlight)
  }

  /// The services that are being built for this container, be they kept or not.
  nonisolated var servicesInFlight: [ServiceIdentity] {
    let isAlone = { (holder: InstanceHolder) in holder.instance.load(ordering: .relaxed) == InstanceHolder.Mark.building
    }
    let alone = ownRegistrations.filter(isAlone).map(\.identity) + kept.all.filter(isAlone).map(\.identity)
    let frames = lifecycle.state.withLock { $0.builds.all }.compactMap { $0 as? ResolutionFrame }
    let inTasks = frames.filter { !$0.isForward }.compactMap(\.identity)
    return attemptsInFlight.map(\.identity) + alone + inTasks + servicesOnThreads
  }

  /// Those that threads are building of which nothing is kept: see ``Lifecycle/mark``.
  private nonisolated var servicesOnThreads: [ServiceIdentity] {
    let bindings = searchOrder.flatMap(\.ownRegistrations).filter { !$0.isForward }
    let names = Dictionary(bindings.map { ($0.address, $0.identity) }) { first, _ in first }
    var services: [ServiceIdentity] = []
    for slots in Reclaimer.shared.slotsOfThreads {
      for index in slots.indices where slots[index] == lifecycle.mark {
        // On behalf of an asynchronous call the service has its slot after the mark.
        let isBinding = { (slot: UInt) in slot & 1 == 0 }
        let binding = slots[..<index].suffix(1).first(where: isBinding) ?? slots[index...].first(where: isBinding)
        if let service = binding.flatMap({ names[$0] }) { services.append(service) }
      }
    }
    return services
  }
}

extension Lifecycle {
  /// What stands in the slots of a thread after a service that it builds for the container, if nothing is kept of it: no step of the path.
  var mark: UInt { UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) | 1 }
}
