import ActorDITesting
import Foundation
import Testing

@testable import ActorDI

private typealias Name = SnapshotModel.Name

@Suite("Snapshots and their drafts")
struct SnapshotDraftTests {
  /// A distribution of names over hash values.
  enum Spread: CaseIterable, Sendable {
    /// Signatures like types' addresses, which differ in their low bits.
    case types
    /// One type; words with the highest bit set, like those of hashed keys.
    case keys
    /// One type; words like those of texts.
    case texts
    /// Names that differ in the key only: all hashes are equal.
    case colliding
    /// A mixture of the other kinds.
    case mixed

    fileprivate func name(_ index: Int) -> Name {
      let index = UInt(index)
      let type: UInt = 0x55_5500_1000
      switch self {
      case .types: return Name(signature: type + index * 16, word: 0, number: 0)
      case .keys:
        return Name(
          signature: type, word: KeyWord.hash(index &* 0x9E37_79B9), number: 0)
      case .texts: return Name(signature: type, word: KeyWord.hash("service \(index)"), number: 0)
      case .colliding: return Name(signature: type, word: 1 << 63, number: index)
      case .mixed:
        return [Spread.types, .keys, .texts, .colliding][Int(index % 4)].name(Int(index / 4))
      }
    }
  }

  @Test func theEmptySnapshotFindsNothing() {
    let model = SnapshotModel()
    let found = model.find(Name(signature: 4096, word: 0, number: 0))
    #expect(found == 0)
    #expect(Snapshot(at: SnapshotDraft.empty).find(4096, 0) { _ in true } == .nothing)
  }

  @Test(
    "Snapshots agree with a dictionary after random changes", arguments: Spread.allCases,
    [1, 2, 3] as [UInt64])
  func random(spread: Spread, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = SnapshotModel()
    let limit = spread == .colliding ? 150 : 600
    let names = (0..<limit).map(spread.name)
    for round in 0..<150 {
      // In some rounds, the registry shrinks.
      let isShrinking = round % 50 > 35
      var changes: [SnapshotModel.Change] = []
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let name = names[Int.random(in: 0..<limit, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: changes.append(.replace(name))
        case 2..<(isShrinking ? 9 : 4): changes.append(.remove(name))
        default: changes.append(.insert(name))
        }
      }
      let reserved = Bool.random(using: &random) ? changes.count : 0
      model.publish(changes, reserving: reserved)
      let wrong = model.disagreements(among: names)
      #expect(wrong.isEmpty, "round \(round)")
      let misplaced = model.misplaced.count
      #expect(misplaced == 0, "round \(round)")
    }
    let count = model.entries.count
    #expect(count > 0)
  }

  @Test(arguments: Spread.allCases)
  func singleChangesAndOneBatchGiveTheSameEntries(spread: Spread) {
    let count = spread == .colliding ? 200 : 2_000
    let names = (0..<count).map(spread.name)
    var single = SnapshotModel()
    for name in names { single.publish([.insert(name)], reserving: 1) }
    var batch = SnapshotModel()
    batch.publish(names.map { .insert($0) }, reserving: count)
    var unreserved = SnapshotModel()
    unreserved.publish(names.map { .insert($0) })
    let wrong = [
      single.disagreements(among: names), batch.disagreements(among: names),
      unreserved.disagreements(among: names),
    ]
    #expect(wrong == [[], [], []])
    let counts = [single.entries.count, batch.entries.count, unreserved.entries.count]
    #expect(counts == [count, count, count])
  }

  @Test(arguments: [1, 3, 4, 40, 41, 60, 61, 64, 1_000, 20_000])
  func aReservationIsProportionalToItsBatch(count: Int) {
    let names = (0..<count).map(Spread.types.name)
    var model = SnapshotModel()
    model.publish(names.map { .insert($0) }, reserving: count)
    let wrong = model.disagreements().count
    #expect(wrong == 0)
    let segments = model.segments.count
    #expect(segments <= max(1, count / 8), "memory in proportion: \(segments) segments")
  }

  // A regression: three quarters and more of a small table were in use, so a miss took eight probes or more in some processes.
  @Test(arguments: 1...200)
  func manySlotsStayEmpty(count: Int) {
    let names = (0..<count).map(Spread.types.name)
    var batch = SnapshotModel()
    var single = SnapshotModel()
    batch.publish(names.map { .insert($0) }, reserving: count)
    for name in names { single.publish([.insert(name)]) }
    for slots in [batch.slotCount, single.slotCount] {
      #expect(count <= (count <= 32 ? slots / 2 : slots / 8 * 5))
      #expect(slots <= max(4, count * 8), "memory in proportion")
    }
  }

  @Test func theFilterExcludesServicesWithoutEntries() {
    let names = (0..<16).map(Spread.types.name)
    var model = SnapshotModel()
    model.publish(names.map { .insert($0) })
    let snapshot = Snapshot(at: model.address)
    #expect(names.allSatisfy { snapshot.mayHave($0.signature) })
    // Sixteen entries set at most a quarter of the filter's bits.
    let passed = (16..<1_016).count { snapshot.mayHave(Spread.types.name($0).signature) }
    #expect(passed <= 300)
  }

  @Test func aDraftSharesUnchangedSegments() {
    let names = (0..<1_000).map(Spread.types.name)
    var model = SnapshotModel()
    model.publish(names.map { .insert($0) }, reserving: names.count)
    let before = model.segments
    #expect(before.count >= 16)

    // Compares with the previous snapshot only, since freed memory may be reused.
    func changed(_ old: [UInt], _ new: [UInt]) -> Int { zip(old, new).count { $0 != $1 } }
    var replaced = model.publish([.replace(names[500])])
    let between = model.segments
    #expect(changed(before, between) == 1)
    #expect(replaced == 2, "a segment and the header")
    replaced = model.publish([.remove(names[500]), .insert(names[500])])
    let after = model.segments
    #expect(changed(between, after) == 1)
    #expect(replaced == 2, "one copy for all changes of a segment")
    replaced = model.publish([])
    let last = model.segments
    #expect(changed(after, last) == 0)
    #expect(replaced == 1, "the header alone")
  }

  @Test func aSearchProbesToTheEndOfARunOfCollisions() {
    let names = (0..<120).map(Spread.colliding.name)
    var model = SnapshotModel()
    model.publish(names.map { .insert($0) })
    // Removes from the middle, so that entries behind a gap must still be found.
    for name in names[40..<80] {
      model.publish([.remove(name)])
      let wrong = model.disagreements(among: names)
      #expect(wrong.isEmpty)
    }
    let found = model.find(names[119])
    #expect(found != 0)
  }
}
