import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

@Suite("Thread records", .timeLimit(.minutes(5)))
struct ThreadRecordTests {
  @Test func eachThreadHasOneRecord() async throws {
    let (gate, here) = (Gate(), Counter())
    let threads = (0..<4).map { _ in
      Task {
        try await onThread {
          let first = ThreadRecordPointer.current.address
          here.increment()
          gate.block()
          return [first, ThreadRecordPointer.current.address]
        }
      }
    }
    await here.wait(for: 4)
    gate.open()
    var all: Set<UInt> = []
    for thread in threads {
      let addresses = try await thread.value
      #expect(addresses[0] == addresses[1])
      all.insert(addresses[0])
    }
    #expect(all.count == 4)
  }

  @Test func newThreadsReuseRecordsOfEndedThreads() async throws {
    var all: Set<UInt> = []
    for _ in 0..<60 {
      let address = try await onThread { ThreadRecordPointer.current.address }
      all.insert(address)
    }
    // A thread may still be exiting when the next one begins, so there may be several records.
    #expect(all.count < 30)
  }

  @Test func unpinningAnAwaitedRecordCallsTheReclaimer() async throws {
    let (pinned, gate, lifetime) = (Gate(), Gate(), ObjectLifetime())
    let thread = Task {
      try await onThread {
        let record = ThreadRecordPointer.current
        record.pin()
        pinned.open()
        gate.block()
        let wasAwaited =
          record.pointee.flags.load(ordering: .sequentiallyConsistent)
          & ThreadRecord.awaited != 0
        record.unpin()
        return wasAwaited
      }
    }
    try await pinned.passed()
    Reclaimer.shared.retire(lifetime.token())
    Reclaimer.shared.collect()
    #expect(lifetime.hasEnded == false)
    #expect(Reclaimer.shared.backlog > 0)
    gate.open()
    #expect(try await thread.value)
    try await lifetime.ended.passed()
  }

  @Test func onlyAPopHandlesARequestForAPop() async throws {
    let isLeft = try await onThread {
      let record = ThreadRecordPointer.current
      var isLeft: [Bool] = []
      func noteRequest() {
        let bits = record.pointee.flags.load(ordering: .sequentiallyConsistent)
        isLeft.append(bits & ThreadRecord.popAwaited != 0)
      }
      // An odd value is no address of an object, so it protects nothing.
      record.push(HazardSlot(bits: 1), at: 0)
      record.pointee.flags.bitwiseOr(ThreadRecord.popAwaited, ordering: .sequentiallyConsistent)
      record.pin()
      record.unpin()
      noteRequest()
      record.pop(to: 0)
      noteRequest()
      return isLeft
    }
    #expect(isLeft == [true, false])
  }

  @Test func growingTheHazardSlotsKeepsTheirValues() async throws {
    let (capacity, values) = try await onThread {
      let record = ThreadRecordPointer.current
      // Odd values are no addresses of objects, so they protect nothing.
      for depth in 0..<1_000 {
        #expect(record.hasRoom(at: depth) || record.makeRoom(at: depth))
        record.push(HazardSlot(bits: UInt(2 * depth + 1)), at: depth)
      }
      let values = (0..<1_000).map {
        unsafe record.pointee.slots[$0].load(ordering: .relaxed)
      }
      record.pop(to: 0)
      return (record.pointee.capacity, values)
    }
    #expect(capacity >= 1_000)
    let expected: [UInt] = (0..<1_000).map { 2 * $0 + 1 }
    #expect(values == expected)
  }

  @Test func aRecordRefusesRoomAtTheEndOfTheStack() async throws {
    let rooms = try await onThread {
      let record = ThreadRecordPointer.current
      let limit = record.pointee.stackLimit
      let before = record.hasRoom(at: 0)
      record.pointee.stackLimit = .max
      let hasRoom = record.hasRoom(at: 0)
      let madeRoom = record.makeRoom(at: 0)
      record.pointee.stackLimit = limit
      return [before, hasRoom, madeRoom]
    }
    #expect(rooms == [true, false, false])
  }

  @Test func aRecordIsEmptyAfterEachResolve() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Root.self) { r in Root(try r.resolve(Probe.self)) }
      Registration(Stem.self, scope: .graph) { r in Stem(try r.resolve([Root].self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Leaf.self)) }
    }
    _ = try container.resolve(Stem.self)
    #expect(throws: ResolutionError.self) { try container.resolve(Leaf.self) }
    let isBorrowed = try container.withResolved(Probe.self) { _ in
      let record = ThreadRecordPointer.current
      return record.pointee.depth.load(ordering: .relaxed) > 0
    }
    #expect(isBorrowed)
    let record = ThreadRecordPointer.current
    #expect(record.pointee.depth.load(ordering: .relaxed) == 0)
    #expect(record.pointee.pins.load(ordering: .relaxed) == 0)
    #expect(!record.hasCallState && record.pointee.build == 0 && record.pointee.chainStart == 0)
  }
}
