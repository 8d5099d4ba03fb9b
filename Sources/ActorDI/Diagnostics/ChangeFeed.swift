extension Container {
  /// What changes in this container's own registry from now on: one element for each publication, in order.
  ///
  /// ```swift
  /// for await change in container.changes {
  ///   print(change)
  /// }
  /// ```
  ///
  /// Each access is a subscription of its own. It ends when the stream is dropped, or its iteration is cancelled; and the stream
  /// ends when the container is closed, or goes, which it does not keep alive. Elements wait in the stream, however many, until they are
  /// taken.
  ///
  /// - Concurrency: from any thread. A change that is made after the access is in the stream.
  public nonisolated var changes: AsyncStream<RegistryChange> { changeFeed.subscribe() }

  private nonisolated var changeFeed: Feed<RegistryChange> {
    lazyChangeFeed.load() ?? lazyChangeFeed.storeIfNil(Feed())
  }

  /// Puts a publication in its place among the changes. Under the registry's lock, after the publication.
  nonisolated func noteChange(_ publication: borrowing Registry.Publication) {
    guard publication.changesRegistrations else { return }
    noteEvents(of: publication)
    guard settings.isObserved || lazyChangeFeed.load()?.hasSubscribers == true else { return }
    changeFeed.note(RegistryChange(publication))
  }

  /// Tells of what has changed. With no lock held.
  nonisolated func deliverChanges() {
    deliverEvents()
    guard let feed = lazyChangeFeed.load() else { return }
    let observers = settings.configuration.observers
    feed.deliver { change in
      for observer in observers {
        for registration in change.removed { observer.container(self, didUnregister: registration) }
        for registration in change.added { observer.container(self, didRegister: registration) }
      }
    }
  }

  /// Ends the streams of changes and events: the container is closed.
  nonisolated func endFeeds() {
    lazyChangeFeed.load()?.end()
    lazyEventFeed.load()?.end()
  }
}

extension RegistryChange {
  /// What users see of a publication.
  init(_ publication: borrowing Registry.Publication) {
    added = publication.added.map { RegistrationInfo($0) }
    removed = publication.removed.map { RegistrationInfo($0) }
  }
}
