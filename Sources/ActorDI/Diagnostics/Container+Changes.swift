extension Container {
  /// A stream of all further changes of this container's own registry: one element for each publication, in order.
  ///
  /// ```swift
  /// for await change in container.changes {
  ///   print(change)
  /// }
  /// ```
  ///
  /// Each access creates a separate subscription. The subscription ends when the stream is dropped or its iteration is
  /// cancelled. The stream ends when the container is closed or deallocated; it does not keep the container alive. The stream
  /// buffers all elements until they are consumed, without a limit.
  ///
  /// - Concurrency: Callable from any thread. The stream contains every change made after the access.
  public nonisolated var changes: AsyncStream<RegistryChange> { subscribe(to: changeFeed, .unbounded).stream }

  private nonisolated var changeFeed: Feed<RegistryChange> { lazyChangeFeed.load(orStore: Feed()) }

  /// Notes a publication as a change. The caller holds the registry's lock and has published.
  nonisolated func noteChange(_ publication: borrowing Registry.Publication) {
    guard publication.changesRegistrations else { return }
    noteEvents(of: publication)
    // An overlay has the observers of the container that it overrides, which gets no registration.
    let notifiesObservers = hasObservers && replacedContainer == nil
    guard notifiesObservers || lazyChangeFeed.load()?.hasSubscribers == true else { return }
    // Read now: a scope that ends before the delivery loses its settings.
    let observers = notifiesObservers ? settings.configuration.observers : []
    changeFeed.note(
      RegistryChange(
        added: publication.added.map { RegistrationInfo($0) }, removed: publication.removed.map { RegistrationInfo($0) }
      )
    ) { change in
      for observer in observers {
        for registration in change.removed { observer.container(self, didUnregister: registration) }
        for registration in change.added { observer.container(self, didRegister: registration) }
      }
    }
  }

  /// Delivers the noted changes and events. The caller holds no lock.
  nonisolated func deliverChanges() {
    if BuildObservation.isPossible { for container in lineage { container.lazyEventFeed.load()?.deliver() } }
    lazyChangeFeed.load()?.deliver()
  }

  /// Subscribes to one of the feeds, each of which is made on first use.
  nonisolated func subscribe<Element>(
    to feed: Feed<Element>, _ policy: Feed<Element>.Continuation.BufferingPolicy
  ) -> Feed<Element>.Subscription {
    let subscription = feed.subscribe(policy)
    // After the feed was stored: a thread that ends the container after this look finds the feed.
    if hasEmittedLastEvent { feed.end() }
    return subscription
  }

  /// Ends the streams of changes and events when the container is closed.
  nonisolated func endFeeds() {
    // Sequentially consistent looks: see `subscribe(to:_:)`.
    if lazyChangeFeed.isSet { lazyChangeFeed.load()?.end() }
    if lazyEventFeed.isSet { lazyEventFeed.load()?.end() }
  }
}
