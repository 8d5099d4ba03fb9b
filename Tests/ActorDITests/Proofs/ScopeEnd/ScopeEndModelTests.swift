import Testing

@Suite("Model of the end of a scope")
struct ScopeEndModelTests {
  typealias Asker = ScopeEndModel.Asker

  private static let scenarios: [[Asker]] = [
    [.parent], [.heldParent], [.search], [.parent, .parent], [.parent, .heldParent], [.search, .heldParent],
    [.search, .parent],
  ]

  @Test("No thread uses a freed parent, and the last thread frees it", arguments: scenarios)
  func holds(_ askers: [Asker]) {
    let exploration = Exploration(of: ScopeEndModel(askers))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (ScopeEndModel.Weakening.ending, [Asker.parent]), (.ending, [.search]), (.endBeforeLook, [.parent]),
      (.endFence, [.parent]), (.endFence, [.search]), (.holding, [.heldParent]),
      (.countAcquire, [.parent, .heldParent]), (.askFence, [.parent]), (.askFence, [.search]), (.askLook, [.parent]),
      (.askLook, [.search]),
    ])
  func misses(_ weakening: ScopeEndModel.Weakening, _ askers: [Asker]) throws {
    let exploration = Exploration(of: ScopeEndModel(askers, without: weakening))
    let found = try #require(exploration.complaint)
    #expect(found.contains("the parent is used after it was freed") || found.contains("did not happen before"))
  }

  @Test func withoutTheDropTheParentIsNeverFreed() {
    let exploration = Exploration(of: ScopeEndModel([.heldParent], without: .dropping))
    #expect(exploration.complaint == "the parent is never freed")
  }

  @Test(
    "Orderings that fences and counts give, too, are redundant", arguments: ScopeEndModel.Weakening.redundant, scenarios
  )
  func hasRedundantOrderings(_ weakening: ScopeEndModel.Weakening, _ askers: [Asker]) {
    #expect(Exploration(of: ScopeEndModel(askers, without: weakening)).complaint == nil)
  }

  @Test func everyWeakeningIsTested() {
    #expect(ScopeEndModel.Weakening.allCases.count == 8 + ScopeEndModel.Weakening.redundant.count)
  }
}
