import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// A reclaimer with its own thread records, which no other test pins.
@safe
private final class Lab {
  let reclaimer = Reclaimer()
  private var records: [ThreadRecordPointer] = []

  init(threads: Int) {
    for _ in 0..<threads {
      let pointer = UnsafeMutablePointer<ThreadRecord>.allocate(capacity: 1)
      unsafe pointer.initialize(to: ThreadRecord(shard: 0))
      let record = unsafe ThreadRecordPointer(pointer)
      records.append(record)
      reclaimer.state.withLock { $0.records.append(record) }
    }
  }

  deinit {
    while let record = records.popLast() {
      unsafe record.pointee.slots.deallocate()
      unsafe record.pointer.deinitialize(count: 1)
      unsafe record.pointer.deallocate()
    }
  }

  func pin(_ thread: Int) {
    records[thread].pointee.pins.store(1, ordering: .sequentiallyConsistent)
  }
  func unpin(_ thread: Int) {
    records[thread].pointee.pins.store(0, ordering: .sequentiallyConsistent)
  }
  func push(_ address: UInt, _ thread: Int, at depth: Int) {
    records[thread].push(HazardSlot(bits: address), at: depth)
  }
  func pop(_ thread: Int, to depth: Int) {
    records[thread].pointee.depth.store(depth, ordering: .sequentiallyConsistent)
  }
  func isAwaited(_ thread: Int) -> Bool {
    records[thread].pointee.flags.load(ordering: .sequentiallyConsistent)
      & ThreadRecord.awaited != 0
  }

  func isPopAwaited(_ thread: Int) -> Bool {
    records[thread].pointee.flags.load(ordering: .sequentiallyConsistent)
      & ThreadRecord.popAwaited != 0
  }

  /// Retires a new object.
  func retire() -> ObjectLifetime {
    let lifetime = ObjectLifetime()
    reclaimer.retire(lifetime.token())
    return lifetime
  }

  /// Retires a new object whose address is in a thread's hazard slot.
  func retire(usedBy thread: Int, at depth: Int, isBorrowed: Bool = false) -> ObjectLifetime {
    let lifetime = ObjectLifetime()
    let token = lifetime.token()
    let address = UInt(bitPattern: unsafe Unmanaged.passUnretained(token).toOpaque())
    push(isBorrowed ? address | 1 : address, thread, at: depth)
    reclaimer.retire(token)
    return lifetime
  }
}

@Suite("Reclaimer")
struct ReclaimerTests {
  @Test func theReclaimerFreesUnreadObjects() {
    let lab = Lab(threads: 3)
    let lifetimes = [lab.retire(), lab.retire()]
    #expect(lab.reclaimer.backlog == 2)
    #expect(lifetimes.allSatisfy { !$0.hasEnded }, "not before a collection")
    lab.reclaimer.collect()
    #expect(lifetimes.allSatisfy { $0.hasEnded })
    #expect(lab.reclaimer.backlog == 0)
  }

  @Test func theReclaimerFreesAnObjectRetiredByAddress() {
    let lab = Lab(threads: 1)
    let lifetime = ObjectLifetime()
    let address = UInt(bitPattern: unsafe Unmanaged.passRetained(lifetime.token()).toOpaque())
    lab.reclaimer.retire(takingReferenceAt: address)
    lab.reclaimer.collect()
    #expect(lifetime.hasEnded)
  }

  @Test func theReclaimerWaitsForAPinAndFlagsItsThread() {
    let lab = Lab(threads: 3)
    lab.pin(1)
    let lifetime = lab.retire()
    for _ in 0..<3 {
      lab.reclaimer.collect()
      #expect(lifetime.hasEnded == false)
      #expect(lab.reclaimer.backlog == 1)
    }
    #expect([0, 1, 2].map(lab.isAwaited) == [false, true, false])
    lab.unpin(1)
    lab.reclaimer.collect()
    #expect(lifetime.hasEnded)
    #expect(lab.reclaimer.backlog == 0)
  }

  @Test func theReclaimerDoesNotWaitForALaterPin() {
    let lab = Lab(threads: 2)
    lab.pin(0)
    let lifetime = lab.retire()
    lab.reclaimer.collect()
    // The thread was seen unpinned once. A later pin can only find what was reachable after the object was unlinked.
    lab.pin(1)
    lab.unpin(0)
    lab.reclaimer.collect()
    #expect(lifetime.hasEnded)
  }

  @Test func laterGarbageHasItsOwnGracePeriod() {
    let lab = Lab(threads: 2)
    lab.pin(0)
    let first = lab.retire()
    lab.reclaimer.collect()
    let second = lab.retire()
    lab.pin(1)
    lab.unpin(0)
    lab.reclaimer.collect()
    #expect(first.hasEnded)
    #expect(second.hasEnded == false)
    #expect(lab.reclaimer.backlog == 1)
    lab.unpin(1)
    lab.reclaimer.collect()
    #expect(second.hasEnded)
  }

