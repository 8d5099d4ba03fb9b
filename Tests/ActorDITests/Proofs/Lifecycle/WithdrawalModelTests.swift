import Testing

/// The withdrawal of a registry while another thread searches it at length: `withdrawRegistry` and `slowPathSnapshot`.
@Suite("Model of a withdrawn registry")
struct WithdrawalModelTests {
  typealias Ordering = WeakMemory.Ordering

  private static let (snapshot, lastSnapshot) = (0, 1)

  private static let keep = LitmusModel.Step.store(lastSnapshot, 1, .relaxed)

  private static func close(_ ordering: Ordering) -> LitmusModel.Step { .store(snapshot, 1, ordering) }

  /// Whether a search can find the snapshot closed, and no last snapshot in its place.
  private func canMissAll(_ withdrawal: LitmusModel.Step..., looking: Ordering = .acquiring) -> Bool {
    let search: [LitmusModel.Step] = [.load(Self.snapshot, looking), .load(Self.lastSnapshot, .relaxed)]
    return LitmusModel([withdrawal, search], reading: [[], [1, 0]]).canHappen
  }

  @Test func aSearchFindsTheLastSnapshotOfAClosedOne() {
    #expect(!canMissAll(Self.keep, Self.close(.releasing)))
  }

  @Test("Each weakening breaks the model")
  func misses() {
    #expect(canMissAll(Self.close(.releasing), Self.keep))
    #expect(canMissAll(Self.keep, Self.close(.relaxed)))
    #expect(canMissAll(Self.keep, Self.close(.releasing), looking: .relaxed))
  }
}
