/// All registrations of one container, in order, and the number of entries in the published snapshot.
///
/// A plain value under the container's lock. A change works on a ``SnapshotDraft``; only when all of it has succeeded does
/// the registry change, and its ``Publication`` say what the container has to publish and to let go of.
struct Registry: Sendable {
  /// Bindings by order of registration; nil where one was removed. Compacted when half of it is nil.
  private var slots: [Binding?] = []
  /// How many of the slots are in use. A binding knows its own: see ``Binding/place``.
  private(set) var count = 0
  /// What wraps the services of a type, innermost first.
  var decorators: [ObjectIdentifier: [Decorator]] = [:]
  /// What was found beyond the container, by the address of the binding, with the decorators around it. Each goes with what it wraps.
  var wrappers: [ObjectIdentifier: Binding] = [:]
  /// What ``push()`` has saved; the last one is restored first.
  var saved: [Saved] = []
  /// Whether the registrations stay as they are from now on.
  private(set) var isFrozen = false
  /// Whether the container is closed: nothing changes any more, and nothing is found.
  private(set) var isClosed = false
  /// Entries of snapshots that lead to a binding by the address of a literal.
  private var aliases: [ObjectIdentifier: [UInt]] = [:]
  /// Bindings that stand, and that no lookup finds, because a later one has their identity; those of one identity in order. The last one
  /// is found again when what hides it leaves. There may be one registration of an identity, and aliases of several.
  private var hidden: [ServiceIdentity.Name: [Binding]] = [:]
  /// Bindings by service, made when first asked for, dropped with each change.
  private var byService: [ObjectIdentifier: [Binding]]?
  /// How many bindings take run-time arguments.
  private var argumentCount = 0
  private var entryCount = 0
  private var lastTicket: UInt = 0
  /// How many registrations the first draft is made for.
  private var expectedCount = 0

  init() {}

  /// One that has what stands in a snapshot already: bindings of different identities, in their places.
  init(_ bindings: [Binding]) {
    slots = bindings
    count = bindings.count
    entryCount = bindings.count
    lastTicket = SnapshotDraft.firstTicket
  }

  /// What a change leads to. It is done once, and not copied on the way.
  struct Publication: ~Copyable, Sendable {
    let snapshot: Snapshot.Address
    /// `@unchecked`: plain memory that only the reclaimer will touch.
    @safe
    struct Memory: @unchecked Sendable {
      var blocks: [UnsafeMutableRawPointer] = unsafe []
      var byteCount = 0
    }
    let replacedMemory: Memory
    /// What stands in the registry now and did not before, in order.
    let added: [Binding]
    /// What stood there before and does not any more.
    let removed: [Binding]
    /// What nobody will find again: of what was removed, and what stood behind it, all that is not saved.
    let retired: [Binding]
    /// What was to be added and was not.
    let unused: [Binding]

    /// False when it is about the address of a literal alone.
    var changesRegistrations: Bool { !(added.isEmpty && removed.isEmpty) }
  }

  /// In order of registration.
  var bindings: [Binding] { slots.compactMap { $0 } }

  /// The bindings of a service, in order of registration.
  mutating func bindings(of service: any Any.Type) -> [Binding] {
    if byService == nil {
      byService = Dictionary(grouping: bindings) { ObjectIdentifier($0.identity.service) }
    }
    return byService?[ObjectIdentifier(service)] ?? []
  }

  /// The bindings that lookups find for a service and key, whatever their arguments.
  ///
  /// - Complexity: O(1) where no registration takes arguments, else O(*n*) after a change.
  mutating func bindings(of identity: ServiceIdentity, in snapshot: Snapshot.Address) -> [Binding] {
    guard argumentCount == 0 else {
      return bindings(of: identity.service).filter { $0.key == identity.key && !isHidden($0) }
    }
    return Snapshot(orEmptyAt: snapshot).find(identity).map { [$0] } ?? []
  }

  /// All there is, found or not: what was saved, and what stands behind others.
  var everything: [Binding] {
    (bindings + saved.flatMap(\.bindings) + wrappers.values).flatMap(\.withParts)
  }

  mutating func freeze() { isFrozen = true }

  /// Nothing changes any more, and nothing is found by those who hold a binding. To publish that is for the caller.
  mutating func close() {
    isClosed = true
    for binding in slots { binding?.unlist() }
  }

  /// Makes room ahead of the first registrations.
  mutating func reserve(_ count: Int) {
    expectedCount = count
    slots.reserveCapacity(count)
  }

  /// How many entries to reserve for a batch.
  func room(forBatchOf count: Int) -> Int { entryCount == 0 ? max(count, expectedCount) : count }

  // MARK: Steps of a change