  @Test(arguments: [false, true])
  func theReclaimerKeepsAnObjectInAHazardSlot(isBorrowed: Bool) {
    let lab = Lab(threads: 2)
    let used = lab.retire(usedBy: 1, at: 0, isBorrowed: isBorrowed)
    let other = lab.retire()
    lab.reclaimer.collect()
    #expect(other.hasEnded, "A hazard slot protects only its own object")
    #expect(used.hasEnded == false)
    #expect(lab.reclaimer.backlog == 1)
    #expect([0, 1].map(lab.isPopAwaited) == [false, true])
    lab.pop(1, to: 0)
    lab.reclaimer.collect()
    #expect(used.hasEnded)
  }

  /// Otherwise each lookup during the use would collect, and execute a process barrier.
  @Test func theReclaimerAsksForNoCallAfterAnUnpinWhileASlotIsInUse() {
    let lab = Lab(threads: 3)
    lab.push(2 << 20, 2, at: 0)
    let used = lab.retire(usedBy: 1, at: 0)
    for _ in 0..<3 {
      lab.reclaimer.collect()
      #expect([0, 1, 2].map(lab.isAwaited) == [false, false, false])
    }
    // Only the thread that uses the object can end the use.
    #expect([0, 1, 2].map(lab.isPopAwaited) == [false, true, false])
    #expect(!used.hasEnded)
    lab.pop(1, to: 0)
    lab.reclaimer.collect()
    #expect(used.hasEnded)
  }

  @Test func poppingHazardSlotsFreesTheirObjects() {
    let lab = Lab(threads: 1)
    let lifetimes = (0..<5).map { lab.retire(usedBy: 0, at: $0) }
    lab.reclaimer.collect()
    #expect(lab.reclaimer.backlog == 5)
    for depth in (0..<5).reversed() {
      lab.pop(0, to: depth)
      lab.reclaimer.collect()
      #expect(lifetimes.map(\.hasEnded) == (0..<5).map { $0 >= depth })
    }
  }

  @Test func theReclaimerKeepsAnObjectUntilItsLastHazardSlotIsPopped() {
    let lab = Lab(threads: 2)
    let lifetime = ObjectLifetime()
    let token = lifetime.token()
    let address = UInt(bitPattern: unsafe Unmanaged.passUnretained(token).toOpaque())
    lab.push(address, 0, at: 0)
    lab.push(address | 1, 1, at: 0)
    lab.reclaimer.retire(
      takingReferenceAt: UInt(bitPattern: unsafe Unmanaged.passRetained(token).toOpaque()))
    lab.reclaimer.collect()
    lab.pop(0, to: 0)
    lab.reclaimer.collect()
    #expect(lab.reclaimer.backlog == 1)
    lab.pop(1, to: 0)
    lab.reclaimer.collect()
    #expect(lab.reclaimer.backlog == 0)
  }

  @Test func aChangeReleasesNothingThatAnEarlierReadOfItsThreadRetired() async throws {
    final class Replaced: Sendable {
      let releasers: Journal<UInt>
      let isReleased: Gate
      init(_ releasers: Journal<UInt>, _ isReleased: Gate) {
        self.releasers = releasers
        self.isReleased = isReleased
      }
      deinit {
        releasers.note(ThreadRecordPointer.current.address)
        isReleased.open()
      }
    }
    let (reclaimer, releasers, isReleased) = (Reclaimer(), Journal<UInt>(), Gate())
    let reader = try await onThread {
      reclaimer.retire(Replaced(releasers, isReleased))
      reclaimer.collectForReader()
      reclaimer.collectAfterChange()
      // The thread keeps its record until the task has released the object.
      isReleased.block()
      return ThreadRecordPointer.current.address
    }
    #expect(releasers.entries.count == 1 && !releasers.entries.contains(reader))
  }

  @Test func theBacklogCountsMemoryBlocks() {
    let lab = Lab(threads: 1)
    lab.pin(0)
    let blocks: [Reclaimer.Garbage] = unsafe [
      .memory(UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)),
      .memory(UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)),
    ]
    lab.reclaimer.retire(Reclaimer.Memory(blocks: blocks, byteCount: 128))
    lab.reclaimer.collect()
    #expect(lab.reclaimer.backlog == 2)
    lab.unpin(0)
    lab.reclaimer.collect()
    #expect(lab.reclaimer.backlog == 0)
  }

  @Test func aDeinitCanCallTheReclaimer() {
    final class Nested: Sendable {
      let reclaimer: Reclaimer
      let next: ObjectLifetime
      init(_ reclaimer: Reclaimer, _ next: ObjectLifetime) {
        self.reclaimer = reclaimer
        self.next = next
      }
      deinit {
        reclaimer.retire(next.token())
        reclaimer.collect()
      }
    }
    let lab = Lab(threads: 1)
    let lifetime = ObjectLifetime()
    lab.reclaimer.retire(Nested(lab.reclaimer, lifetime))
    lab.reclaimer.collect()
    #expect(lifetime.hasEnded)
    #expect(lab.reclaimer.backlog == 0)
  }
}
