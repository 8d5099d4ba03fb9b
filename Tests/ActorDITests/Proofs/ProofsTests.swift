import ActorDITestSupport
import Testing

/// Checks what the article "Proofs" shows of the checker.
struct ProofsTests {
  @Test func theShortestCounterexample() {
    let exploration = ReclamationScenario.hits.explored(without: .processBarrier)
    // output: freed in use
    let shown = """
      reader 1: takes record 0
      reader 1: pins
      reader 1: loads the snapshot: object 1
      reader 1: uses object 1
      reader 1: unpins
      writer 2: publishes a snapshot with object 3
      writer 2: retires object 1
      writer 2: needs to collect
      writer 2: collects
      writer 2: finds record 0 unpinned
      writer 2: finds 0 slots of record 0 in use
      writer 2: frees object 1
      object 1 is freed though its last use did not happen before
      """
    // end
    #expect(exploration.story.joined(separator: "\n") == shown)
  }

  /// Each switch that the article names exists, and each that exists is named.
  @Test func everySwitchIsNamed() throws {
    let article = try Repository.article("Proofs")
    let switches =
      ReclamationWeakening.allCases.map(\.rawValue) + SearchWeakening.allCases.map(\.rawValue)
      + OnceWeakening.allCases.map(\.rawValue) + ActivityModel.Weakening.allCases.map(\.rawValue)
      + EndModel.Weakening.allCases.map(\.rawValue) + ScopeEndModel.Weakening.allCases.map(\.rawValue)
      + ElementListModel.Weakening.allCases.map(\.rawValue)
    for name in switches {
      #expect(article.contains("`\(name)`"), "\(name) is not in the article")
    }
  }
}
