import Testing

/// The standard litmus tests of the memory-model literature, by their usual names.
@Suite("Weak memory")
struct WeakMemoryTests {
  private static let (x, y) = (0, 1)

  private func can(_ threads: [[LitmusModel.Step]], _ outcome: [[Int]]) -> Bool {
    LitmusModel(threads, reading: outcome).canHappen
  }

  /// Message passing: the flag is read, but not the value written before it.
  private func passesMessage(_ store: WeakMemory.Ordering, _ load: WeakMemory.Ordering) -> Bool {
    !can(
      [[.store(Self.x, 1, .relaxed), .store(Self.y, 1, store)], [.load(Self.y, load), .load(Self.x, .relaxed)]],
      [[], [1, 0]])
  }

  @Test func messagesPassByReleaseAndAcquireOnly() {
    #expect(passesMessage(.releasing, .acquiring))
    #expect(passesMessage(.sequentiallyConsistent, .sequentiallyConsistent))
    #expect(!passesMessage(.relaxed, .acquiring))
    #expect(!passesMessage(.releasing, .relaxed))
  }

  /// Store buffering: each thread misses the other's store.
  private func storeBuffering(
    _ store: WeakMemory.Ordering, _ load: WeakMemory.Ordering, between: [LitmusModel.Step] = [],
    inOneThread asymmetric: [LitmusModel.Step]? = nil
  ) -> Bool {
    can(
      [
        [.store(Self.x, 1, store)] + between + [.load(Self.y, load)],
        [.store(Self.y, 1, store)] + (asymmetric ?? between) + [.load(Self.x, load)],
      ], [[0], [0]])
  }

  @Test func storesAreBufferedUnlessSequentiallyConsistent() {
    #expect(storeBuffering(.releasing, .acquiring))
    #expect(!storeBuffering(.sequentiallyConsistent, .sequentiallyConsistent))
    #expect(storeBuffering(.sequentiallyConsistent, .acquiring), "C++ allows it, and some processors do it")
    #expect(storeBuffering(.releasing, .sequentiallyConsistent))
    #expect(!storeBuffering(.relaxed, .relaxed, between: [.fence]))
  }

  @Test func aProcessBarrierOrdersAllThreads() {
    #expect(storeBuffering(.relaxed, .relaxed, inOneThread: [.fence]))
    #expect(!storeBuffering(.relaxed, .relaxed, inOneThread: [.processBarrier]))
  }

  @Test func readersOfOneLocationAgreeOnItsOrder() {
    let writer: [LitmusModel.Step] = [.store(Self.x, 1, .relaxed), .store(Self.x, 2, .relaxed)]
    let reader: [LitmusModel.Step] = [.load(Self.x, .relaxed), .load(Self.x, .relaxed)]
    #expect(!can([writer, reader], [[], [2, 1]]), "A reader never reads an older value after a newer one")
    #expect(can([writer, reader], [[], [0, 1]]))
    #expect(can([writer, reader], [[], [0, 0]]))
  }

  /// Independent reads of independent writes: two readers see two stores in different orders.
  @Test(arguments: [(WeakMemory.Ordering.acquiring, true), (.sequentiallyConsistent, false)])
  func readersOfIndependentStoresAgreeIfSequentiallyConsistent(load: WeakMemory.Ordering, canDiffer: Bool) {
    let store: WeakMemory.Ordering = load == .acquiring ? .releasing : .sequentiallyConsistent
    let programs: [[LitmusModel.Step]] = [
      [.store(Self.x, 1, store)], [.store(Self.y, 1, store)],
      [.load(Self.x, load), .load(Self.y, load)], [.load(Self.y, load), .load(Self.x, load)],
    ]
    #expect(can(programs, [[], [], [1, 0], [1, 0]]) == canDiffer)
  }

  @Test func aReadModifyWriteReadsTheNewestValueAndContinuesAReleaseSequence() {
    let add: [LitmusModel.Step] = [.add(Self.x, .relaxed)]
    #expect(!can([add, add], [[0], [0]]))
    // A release sequence: the relaxed read-modify-write in between passes on the first store's view.
    let sequence: [[LitmusModel.Step]] = [
      [.store(Self.y, 1, .relaxed), .store(Self.x, 1, .releasing)], [.add(Self.x, .relaxed)],
      [.load(Self.x, .acquiring), .load(Self.y, .relaxed)],
    ]
    #expect(!can(sequence, [[], [1], [2, 0]]))
    #expect(can(sequence, [[], [0], [1, 0]]), "The read-modify-write came before the release")
  }

  @Test func loadsDoNotReadLaterStores() {
    // Load buffering, a known limitation of this memory model.
    let programs: [[LitmusModel.Step]] = [
      [.load(Self.x, .relaxed), .store(Self.y, 1, .relaxed)], [.load(Self.y, .relaxed), .store(Self.x, 1, .relaxed)],
    ]
    #expect(!can(programs, [[1], [1]]))
    #expect(can(programs, [[1], [0]]))
  }
}
