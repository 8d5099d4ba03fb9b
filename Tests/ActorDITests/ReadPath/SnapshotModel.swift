internal import CActorDI

@testable import ActorDI

/// A registry of numbers, and a dictionary with the expected contents of its snapshot. No binding is ever dereferenced.
struct SnapshotModel: ~Copyable {
  /// An entry's identity. Names with equal signature and word differ by a number, as keys of equal hash do.
  struct Name: Hashable {
    let signature: UInt
    let word: UInt
    let number: UInt
  }

  private(set) var address = SnapshotDraft.empty
  private(set) var entries: [Name: UInt] = [:]
  private var names: [UInt: Name] = [:]
  private var lastBinding: UInt = 0
  private var ticket: UInt = 0

  deinit { SnapshotDraft.deallocate(address) }

  enum Change {
    case insert(Name)
    case replace(Name)
    case remove(Name)
  }

  /// Publishes a draft with these changes. Changes that do not apply are left out.
  ///
  /// - Returns: The number of blocks of the base that the new snapshot replaces.
  @discardableResult
  mutating func publish(_ changes: [Change], reserving count: Int = 0) -> Int {
    ticket += 1
    var draft = SnapshotDraft(of: address, entryCount: entries.count, ticket: ticket)
    draft.reserve(count)
    apply(changes, to: &draft)
    let (next, replaced) = draft.finish()
    address = next
    replaced.blocks.forEach { $0.free() }
    return replaced.blocks.count
  }

  private mutating func apply(_ changes: [Change], to draft: inout SnapshotDraft) {
    for change in changes {
      switch change {
      case .insert(let name):
        guard entries[name] == nil else { continue }
        let binding = makeBinding(name)
        draft.insert(name.signature, name.word, binding: binding)
        entries[name] = binding
      case .replace(let name):
        guard let old = entries[name] else { continue }
        let binding = makeBinding(name)
        draft.replace(name.signature, name.word, old: old, new: binding)
        entries[name] = binding
      case .remove(let name):
        guard let old = entries.removeValue(forKey: name) else { continue }
        draft.remove(name.signature, name.word, old: old)
      }
    }
  }

  private mutating func makeBinding(_ name: Name) -> UInt {
    lastBinding += 8
    names[lastBinding] = name
    return lastBinding
  }

  /// The snapshot's entry for a name; 0 if there is none. Asks the filter first, as a search in a parent does.
  func find(_ name: Name) -> UInt {
    let snapshot = Snapshot(at: address)
    guard snapshot.mayHave(name.signature) else { return 0 }
    return snapshot.find(name.signature, name.word) { names[$0.bits] == name }.bits
  }

  /// The names for which the snapshot and the dictionary disagree.
  func disagreements(among others: [Name] = []) -> [Name] {
    (Array(entries.keys) + others).filter { find($0) != entries[$0] ?? 0 }
  }

  /// The addresses of the snapshot's segments.
  var segments: [UInt] {
    let header = unsafe Snapshot(at: address).header
    return unsafe (0...Int(header[Snapshot.directoryMaskIndex])).map { unsafe header[SnapshotDraft.firstSegment + $0] }
  }

  /// The entries that contradict S4.
  var misplaced: [Snapshot.Entry] {
    let mask = unsafe Snapshot(at: address).header[Snapshot.slotMaskIndex]
    var misplaced: [Snapshot.Entry] = []
    for segment in segments {
      let entries = unsafe UnsafePointer<Snapshot.Entry>(bitPattern: segment).unsafelyUnwrapped
      for own in 0...mask where unsafe entries[Int(own)].signature != 0 {
        let entry = unsafe entries[Int(own)]
        var slot = Snapshot.hash(entry.signature, entry.word) >> 32 & mask
        while slot != own {
          if unsafe entries[Int(slot)].signature < entry.signature { misplaced.append(entry) }
          slot = (slot + 1) & mask
        }
      }
    }
    return misplaced
  }

  /// The number of entries for which the snapshot has slots.
  var slotCount: Int { unsafe segments.count * Int(Snapshot(at: address).header[Snapshot.slotMaskIndex] + 1) }
}
