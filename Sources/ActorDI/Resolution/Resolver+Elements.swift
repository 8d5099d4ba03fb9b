internal import Synchronization

// The lists of collections' elements, which containers publish for later requests.
//
// - A list is published by the container nearest to the asked one that may have a registration of the service, or else by the topmost one.
//   So requests from all scopes and children without such registrations share it. A scope publishes no list.
// - It holds as long as no registration of that container and those above it has changed (P5). A change of that container clears its lists.
//   A change above does not: until the next request for the collection, a list may keep removed bindings of containers above alive, but not
//   their instances.
// - It has only bindings that the publisher or a container above it has registered (P6). Their removal changes a version.
// - With links, with decorators of services of other containers, and under overrides, each request makes a list of its own.
extension Resolver {
  /// Runs a closure with the list of a collection's elements. A call tree must be in progress.
  ///
  /// - Parameters:
  ///   - collection: Selects the elements by their keys.
  ///   - asker: The binding that asks; nil for a call from outside.
  /// - Throws: The errors of the closure; ``ResolutionError/Code/closed``.
  func withElements<Result>(
    of identity: ServiceIdentity, in collection: any CollectionType.Type, for asker: Asker?,
    _ body: (ElementList) throws -> Result
  ) throws -> Result {
    let record = ThreadRecordPointer.current
    record.pin()
    let found = container.lookUpElements(of: identity, in: collection)
    let depth = record.pointee.depth.load(ordering: .relaxed)
    guard let entry = found.entry, entry.borrow({ $0.serves(asker) }), let lists = found.lists,
      record.hasRoom(at: depth)
    else {
      record.unpin()
      let list = try makeElementList(of: identity, in: collection, for: asker, found)
      // The closure borrows the bindings.
      return try withExtendedLifetime(list) { try body(list) }
    }
    // The hazard slot takes over from the pin (R2).
    record.push(HazardSlot(holding: lists.address), at: depth)
    record.unpin()
    defer { record.pop(to: depth) }
    return try entry.borrow { try body($0.list) }
  }

  /// The list of a collection's elements, for a caller that can suspend.
  func elementList(
    of identity: ServiceIdentity, in collection: any CollectionType.Type, for asker: Asker?
  ) throws -> ElementList {
    let record = ThreadRecordPointer.current
    record.pin()
    let found = container.lookUpElements(of: identity, in: collection)
    let list = found.entry?.borrow { $0.serves(asker) ? $0.list : nil }
    record.unpin()
    return try list ?? makeElementList(of: identity, in: collection, for: asker, found)
  }

  /// Makes a list, and publishes it if it may serve later requests.
  private func makeElementList(
    of identity: ServiceIdentity, in collection: any CollectionType.Type, for asker: Asker?, _ found: ElementLookup
  ) throws -> ElementList {
    func elements(for asker: Asker?) throws -> [Located] {
      let elements = container.elements(of: identity, in: collection, for: asker)
      try checkSearched(for: identity)
      for element in elements { try checkServed(by: element.container, for: identity) }
      return elements
    }
    func unpublished(_ elements: [Located]) -> ElementList {
      collection.list(of: elements.map(\.binding), holding: elements)
    }
    // An entry that does not serve the asker stays published.
    guard let publisher = found.publisher, found.entry == nil else { return unpublished(try elements(for: asker)) }
    let all = try elements(for: nil)
    // P6: a registration, a link or a decorator that was added after the search may have been found.
    guard all.allSatisfy({ $0.isRegistered(inOrAbove: publisher.object) }) else {
      return unpublished(try elements(for: asker))
    }
    let makers = all.flatMap { $0.binding.makers(asking: container) }
    let list = collection.list(of: all.map(\.binding), holding: [])
    let entry = ElementLists.Entry(found.query, list, madeBy: makers, version: found.version)
    publisher.object.publish(entry)
    return unpublished(entry.serves(asker) ? all : try elements(for: asker))
  }
}

/// The result of a search for a published list, under a pin.
private struct ElementLookup {
  let query: ElementList.Query
  /// The container that publishes the list. Nil if each request makes its own.
  var publisher: UnheldReference<Container>?
  /// The newest version of the publisher's registry and of those above it.
  var version = RegistryStamp.neverChanged
  var lists: UnheldReference<ElementLists>?
  /// The list of the current version.
  var entry: UnheldReference<ElementLists.Entry>?
}

extension ElementLists.Entry {
  /// Whether the list is the one that a binding, or a caller from outside, would get.
  fileprivate func serves(_ asker: Asker?) -> Bool {
    guard let asker else { return true }
    return !makers.contains(asker.binding)
  }
}

extension Container {
  /// Looks up the published list for a request from this container, under a pin.
  fileprivate nonisolated func lookUpElements(
    of identity: ServiceIdentity, in collection: any CollectionType.Type
  ) -> ElementLookup {
    let query = ElementList.Query(identity: identity, collection: ObjectIdentifier(collection))
    let unknown = ElementLookup(query: query)
    if ThreadRecordPointer.current.isOverridden { return unknown }
    var found = unknown
    var next: UnheldReference<Container>? = UnheldReference(self)
    while let container = next {
      guard let version = container.borrow({ $0.versionOfOwnElements }) else { return unknown }
      next = container.borrow { $0.parentToSearch }
      if found.publisher == nil, next == nil || container.borrow({ $0.mayHaveElements(identity) }) {
        found.publisher = container
      }
      if found.publisher != nil { found.version = max(found.version, version) }
    }
    guard let publisher = found.publisher, !publisher.borrow({ $0.lifecycle.isScope }) else { return unknown }
    guard let lists = publisher.borrow({ $0.elementLists.current }) else { return found }
    found.lists = lists
    let entry = lists.borrow { $0.entry(for: query) }
    if let entry, entry.borrow({ $0.version == found.version }) { found.entry = entry }
    return found
  }

  /// The version of the registry, by which to recognise a change. Nil if lists must not rely on it: the container is closed or has links,
  /// it decorates services of other containers, or a change is being published.
  private nonisolated var versionOfOwnElements: UInt? {
    guard publishedSnapshot != .closed, publishedLinks == .none else { return nil }
    let version = registryVersion
    return version & RegistryStamp.changing == 0 ? version : nil
  }

  /// The version of the registry, also while a change is being published.
  private nonisolated var registryVersion: UInt {
    guard lazyRegistry.isSet, let registry = lazyRegistry.loadUnheld() else { return RegistryStamp.neverChanged }
    return registry.borrow { $0.version }
  }

  /// Whether the container may have a registration of a service, with any key.
  private nonisolated func mayHaveElements(_ identity: ServiceIdentity) -> Bool {
    let address = publishedSnapshot
    return address.isSnapshot && Snapshot(at: address).mayHave(identity.signature)
  }

  /// Publishes a list in place of an earlier one for the same query.
  fileprivate nonisolated func publish(_ entry: ElementLists.Entry) {
    let record = ThreadRecordPointer.current
    record.pin()
    let old = elementLists.current
    let others = old?.borrow { old in
      old.entries.indices.map { old.entries[$0].object }.filter { !$0.query.isSame(as: entry.query) }
    }
    record.unpin()
    elementLists.replace(old, by: ElementLists((others ?? []) + [entry]))
    // Published before these looks: a thread that closes or changes the container afterwards finds the lists.
    let isPast = lifecycle.isClosed || registryVersion > entry.version
    if isPast { elementLists.clear() }
    if old != nil || isPast { Reclaimer.shared.collectForReader() }
  }
}