  /// Begins a change of the registrations.
  mutating func beginChange(_ snapshot: Snapshot.Address) -> Change {
    lastTicket += 1
    return Change(draft: SnapshotDraft(of: snapshot, entryCount: entryCount, ticket: lastTicket))
  }

  mutating func finish(_ change: consuming Change) -> Publication {
    byService = nil
    compact()
    entryCount = change.draft.count
    var (added, removed, retired) = (change.added, change.removed, [Binding]())
    if !removed.isEmpty || !change.unwrapped.isEmpty {
      retired = (removed + change.unwrapped).flatMap(\.retirable)
      // One that came and went in the same change was never there.
      let came = Set(added.map(ObjectIdentifier.init))
      removed.removeAll { came.contains(ObjectIdentifier($0)) }
      added.removeAll { $0.place == nil }
    }
    let unused = change.unused
    let (snapshot, blocks, byteCount) = unsafe change.takeDraft().finish()
    return Publication(
      snapshot: snapshot, replacedMemory: unsafe .init(blocks: blocks, byteCount: byteCount),
      added: added, removed: removed, retired: retired, unused: unused)
  }

  /// Lists a binding in the last place, if there is none of its identity, for somebody else to count it among the added ones.
  mutating func enterIfNew(_ binding: Binding, _ change: inout Change) -> Bool {
    guard change.insertIfNew(binding) else { return false }
    append(binding)
    return true
  }

  /// Makes room ahead of a batch. A small one grows the list as any other does, so that many of them do not copy it each time.
  mutating func makeRoom(for count: Int) {
    if count > slots.count { slots.reserveCapacity(slots.count + count) }
  }

  /// Lists a binding in the last place, where lookups find it.
  ///
  /// - Parameter replaced: standing bindings of the same identity that leave; all others stay, hidden.
  mutating func enter(_ new: Binding, insteadOf replaced: [Binding] = [], _ change: inout Change) {
    let found = change.find(new.identity)
    for old in replaced where old !== found { leave(old, &change) }
    if let found {
      redirect(found, to: new, &change)
      if replaced.contains(where: { $0 === found }) {
        strike(found)
        change.removed.append(found)
      } else {
        found.unlist()
        hidden[found.identity.name, default: []].append(found)
      }
    } else {
      change.draft.insert(new.identity.signature, new.identity.word, binding: new.address)
    }
    append(new)
    change.added.append(new)
  }

  /// Lists a binding in the place of one with the same identity.
  mutating func exchange(_ old: Binding, for new: Binding, _ change: inout Change) {
    guard let place = old.place else { return }
    slots[place] = new
    new.place = place
    if let index = hidden[old.identity.name]?.firstIndex(where: { $0 === old }) {
      hidden[old.identity.name]?[index] = new
      new.unlist()
    } else {
      redirect(old, to: new, &change)
    }
    old.place = nil
    change.added.append(new)
    change.removed.append(old)
  }

  /// Takes a binding out of the list. What it has hidden is found again.
  mutating func leave(_ binding: Binding, _ change: inout Change) {
    let identity = binding.identity
    strike(binding)
    change.removed.append(binding)
    if unhide(binding) { return }
    if let next = hidden[identity.name]?.last {
      _ = unhide(next)
      next.relist()
      return redirect(binding, to: next, &change)
    }
    change.draft.remove(identity.signature, identity.word, old: binding.address)
    for word in aliases.removeValue(forKey: ObjectIdentifier(binding)) ?? [] {
      change.draft.remove(identity.signature, word, old: binding.address)
    }
  }

  /// Lets lookups that found one binding find another one of its identity.
  private mutating func redirect(_ old: Binding, to new: Binding, _ change: inout Change) {
    let signature = old.identity.signature
    change.draft.replace(signature, old.identity.word, old: old.address, new: new.address)
    let words = aliases.removeValue(forKey: ObjectIdentifier(old)) ?? []
    for word in words {
      change.draft.replace(signature, word, old: old.address, new: new.address)
    }
    if !words.isEmpty { aliases[ObjectIdentifier(new)] = words }
  }

  // MARK: Several of one identity

  /// The bindings that stand under an identity, in order; the last one is found.
  func standing(under identity: ServiceIdentity, found: Binding?) -> [Binding] {
    (hidden.isEmpty ? [] : hidden[identity.name] ?? []) + (found.map { [$0] } ?? [])
  }

  private func isHidden(_ binding: Binding) -> Bool {
    !hidden.isEmpty && hidden[binding.identity.name]?.contains { $0 === binding } == true
  }

  /// - Returns: whether the binding was hidden.
  private mutating func unhide(_ binding: Binding) -> Bool {
    guard !hidden.isEmpty else { return false }
    let name = binding.identity.name
    guard let index = hidden[name]?.firstIndex(where: { $0 === binding }) else { return false }
    hidden[name]?.remove(at: index)
    if hidden[name]?.isEmpty == true { hidden[name] = nil }
    return true
  }

