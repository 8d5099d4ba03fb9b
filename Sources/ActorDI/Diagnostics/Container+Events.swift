internal import Synchronization

extension Container {
  /// A stream of all further events in this container and the containers below it.
  ///
  /// ```swift
  /// let events = container.events()
  /// Task {
  ///   for await event in events {
  ///     if case .created(let duration) = event.kind, duration > .milliseconds(100) {
  ///       // [app] created Store, singleton, in 120.4 ms: Server -> Store
  ///       print("slow: \(event)")
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The event of a child or a scope appears in the streams of that container and of all its parents. If a scope requests a
  /// singleton, the event belongs to the container that keeps the singleton. Links do not pass on events.
  ///
  /// Each call creates a separate subscription. The subscription ends when the stream is dropped or its iteration is
  /// cancelled. The stream ends when the container is closed or deallocated; it does not keep the container alive.
  ///
  /// While there is a subscription, these containers make every instance on the slow path: a transient costs one to three
  /// microseconds more. Without a subscription, nothing is measured or recorded.
  ///
  /// - Parameter limit: The number of events that the stream buffers. Beyond it, the stream drops the oldest events, so a
  ///   slow reader costs bounded memory.
  /// - Returns: The events in order of occurrence: an instance follows the instances made for it. Events that occur
  ///   concurrently come in any order.
  /// - Complexity: O(1).
  /// - Concurrency: Callable from any thread. The stream contains every event after the call.
  public nonisolated func events(bufferingNewest limit: Int = 1_024) -> AsyncStream<ContainerEvent> {
    subscribe(to: eventFeed, .bufferingNewest(max(0, limit))).stream
  }

  private nonisolated var eventFeed: Feed<ContainerEvent> {
    lazyEventFeed.load(orStore: Feed { BuildObservation.count($0) })
  }

  /// The events of this container and the containers below it during an operation.
  ///
  /// - Throws: The error of `operation`.
  package nonisolated(nonsending) func events(
    during operation: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> [ContainerEvent] {
    let feed = eventFeed
    let subscription = subscribe(to: feed, .unbounded)
    try await operation()
    feed.end(subscription)
    var events: [ContainerEvent] = []
    for await event in subscription.stream { events.append(event) }
    return events
  }

  /// Whether this container or a parent has an observer or an event subscriber.
  nonisolated var isObserved: Bool { BuildObservation.isPossible && hasListener }

  // A loop without closures, because each resolve of a transient runs it while any container of the process is
  // observed.
  private nonisolated var hasListener: Bool {
    var next: Container? = self
    while let container = next {
      if container.hasObservers || container.lazyEventFeed.load()?.hasSubscribers == true { return true }
      next = container.parent
    }
    return false
  }

  /// Counts a container with observers while it exists.
  static nonisolated func countObserved(_ isObserved: Bool) { BuildObservation.count(isObserved) }

  // MARK: Notifying

  /// Emits an event. The caller holds no lock.
  ///
  /// Notifies subscribers first, then observers: events that an observer causes follow this one in the streams.
  ///
  /// - Parameters:
  ///   - scope: The scope of the service; for a reset, the scope that was reset.
  ///   - path: The services under construction, from the root to this one.
  ///   - build: The number of the build; 0 for none.
  ///   - parent: The number of the build that has requested it; 0 for none.
  nonisolated func emit(
    _ kind: ContainerEvent.Kind, of identity: ServiceIdentity? = nil, _ scope: Scope? = nil,
    path: [ServiceIdentity] = [], _ build: UInt64 = 0, _ parent: UInt64 = 0
  ) {
    guard BuildObservation.isPossible else { return }
    let event = ContainerEvent(
      kind: kind, container: name, containerID: id, scope: scope, identity: identity, identities: path, build: build,
      parentBuild: parent)
    for container in lineage { container.lazyEventFeed.load()?.notify(event) }
    var notified: [ObserverReference] = []
    for container in lineage {
      // A child shares its parent's observers unless it is configured with others. Notify each observer once.
      for observer in container.settings.configuration.observerReferences
      where !notified.contains(where: { $0.isSame(as: observer) }) {
        notified.append(observer)
        observer.observer.container(self, didEmit: event)
      }
    }
  }

  /// The current time, if the container is observed.
  nonisolated var observedNow: Moment? { isObserved ? .now : nil }

  // MARK: Scopes

  /// Emits the opening of a scope.
  nonisolated func emitOpening() {
    guard isObserved else { return }
    lifecycle.measureScope()
    emit(.opened)
  }

  /// Emits the end of a scope, with the outcome that its disposers got. Called while the scope's parent is still usable.
  ///
  /// - Parameter outcome: The outcome of the scope's operation and extensions, for a scope that no other caller has closed.
  nonisolated func emitEnd(after outcome: ScopeOutcome) {
    guard isObserved else { return }
    emit(.closed(duration: lifecycle.scopeAge, outcome: lifecycle.outcome ?? outcome))
  }

  // MARK: Registrations

  /// Notes a publication as events. The caller holds the registry's lock and has published.
  nonisolated func noteEvents(of publication: borrowing Registry.Publication) {
    guard BuildObservation.isPossible else { return }
    // The parent of an overlay is the container that it overrides, which gets no registration.
    let containers = replacedContainer == nil ? Array(lineage) : [self]
    for feed in containers.compactMap({ $0.lazyEventFeed.load() }) where feed.hasSubscribers {
      func note(_ kind: ContainerEvent.Kind, _ binding: Binding) {
        feed.note(
          ContainerEvent(
            kind: kind, container: name, containerID: id, scope: binding.effectiveScope, identity: binding.identity,
            identities: [], build: 0, parentBuild: 0))
      }
      for binding in publication.removed { note(.unregistered, binding) }
      for binding in publication.added { note(.registered, binding) }
    }
  }
}
