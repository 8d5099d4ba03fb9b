/// The registrations of one container in order, and the bookkeeping for its published snapshot.
///
/// A plain value under the container's lock. A change first makes all checks that can fail, then works on a
/// ``SnapshotDraft``. Its ``Publication`` lists everything that the container publishes and releases.
///
/// It is not copyable, because a change that took a copy would then copy each collection that it writes to.
struct Registry: ~Copyable, Sendable {
  /// The bindings in order of registration; nil where one was removed. Compacted when more than half of it is nil.
  private var list: [Binding?] = []
  /// The number of listed bindings. A binding has its own index: see ``Binding/listIndex``.
  private(set) var count = 0
  /// The decorators of each service type, innermost first.
  var decorators: [ObjectIdentifier: [Decorator]] = [:]
  /// The wrappers of bindings found in other containers, by inner binding. A wrapper is removed together with its inner
  /// binding.
  var wrappers: [ObjectIdentifier: Binding] = [:]
  /// The states saved by ``push()``; the last one is restored first.
  var saved: [Saved] = []
  /// Whether the registrations can no longer be changed.
  private(set) var isFrozen = false
  /// Whether no registration can be changed, and the fast path finds none: the container drains or is closed.
  private(set) var isWithdrawn = false
  /// The listed bindings that no lookup finds, because a later binding has the same identity; in order, for each
  /// identity.
  ///
  /// When the binding in front leaves, lookups find the last hidden one. An identity can have one registration of
  /// its own, and aliases of several others.
  private var hidden: [ServiceIdentity: [Binding]] = [:]
  /// The bindings of each service type, computed on demand and discarded by each change.
  private var byService: [ObjectIdentifier: [Binding]]?
  /// The number of bindings with run-time arguments.
  private(set) var argumentCount = 0
  private var entryCount = 0
  private var lastTicket: UInt = 0
  /// The number of registrations for which the first draft reserves room.
  private var expectedCount = 0
  /// The placed bindings of tokens' defaults, which no resolve has needed yet.
  var defaults: [ServiceIdentity: Binding] = [:]
  /// The registrations that the end of the container has dropped, for messages.
  private(set) var dropped: [RegistrationSummary] = []

  /// Creates the registry of a published snapshot.
  ///
  /// - Parameter bindings: The bindings in the snapshot, in order. They have different identities, and their
  ///   `listIndex` is set.
  init(_ bindings: [Binding]) {
    list = bindings
    count = bindings.count
    entryCount = bindings.count
    for binding in bindings where binding.identity.takesArguments { argumentCount += 1 }
    lastTicket = SnapshotDraft.firstTicket
  }

  /// The result of a change, which the container applies. It is not copyable, so it cannot be applied twice.
  struct Publication: ~Copyable, Sendable {
    let snapshot: Snapshot.Address
    /// The memory of the replaced snapshot.
    let replaced: Reclaimer.Memory
    /// The bindings that the change has listed, in order.
    let added: [Binding]
    /// The bindings that the change has taken out of the list.
    let removed: [Binding]
    /// The bindings that no lookup will find again: removed ones and their parts, except those that are saved.
    let retired: [Binding]
    /// The bindings of a batch that were not added.
    let unused: [Binding]
    let released: Released

    /// Whether any registration changed. False for a batch that adds nothing.
    var changesRegistrations: Bool { !(added.isEmpty && removed.isEmpty) }
  }

  /// What a change no longer uses, besides bindings. These may be the last references to user objects, so they are released after the lock.
  struct Released: Sendable {
    var decorators: [ObjectIdentifier: [Decorator]] = [:]
    var infos: [RegistrationInfo] = []
    var identities: [ServiceIdentity] = []
  }

  /// The listed bindings, in order of registration.
  var bindings: [Binding] { list.compactMap { $0 } }

  /// The listed bindings of a service, in order of registration.
  mutating func bindings(of service: any Any.Type) -> [Binding] {
    if byService == nil { byService = Dictionary(grouping: bindings) { ObjectIdentifier($0.identity.service) } }
    return byService?[ObjectIdentifier(service)] ?? []
  }

  /// The bindings that lookups find for a service and key, with any run-time arguments.
  ///
  /// - Complexity: O(1) if no registration takes arguments; otherwise O(*n*) after a change.
  mutating func bindingsFound(under identity: ServiceIdentity, in snapshot: Snapshot.Address) -> [Binding] {
    guard argumentCount == 0 else {
      return bindings(of: identity.service).filter { $0.key == identity.key && !isHidden($0) }
    }
    return Snapshot(orEmptyAt: snapshot).find(identity).map { [$0] } ?? []
  }

  /// All bindings, whether lookups find them or not: listed and saved ones, wrappers and defaults, each with its parts.
  var everything: [Binding] {
    var everything: [Binding] = []
    for binding in list { binding?.add(to: &everything) }
    for earlier in saved { for binding in earlier.bindings { binding.add(to: &everything) } }
    for wrapper in wrappers.values { wrapper.add(to: &everything) }
    for binding in defaults.values { binding.add(to: &everything) }
    return everything
  }

