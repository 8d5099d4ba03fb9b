internal import Synchronization

extension Container {
  /// What happens from now on in this container and in all containers below it.
  ///
  /// ```swift
  /// let events = container.events()
  /// Task {
  ///   for await event in events {
  ///     if case .created(let duration) = event.kind, duration > .milliseconds(100) {
  ///       print("slow: \(event)")   // [app] created Store, singleton, in 120.4 ms: Server -> Store
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// An event of a child or a scope is in the streams of that container and of all its parents; one of a singleton that a scope asks
  /// for belongs to the container that keeps the singleton. Links do not carry events.
  ///
  /// Each call is a subscription of its own. It ends when the stream is dropped, or its iteration is cancelled; and the stream
  /// ends when the container is closed, or goes, which it does not keep alive. As long as there is one, what is made in these containers is made on
  /// the general path: a transient costs one to three microseconds more. Without one, nothing is measured and nothing noted.
  ///
  /// - Parameter limit: how many events wait in the stream until they are taken; of more, the oldest are dropped. So a slow reader costs
  ///   bounded memory.
  /// - Returns: the events, in the order in which they happened: what is made comes after what was made for it. What happens
  ///   at once on several threads comes in some order.
  /// - Complexity: O(*n*) in the number of registrations in these containers.
  /// - Concurrency: from any thread. What happens after the call is in the stream.
  public nonisolated func events(bufferingNewest limit: Int = 1_024) -> AsyncStream<ContainerEvent> {
    let feed = lazyEventFeed.load() ?? lazyEventFeed.storeIfNil(Feed { BuildObservation.count($0) })
    let stream = feed.subscribe(.bufferingNewest(max(0, limit)))
    for container in familyTree { container.reviseShortcuts() }
    return stream
  }

  /// Whether anybody wants to be told of what happens here: here itself, or in a parent.
  nonisolated var isObserved: Bool {
    lineage.contains { container in
      container.settings.isObserved || container.lazyEventFeed.load()?.hasSubscribers == true
    }
  }

  /// A container comes to be observed by its configuration, or is not any more.
  static nonisolated func countObserved(_ isObserved: Bool) { BuildObservation.count(isObserved) }

  /// The container, its parent, and so on.
  private nonisolated var lineage: UnfoldSequence<Container, (Container?, Bool)> {
    sequence(first: self) { $0.parent }
  }

  // MARK: Telling

  /// Tells of something that happened to a service. With no lock held.
  ///
  /// - Parameter path: the services under construction, from the root to this one.
  nonisolated func emit(
    _ kind: ContainerEvent.Kind, of binding: Binding, path: [ServiceIdentity] = []
  ) {
    guard BuildObservation.isPossible else { return }
    emit(ContainerEvent(kind, in: self, of: binding.identity, binding.effectiveScope, path: path))
  }

  /// Subscribers first: what an observer causes by what it does comes after that in their streams.
  private nonisolated func emit(_ event: ContainerEvent) {
    for container in lineage { container.lazyEventFeed.load()?.tell(event) }
    var told: [ObserverReference] = []
    for container in lineage {
      // A child has its parent's observers unless it is given other ones.
      for observer in container.settings.configuration.observerReferences
      where !told.contains(where: { $0.isSame(as: observer) }) {
        told.append(observer)
        observer.observer.container(self, didEmit: event)
      }
    }
  }

  /// The time, if anybody wants to be told how long something takes.
  nonisolated var observedNow: ContinuousClock.Instant? {
    BuildObservation.isPossible && isObserved ? .now : nil
  }

  /// Tells that an instance, which this container kept or made, was disposed of. With no lock held.
  ///
  /// - Parameters:
  ///   - began: ``observedNow`` before the disposal.
  ///   - error: what it threw.
  nonisolated func emitDisposal(
    of binding: Binding, since began: ContinuousClock.Instant?, error: (any Error)? = nil
  ) {
    guard let began else { return }
    emit(.disposed(duration: began.duration(to: .now), error: error), of: binding)
  }

  /// Tells that instances were dropped. With no lock held.
  nonisolated func emitReset(of scope: Scope?) {
    guard BuildObservation.isPossible else { return }
    emit(ContainerEvent(.reset, in: self, of: nil, scope))
  }

  /// The same, for those of one service.
  ///
  /// - Parameter bindings: its registrations, which differ in their arguments; without any, nothing was reset.
  nonisolated func emitReset(of identity: ServiceIdentity, _ bindings: [Binding]) {
    guard BuildObservation.isPossible, let scope = bindings.first?.effectiveScope else { return }
    let isSame = bindings.allSatisfy { $0.effectiveScope == scope }
    emit(ContainerEvent(.reset, in: self, of: identity, isSame ? scope : nil))
  }

  // MARK: Scopes

  /// Of a scope that was just opened, and filled before it was listed below its parent: a subscription of that one may have come in between.
  nonisolated func noteOpening() {
    guard BuildObservation.isPossible, isObserved else { return }
    lifecycle.measureScope()
    reviseShortcuts()
    emit(ContainerEvent(.opened, in: self))
  }

  /// Of a scope that has been closed. While its parent can be used.
  nonisolated func noteEnd(after outcome: ScopeOutcome) {
    guard BuildObservation.isPossible, isObserved else { return }
    emit(ContainerEvent(.closed(duration: lifecycle.scopeAge, outcome: outcome), in: self))
  }

  // MARK: Registrations

  /// Puts a publication in its place among the events. Under the registry's lock, after the publication.
  nonisolated func noteEvents(of publication: borrowing Registry.Publication) {
    guard BuildObservation.isPossible else { return }
    for feed in lineage.compactMap({ $0.lazyEventFeed.load() }) where feed.hasSubscribers {
      for binding in publication.removed { feed.note(event(.unregistered, binding)) }
      for binding in publication.added { feed.note(event(.registered, binding)) }
    }
  }

  private nonisolated func event(_ kind: ContainerEvent.Kind, _ binding: Binding) -> ContainerEvent {
    ContainerEvent(kind, in: self, of: binding.identity, binding.effectiveScope)
  }

  /// Tells of them, with no lock held. To observers, others of their functions do.
  nonisolated func deliverEvents() {
    guard BuildObservation.isPossible else { return }
    for container in lineage { container.lazyEventFeed.load()?.deliver() }
  }

  // MARK: Shortcuts

  // A plain transient is made by the read path itself, which tells nothing. So while a container is observed, none of its registrations is
  // plain. A subscription is there before the registrations are gone through (F1), and each container is looked at under the lock under
  // which it changes: whoever comes second sees the other. After the last subscription, the first resolve to notice puts that right.

  /// Under the registry's lock, before the publication.
  nonisolated func withholdShortcuts(of added: [Binding]) {
    guard BuildObservation.isPossible, isObserved else { return }
    for binding in added { binding.useShortcut(false) }
  }

  /// Lets transients be plain, if nobody wants to be told of them any more.
  nonisolated func restoreShortcuts() {
    if !isObserved { reviseShortcuts() }
  }

  private nonisolated func reviseShortcuts() {
    // One that is made later is filled under its lock, too.
    existingRegistry?.withLock { registry in
      let isObserved = isObserved
      for binding in registry.everything { binding.useShortcut(!isObserved) }
    }
  }
}

extension ContainerEvent {
  fileprivate init(
    _ kind: Kind, in container: Container, of identity: ServiceIdentity? = nil, _ scope: Scope? = nil,
    path: [ServiceIdentity] = []
  ) {
    self.init(kind, in: container.name, container.id, of: identity, scope, path: path)
  }
}
