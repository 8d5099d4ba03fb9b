import Testing

@Suite("Model of the end of a scope")
struct ScopeEndModelTests {
  typealias Asker = ScopeEndModel.Asker

  private static let scenarios: [[Asker]] = [
    [.parent], [.heldParent], [.search], [.parent, .parent], [.parent, .heldParent], [.search, .heldParent],
    [.search, .parent],
  ]

  @Test("No thread uses a freed parent, and the last thread frees it", arguments: scenarios, [true, false])
  func holds(_ askers: [Asker], isX86: Bool) {
    let exploration = Exploration(of: ScopeEndModel(askers, isX86: isX86))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (ScopeEndModel.Weakening.ending, [Asker.parent], true), (.ending, [.parent], false), (.ending, [.search], false),
      (.endBeforeLook, [.parent], true), (.endBeforeLook, [.parent], false), (.endFence, [.parent], false),
      (.endFence, [.search], false), (.endOrder, [.parent], true), (.holding, [.heldParent], true),
      (.holding, [.heldParent], false), (.countAcquire, [.parent, .heldParent], false), (.askFence, [.parent], false),
      (.askFence, [.search], false), (.askLook, [.parent], true), (.askLook, [.parent], false),
      (.closing, [.search], true), (.closedLook, [.search], true),
    ])
  func misses(_ weakening: ScopeEndModel.Weakening, _ askers: [Asker], isX86: Bool) throws {
    let exploration = Exploration(of: ScopeEndModel(askers, isX86: isX86, without: weakening))
    let found = try #require(exploration.complaint)
    #expect(found.contains("the parent is used after it was freed") || found.contains("did not happen before"))
  }

  @Test func withoutTheDropTheParentIsNeverFreed() {
    let exploration = Exploration(of: ScopeEndModel([.heldParent], isX86: true, without: .dropping))
    #expect(exploration.complaint == "the parent is never freed")
  }

  @Test(
    "Orderings that fences and counts give, too, are redundant", arguments: ScopeEndModel.Weakening.redundant, scenarios
  )
  func hasRedundantOrderings(_ weakening: ScopeEndModel.Weakening, _ askers: [Asker]) {
    for isX86 in [true, false] {
      #expect(Exploration(of: ScopeEndModel(askers, isX86: isX86, without: weakening)).complaint == nil)
    }
    #expect(Exploration(of: ScopeEndModel(askers, isX86: false, without: .endOrder)).complaint == nil)
  }

  @Test func everyWeakeningIsTested() {
    #expect(ScopeEndModel.Weakening.allCases.count == 11 + ScopeEndModel.Weakening.redundant.count)
  }
}