  /// The bindings that keep instances: those of the listed and the saved bindings, and of the wrappers.
  var keepingBindings: [Binding] {
    (bindings + saved.flatMap(\.bindings) + wrappers.values).flatMap(\.keepingBindings)
  }

  mutating func freeze() { isFrozen = true }

  /// Refuses further changes, and hides all bindings from threads that have found them before. The caller publishes the
  /// mark of a closed container.
  mutating func withdraw() {
    isWithdrawn = true
    for binding in list { binding?.unlist() }
  }

  /// Drops all registrations and decorators with their closures. No lookup finds any: the container has ended.
  ///
  /// - Returns: The registry as it was, for the caller to release without the lock: the closures may have captured user objects.
  mutating func drop() -> Registry {
    for binding in list { binding?.listIndex = nil }
    var empty = Registry([])
    empty.isFrozen = isFrozen
    empty.isWithdrawn = isWithdrawn
    empty.dropped = dropped + bindings.map { RegistrationSummary($0) }
    return Swift.exchange(&self, with: empty)
  }

  /// The identities of the registrations, in order, also of those that the end of the container has dropped.
  var identities: [ServiceIdentity] { dropped.map(\.identity) + bindings.map(\.identity) }

  /// Reserves room for the first registrations.
  mutating func reserve(_ count: Int) {
    expectedCount = count
    list.reserveCapacity(count)
  }

  /// The number of snapshot entries to reserve for a batch.
  func room(forBatchOf count: Int) -> Int { entryCount == 0 ? max(count, expectedCount) : count }

  // MARK: Steps of a change

  /// Begins a change, with a draft of the given snapshot.
  mutating func beginChange(_ snapshot: Snapshot.Address) -> Change {
    lastTicket += 1
    return Change(
      draft: SnapshotDraft(of: snapshot, entryCount: entryCount, ticket: lastTicket), firstIndex: list.count)
  }

  mutating func finish(_ change: consuming Change) -> Publication {
    byService = nil
    compact()
    entryCount = change.draft.entryCount
    var added = change.added
    var removed = change.removed
    var retired: [Binding] = []
    if !removed.isEmpty || !change.removedWrappers.isEmpty {
      retired = (removed + change.removedWrappers).flatMap(\.retirable)
      // A binding may be removed and added several times in one change. It appears once in a list, and in neither if nothing has changed.
      var difference: [ObjectIdentifier: Int] = [:]
      for binding in added { difference[ObjectIdentifier(binding), default: 0] += 1 }
      for binding in removed { difference[ObjectIdentifier(binding), default: 0] -= 1 }
      added.removeAll { !difference.take(1, of: $0) }
      removed.removeAll { !difference.take(-1, of: $0) }
    }
    let (snapshot, replaced) = change.draft.finish()
    return Publication(
      snapshot: snapshot, replaced: replaced, added: added, removed: removed, retired: retired, unused: change.unused,
      released: change.released)
  }

  /// Lists a binding last, unless its identity is taken. The caller records it in the change.
  mutating func insertIfNew(_ binding: Binding, _ change: inout Change) -> Bool {
    let identity = binding.identity
    guard change.find(identity) == nil else { return false }
    change.draft.insert(identity.signature, identity.word, binding: binding.address)
    appendToList(binding)
    return true
  }

  /// Reserves room for a batch that is larger than the list. Smaller ones rely on the array's growth, so that many of
  /// them do not copy the list each time.
  mutating func makeRoom(for count: Int) { if count > list.count { list.reserveCapacity(list.count + count) } }

  /// Lists a binding last, and lets lookups find it.
  ///
  /// - Parameters:
  ///   - found: The binding that lookups of the identity find until now; nil if there is none.
  ///   - replaced: The listed bindings of the same identity to remove; the others stay listed, but hidden.
  mutating func insert(
    _ new: Binding, before found: Binding?, insteadOf replaced: [Binding] = [], _ change: inout Change
  ) {
    for old in replaced where old !== found { remove(old, &change) }
    if let found {
      redirect(found, to: new, &change)
      if replaced.contains(where: { $0 === found }) {
        removeFromList(found)
        change.removed.append(found)
      } else {
        hide(found)
      }
    } else {
      change.draft.insert(new.identity.signature, new.identity.word, binding: new.address)
    }
    appendToList(new)
    change.added.append(new)
  }

  /// Lists a binding in the place of another one of the same identity.
  mutating func exchange(_ old: Binding, for new: Binding, _ change: inout Change) {
    guard let index = old.listIndex else { return }
    byService = nil
    list[index] = new
    new.listIndex = index
    if let index = hidden[old.identity]?.firstIndex(where: { $0 === old }) {
      hidden[old.identity]?[index] = new
      new.unlist()
    } else {
      redirect(old, to: new, &change)
    }
    old.listIndex = nil
    change.added.append(new)
    change.removed.append(old)
  }