  /// After the order has changed: of those under one identity, lets the last one be found.
  mutating func findLast(_ change: inout Change) {
    for (name, bindings) in hidden {
      guard let found = change.find(bindings[0].identity) else { continue }
      var all = (bindings + [found]).sorted { ($0.place ?? 0) < ($1.place ?? 0) }
      let last = all.removeLast()
      hidden[name] = all
      guard last !== found else { continue }
      found.unlist()
      last.relist()
      redirect(found, to: last, &change)
    }
  }

  /// Lets a binding be found by the address of a literal, too.
  mutating func addAlias(
    _ word: UInt, of binding: Binding, to snapshot: Snapshot.Address
  ) -> Publication? {
    guard binding.place != nil, !isHidden(binding), !isClosed,
      aliases[ObjectIdentifier(binding)]?.contains(word) != true
    else { return nil }
    aliases[ObjectIdentifier(binding), default: []].append(word)
    var change = beginChange(snapshot)
    change.draft.insert(binding.identity.signature, word, binding: binding.address)
    return finish(change)
  }

  // MARK: Order

  private mutating func append(_ binding: Binding) {
    binding.place = slots.count
    slots.append(binding)
    count += 1
    if binding.identity.takesArguments { argumentCount += 1 }
  }

  private mutating func strike(_ binding: Binding) {
    guard let place = binding.place else { return }
    slots[place] = nil
    binding.place = nil
    count -= 1
    if binding.identity.takesArguments { argumentCount -= 1 }
  }

  /// Puts the bindings, which are all that stand in the registry, in another order.
  mutating func reorder(_ bindings: [Binding]) {
    slots = bindings
    for (place, binding) in bindings.enumerated() { binding.place = place }
  }

  private mutating func compact() {
    guard slots.count > 32, slots.count > 2 * count else { return }
    reorder(bindings)
  }
}

extension Registry {
  /// A change in the making.
  struct Change: ~Copyable {
    var draft: SnapshotDraft
    var added: [Binding] = []
    var removed: [Binding] = []
    var unused: [Binding] = []
    /// Decorators of what stands in other containers.
    var unwrapped: [Binding] = []

    init(draft: consuming SnapshotDraft) { self.draft = draft }

    consuming func takeDraft() -> SnapshotDraft { draft }

    func find(_ identity: ServiceIdentity) -> Binding? {
      let found = draft.find(identity.signature, identity.word) { address in
        unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == identity.key }
      }
      return found == 0 ? nil : unsafe Binding.at(found)._withUnsafeGuaranteedRef { $0 }
    }

    /// Lets a binding be found, unless there is one of its identity.
    mutating func insertIfNew(_ binding: Binding) -> Bool {
      let (signature, word) = (binding.identity.signature, binding.identity.word)
      let found = draft.find(signature, word) { address in
        unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == binding.key }
      }
      if found == 0 { draft.insert(signature, word, binding: binding.address) }
      return found == 0
    }
  }
}

extension Snapshot {
  /// The binding of an identity. Under the registry's lock: the snapshot cannot be replaced, and so not freed, while it is read.
  func find(_ identity: ServiceIdentity) -> Binding? {
    let found = find(identity.signature, identity.word) { address in
      unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == identity.key }
    }
    return found == 0 ? nil : unsafe Binding.at(found)._withUnsafeGuaranteedRef { $0 }
  }
}

extension SnapshotDraft {
  /// A snapshot of a few bindings, which have different identities and no aliases.
  static func snapshot(of bindings: [Binding]) -> Snapshot.Address {
    var size = Size(segments: 1, slots: 4)
    while bindings.count > limit(slots: size.slots) { size.slots *= 2 }
    let header = unsafe makeHeader(segments: 1, slots: size.slots)
    let segment = unsafe makeSegment(slots: size.slots, ticket: firstTicket)
    unsafe header[firstSegment] = UInt(bitPattern: segment)
    for binding in bindings {
      let (signature, word) = (binding.descriptor.identity.signature, binding.descriptor.identity.word)
      var slot = Int(Snapshot.hash(signature, word) >> 32) & (size.slots - 1)
      while unsafe segment[slot].signature != 0 { slot = (slot + 1) & (size.slots - 1) }
      unsafe segment[slot] = Entry(signature: signature, word: word, binding: binding.address)
      if word != 0 { unsafe header[2] |= Snapshot.filter(signature) }
    }
    unsafe UnsafeMutableRawPointer(segment + size.slots).assumingMemoryBound(to: UInt.self)[0] = UInt(bindings.count)
    return UInt(bitPattern: header)
  }
}
