import Testing

@Suite("Model of published lists of elements", .serialized)
struct ElementListModelTests {
  typealias Step = ElementListModel.Step

  private static let programs: [[[Step]]] = [
    [[.collect, .collect]],
    [[.collect, .await, .collect]],
    [[.collect, .resolve, .collect]],
    [[.collect], [.collect, .collect]],
    [[.collect, .collect], [.resolve, .collect]],
    [[.collect], [.collect, .await, .collect]],
  ]

  @Test("No request misses what its thread knows of", arguments: programs)
  func holds(_ program: [[Step]]) {
    let exploration = Exploration(of: ElementListModel(program))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.stateCount > 20)
  }

  private static let missed = "a request misses a registration that its thread knows of"
  private static let left = "a list from before the change stays published"
  private static let incomplete = "a list may not be complete when it is used"

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (ElementListModel.Weakening.sameVersion, [[.collect], [.resolve, .collect]] as [[Step]], missed),
      (.versionFirst, [[.collect, .await, .collect]], missed),
      (.changing, [[.collect, .resolve, .collect]], missed),
      (.listRelease, [[.collect], [.collect]], incomplete),
      (.listAcquire, [[.collect], [.collect]], incomplete),
      (.lookAgain, [[.collect]], left),
      (.endOrder, [[.collect]], left),
      (.clearOrder, [[.collect]], left),
    ])
  func misses(_ weakening: ElementListModel.Weakening, _ program: [[Step]], complaint: String) throws {
    let exploration = Exploration(of: ElementListModel(program, without: weakening))
    let found = try #require(exploration.complaint)
    #expect(found == complaint, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test("The registry's lock is sufficient", arguments: ElementListModel.Weakening.redundant, programs)
  func hasRedundantOrderings(_ weakening: ElementListModel.Weakening, _ program: [[Step]]) {
    #expect(Exploration(of: ElementListModel(program, without: weakening)).complaint == nil)
  }

  @Test func everyWeakeningIsTested() {
    // The number of distinct weakenings in the arguments above.
    #expect(ElementListModel.Weakening.allCases.count == 8 + ElementListModel.Weakening.redundant.count)
  }
}