  /// Removes a binding from the list. Lookups then find the last binding that it has hidden.
  mutating func remove(_ binding: Binding, _ change: inout Change) {
    let identity = binding.identity
    removeFromList(binding)
    change.removed.append(binding)
    if removeFromHidden(binding, &change) { return }
    if let next = hidden[identity]?.last {
      reveal(next, &change)
      return redirect(binding, to: next, &change)
    }
    change.draft.remove(identity.signature, identity.word, old: binding.address)
  }

  /// Lets lookups of one binding find another binding of the same identity.
  private mutating func redirect(_ old: Binding, to new: Binding, _ change: inout Change) {
    change.draft.replace(old.identity.signature, old.identity.word, old: old.address, new: new.address)
  }

  // MARK: Bindings of one identity

  /// The listed bindings of an identity, in order. Lookups find the last one.
  ///
  /// - Parameter found: The binding that lookups find.
  func listed(under identity: ServiceIdentity, found: Binding?) -> [Binding] {
    (hidden.isEmpty ? [] : hidden[identity] ?? []) + (found.map { [$0] } ?? [])
  }

  private func isHidden(_ binding: Binding) -> Bool {
    !hidden.isEmpty && hidden[binding.identity]?.contains { $0 === binding } == true
  }

  /// Hides a listed binding, because a later one has the same identity.
  private mutating func hide(_ binding: Binding) {
    binding.unlist()
    hidden[binding.identity, default: []].append(binding)
  }

  /// Shows a hidden binding again. The caller redirects the lookups to it.
  private mutating func reveal(_ binding: Binding, _ change: inout Change) {
    _ = removeFromHidden(binding, &change)
    binding.relist()
  }

  /// Removes a binding from the hidden ones.
  ///
  /// - Returns: Whether the binding was hidden.
  private mutating func removeFromHidden(_ binding: Binding, _ change: inout Change) -> Bool {
    guard let index = hidden.index(forKey: binding.identity), hidden.values[index].contains(where: { $0 === binding })
    else { return false }
    hidden.values[index].removeAll { $0 === binding }
    // The key may be that of a binding which is gone.
    if hidden.values[index].isEmpty { change.released.identities.append(hidden.remove(at: index).key) }
    return true
  }

  /// Lets lookups find the last binding of each identity after the order has changed.
  mutating func revealLast(_ change: inout Change) {
    for (identity, bindings) in hidden {
      guard let found = change.find(bindings[0].identity) else { continue }
      func isEarlier(_ one: Binding, _ other: Binding) -> Bool { (one.listIndex ?? 0) < (other.listIndex ?? 0) }
      if let last = bindings.max(by: isEarlier), isEarlier(found, last) {
        hide(found)
        reveal(last, &change)
        redirect(found, to: last, &change)
      }
      hidden[identity]?.sort(by: isEarlier)
    }
  }

  // MARK: Order

  private mutating func appendToList(_ binding: Binding) {
    binding.listIndex = list.count
    list.append(binding)
    count += 1
    if binding.identity.takesArguments { argumentCount += 1 }
  }

  private mutating func removeFromList(_ binding: Binding) {
    guard let index = binding.listIndex else { return }
    list[index] = nil
    binding.listIndex = nil
    count -= 1
    if binding.identity.takesArguments { argumentCount -= 1 }
  }

  /// Changes the order of the listed bindings.
  ///
  /// - Parameter bindings: All listed bindings, in their new order.
  mutating func reorder(_ bindings: [Binding]) {
    list = bindings
    for (index, binding) in bindings.enumerated() { binding.listIndex = index }
  }

  /// Removes the gaps that removed bindings have left in the list, once they are more than half of it.
  private mutating func compact() {
    if list.count > 32, list.count > 2 * count { reorder(bindings) }
  }

  // MARK: A change

  /// A change in progress.
  struct Change: ~Copyable {
    var draft: SnapshotDraft
    /// The list index of the first binding that the change lists.
    let firstIndex: Int
    var added: [Binding] = []
    var removed: [Binding] = []
    var unused: [Binding] = []
    /// The removed wrappers of bindings in other containers.
    var removedWrappers: [Binding] = []
    var released = Released()

    func find(_ identity: ServiceIdentity) -> Binding? { draft.snapshot.find(identity) }
  }
}

extension [ObjectIdentifier: Int] {
  /// Whether the number of an object is the given one. Removes it then, so that a second occurrence of the object has none.
  fileprivate mutating func take(_ number: Int, of object: AnyObject) -> Bool {
    guard self[ObjectIdentifier(object)] == number else { return false }
    self[ObjectIdentifier(object)] = nil
    return true
  }
}
