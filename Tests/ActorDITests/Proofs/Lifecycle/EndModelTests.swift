import Testing

@Suite("Model of waiting for a container's end")
struct EndModelTests {
  @Test("Every waiter continues, and only after the container's end", arguments: 1...3)
  func holds(_ waiters: Int) {
    let exploration = Exploration(of: EndModel(waiters: waiters))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (EndModel.Weakening.listingFirst, "can never continue"), (.saying, "can never continue"),
      (.lookAfterListing, "can never continue"), (.lookAfterTheEnd, "can never continue"),
      (.sayingOrder, "can never continue"), (.endOrder, "can never continue"), (.lookAcquires, "before the container"),
    ])
  func misses(_ weakening: EndModel.Weakening, complaint: String) throws {
    let exploration = Exploration(of: EndModel(waiters: 2, without: weakening))
    #expect(try #require(exploration.complaint).contains(complaint))
  }

  @Test func everyWeakeningIsTested() { #expect(EndModel.Weakening.allCases.count == 7) }
}
