import Testing

@Suite("Model of waiting for a container's end")
struct EndModelTests {
  @Test("everybody goes on, and not too early", arguments: 1...3)
  func holds(_ waiters: Int) {
    let exploration = Exploration(of: EndModel(waiters: waiters))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "what is taken away is missed",
    arguments: [
      (EndModel.Weakening.listingFirst, "will never go on"), (.saying, "will never go on"),
      (.lookAfterListing, "will never go on"), (.lookAfterTheEnd, "will never go on"),
      (.sayingOrder, "will never go on"), (.endOrder, "will never go on"), (.lookAcquires, "before the container"),
    ])
  func misses(_ weakening: EndModel.Weakening, complaint: String) throws {
    let exploration = Exploration(of: EndModel(waiters: 2, without: weakening))
    #expect(try #require(exploration.complaint).contains(complaint))
  }

  @Test func eachIsTested() { #expect(EndModel.Weakening.allCases.count == 7) }
}
