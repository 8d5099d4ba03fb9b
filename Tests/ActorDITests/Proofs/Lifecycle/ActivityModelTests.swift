import Testing

@Suite("Model of a container's end")
struct ActivityModelTests {
  private static let scenarios: [[ActivityModel.Thread]] = [
    [.builder, .closer], [.builder, .builder, .closer], [.transient, .closer], [.builder, .claimer(of: 0), .closer],
    [.builder, .transient, .claimer(of: 0), .closer],
  ]

  private static let crowdedScenarios: [[ActivityModel.Thread]] = [
    [.crowdedBuilder, .closer], [.builder, .crowdedBuilder, .closer], [.crowdedBuilder, .crowdedBuilder, .closer],
    [.crowdedBuilder, .claimer(of: 0), .closer],
  ]

  @Test(
    "A shutdown disposes of each instance once, after all builds have ended", arguments: scenarios + crowdedScenarios)
  func holds(_ threads: [ActivityModel.Thread]) {
    let exploration = Exploration(of: ActivityModel(threads))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (ActivityModel.Weakening.beginningByExchange, [ActivityModel.Thread.builder, .closer], "a build is in flight"),
      (.lookAfterMaking, [.crowdedBuilder, .closer], "a build is in flight"),
      (.beginningInCountByExchange, [.crowdedBuilder, .closer], "a build is in flight"),
      (.closingCounts, [.crowdedBuilder, .closer], "a build is in flight"),
      (.makingOrder, [.crowdedBuilder, .closer], "a build is in flight"),
      (.lookAtAllCounts, [.builder, .crowdedBuilder, .closer], "shutdown can never continue"),
      (.endOrder, [.builder, .crowdedBuilder, .closer], "shutdown can never continue"),
      (.closeOrder, [.crowdedBuilder, .closer], "a build is in flight"),
      (.listingFirst, [.builder, .closer], "shutdown can never continue"),
      (.lookAfterListing, [.builder, .closer], "shutdown can never continue"),
      (.opening, [.builder, .closer], "shutdown can never continue"),
      (.lookAtTheEnd, [.builder, .closer], "hands out an instance"),
      (.tooLate, [.transient, .closer], "instance 1 is never disposed of"),
      (.taking, [.builder, .claimer(of: 0), .closer], "instance 1 is disposed of twice"),
      (.countingClaims, [.builder, .claimer(of: 0), .closer], "shutdown returns before instance 1"),
      (.lookWhenTaking, [.builder, .claimer(of: 0), .closer], "shutdown returns before instance 1"),
    ])
  func misses(_ weakening: ActivityModel.Weakening, _ threads: [ActivityModel.Thread], complaint: String) throws {
    let exploration = Exploration(of: ActivityModel(threads, without: weakening))
    #expect(try #require(exploration.complaint).contains(complaint))
  }

  @Test(
    "Orderings that the lock gives, too, are redundant as long as there is one count",
    arguments: [ActivityModel.Weakening.endRelease, .idleAcquire, .closeOrder], scenarios.dropLast())
  func hasRedundantOrderings(_ weakening: ActivityModel.Weakening, _ threads: [ActivityModel.Thread]) {
    #expect(Exploration(of: ActivityModel(threads, without: weakening)).complaint == nil)
  }
}
