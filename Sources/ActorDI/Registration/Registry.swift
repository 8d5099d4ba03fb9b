/// All registrations of one container, in order, and the number of entries in the published snapshot.
///
/// A plain value under the container's lock. A change works on a ``SnapshotDraft``; only when all of it has succeeded does
/// the registry change, and its ``Publication`` say what the container has to publish and to let go of.
struct Registry: Sendable {
  /// Bindings by order of registration; nil where one was removed. Compacted when half of it is nil.
  private var slots: [Binding?] = []
  /// How many of the slots are in use. A binding knows its own: see ``Binding/place``.
  private(set) var count = 0
  /// Entries of snapshots that lead to a binding by the address of a literal.
  private var aliases: [ObjectIdentifier: [UInt]] = [:]
  /// Bindings by service, made when first asked for, dropped with each change.
  private var byService: [ObjectIdentifier: [Binding]]?
  /// How many bindings take run-time arguments.
  private var argumentCount = 0
  private var entryCount = 0
  private var lastTicket: UInt = 0

  /// What a change leads to.
  struct Publication: Sendable {
    let snapshot: Snapshot.Address
    /// `@unchecked`: plain memory that only the reclaimer will touch.
    @safe
    struct Memory: @unchecked Sendable {
      let blocks: [UnsafeMutableRawPointer]
      let byteCount: Int
    }
    let replacedMemory: Memory
    let removed: [Binding]
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

  /// The bindings of a service and key, whatever their arguments.
  ///
  /// - Complexity: O(1) where no registration takes arguments, else O(*n*) after a change.
  mutating func bindings(of identity: ServiceIdentity, in snapshot: Snapshot.Address) -> [Binding] {
    guard argumentCount == 0 else {
      return bindings(of: identity.service).filter { $0.key == identity.key }
    }
    let found = Snapshot(at: snapshot).find(identity.signature, identity.word) { address in
      unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == identity.key }
    }
    return found == 0 ? [] : [unsafe Binding.at(found)._withUnsafeGuaranteedRef { $0 }]
  }

  // MARK: Changing

  /// Adds bindings, each in the place of one with the same identity.
  ///
  /// - Throws: ``ResolutionError/Code/duplicate`` when the policy forbids that; nothing has changed then.
  mutating func add(
    _ batch: [Binding], to snapshot: Snapshot.Address, duplicates: DuplicatePolicy,
    container: String
  ) throws(ResolutionError) -> Publication {
    var draft = beginDraft(snapshot)
    draft.reserve(batch.count)
    var removed: [Binding] = []
    for binding in batch {
      let identity = binding.identity
      let old = draft.find(identity.signature, identity.word) { address in
        unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == identity.key }
      }
      if old == 0 {
        draft.insert(identity.signature, identity.word, binding: binding.address)
        continue
      }
      let replaced = unsafe Binding.at(old)._withUnsafeGuaranteedRef { $0 }
      guard duplicates == .replace else {
        draft.discard()
        throw ResolutionError.duplicate(identity, earlier: replaced.descriptor.source, container)
      }
      draft.replace(identity.signature, identity.word, old: old, new: binding.address)
      removed.append(replaced)
      for word in aliases[ObjectIdentifier(replaced)] ?? [] {
        draft.replace(identity.signature, word, old: old, new: binding.address)
        aliases[ObjectIdentifier(binding), default: []].append(word)
      }
    }
    for binding in batch { append(binding) }
    removed += removeForwards(of: removed, from: &draft)
    for binding in removed { forget(binding) }
    return finish(draft, removed)
  }

  /// Removes bindings, with their forwards.
  mutating func remove(_ bindings: [Binding], from snapshot: Snapshot.Address) -> Publication? {
    var draft = beginDraft(snapshot)
    var removed = bindings.filter { $0.place != nil }
    guard !removed.isEmpty else {
      draft.discard()
      return nil
    }
    for binding in removed { removeEntries(of: binding, from: &draft) }
    for binding in removed { forget(binding) }
    let forwards = removeForwards(of: removed, from: &draft)
    for binding in forwards { forget(binding) }
    removed += forwards
    return finish(draft, removed)
  }

  /// Lets a binding be found by the address of a literal, too.
  mutating func addAlias(_ word: UInt, of binding: Binding, to snapshot: Snapshot.Address)
    -> Publication?
  {
    guard binding.place != nil,
      aliases[ObjectIdentifier(binding)]?.contains(word) != true
    else { return nil }
    aliases[ObjectIdentifier(binding), default: []].append(word)
    var draft = beginDraft(snapshot)
    draft.insert(binding.identity.signature, word, binding: binding.address)
    return finish(draft, [])
  }

  // MARK: Steps of a change

  private mutating func beginDraft(_ snapshot: Snapshot.Address) -> SnapshotDraft {
    lastTicket += 1
    return SnapshotDraft(of: snapshot, entryCount: entryCount, ticket: lastTicket)
  }

  private mutating func finish(
    _ draft: consuming SnapshotDraft, _ removed: [Binding]
  ) -> Publication {
    entryCount = draft.count
    byService = nil
    compact()
    let (snapshot, blocks, byteCount) = unsafe draft.finish()
    return Publication(
      snapshot: snapshot, replacedMemory: unsafe .init(blocks: blocks, byteCount: byteCount), removed: removed)
  }

  private mutating func append(_ binding: Binding) {
    binding.place = slots.count
    slots.append(binding)
    count += 1
    if !binding.identity.arguments.isEmpty { argumentCount += 1 }
  }

  private mutating func forget(_ binding: Binding) {
    aliases[ObjectIdentifier(binding)] = nil
    guard let place = binding.place else { return }
    slots[place] = nil
    binding.place = nil
    count -= 1
    if !binding.identity.arguments.isEmpty { argumentCount -= 1 }
  }

  private func removeEntries(of binding: Binding, from draft: inout SnapshotDraft) {
    let identity = binding.identity
    draft.remove(identity.signature, identity.word, old: binding.address)
    for word in aliases[ObjectIdentifier(binding)] ?? [] {
      draft.remove(identity.signature, word, old: binding.address)
    }
  }

  /// A registration goes with its forwards: they have nothing to show any more.
  private func removeForwards(
    of primaries: [Binding], from draft: inout SnapshotDraft
  ) -> [Binding] {
    let gone = Set(primaries.map(ObjectIdentifier.init))
    var removed: [Binding] = []
    for forward in primaries.flatMap({ $0.forwards?.all ?? [] }) {
      let binding = forward.binding
      guard binding.place != nil, !gone.contains(ObjectIdentifier(binding)) else { continue }
      removeEntries(of: binding, from: &draft)
      removed.append(binding)
    }
    return removed
  }

  private mutating func compact() {
    guard slots.count > 32, slots.count > 2 * count else { return }
    slots = slots.filter { $0 != nil }
    for (place, binding) in slots.enumerated() { binding?.place = place }
  }
}
