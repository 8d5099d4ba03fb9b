import Testing

/// The threads of one exploration, with a description for the test report.
struct SearchScenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let threads: [SearchModel.Thread]
  var isLinked = false
  var isFenced = false

  static let unregister = Self(
    testDescription: "two hits in the parent, an unregistering",
    threads: [.reader([.hit, .hit]), .writer(.unregister)])
  static let register = Self(
    testDescription: "a hit in the parent, another registration, a hit after it",
    threads: [.reader([.hit, .await(1), .hit]), .writer(.register)])
  static let borrowed = Self(
    testDescription: "an instance borrowed from the parent, an unregistering",
    threads: [.reader([.borrow]), .writer(.unregister)])
  static let built = Self(
    testDescription: "a build of the parent's, an unregistering", threads: [.reader([.build]), .writer(.unregister)])
  static let closed = Self(
    testDescription: "a hit in the parent, its closing, a borrowing after it",
    threads: [.reader([.hit, .await(1), .borrow]), .writer(.closeParent)])
  static let link = Self(
    testDescription: "a hit, a link, a hit after it",
    threads: [.reader([.hit, .await(1), .hit]), .writer(.link)])
  static let unlink = Self(
    testDescription: "a hit by a link, its cancellation, a hit after it",
    threads: [.reader([.hit, .await(1), .hit]), .writer(.unlink)], isLinked: true)
  static let borrowedByLink = Self(
    testDescription: "an instance borrowed by a link, its cancellation",
    threads: [.reader([.borrow]), .writer(.unlink)], isLinked: true)
  static let builtByLink = Self(
    testDescription: "a build by a link, its cancellation", threads: [.reader([.build]), .writer(.unlink)],
    isLinked: true)
  static let closedLinked = Self(
    testDescription: "a borrowing by a link, the closing of what is linked, a hit after it",
    threads: [.reader([.borrow, .await(1), .hit]), .writer(.closeLinked)], isLinked: true)
  static let closedAndUnlinked = Self(
    testDescription: "a borrowing by a link, the closing of what is linked and the link's cancellation",
    threads: [.reader([.borrow]), .writer(.closeLinked), .writer(.unlink)], isLinked: true)
  static let both = Self(
    testDescription: "two searches, an unregistering in the parent and a link's cancellation",
    threads: [.reader([.borrow, .hit]), .writer(.unregister), .writer(.unlink)], isLinked: true)
  static let twoReaders = Self(
    testDescription: "a borrowing and a build by a link, its cancellation",
    threads: [.reader([.borrow]), .reader([.build]), .writer(.unlink)], isLinked: true)

  static let small = [
    unregister, register, borrowed, built, closed, link, unlink, borrowedByLink, builtByLink, closedLinked,
  ]
  static let all = small + [closedAndUnlinked, both, twoReaders]

  var fenced: Self {
    Self(testDescription: testDescription + ", fenced", threads: threads, isLinked: isLinked, isFenced: true)
  }

  func explored(without weakening: SearchWeakening? = nil) -> Exploration<SearchModel> {
    Exploration(of: SearchModel(threads, isLinked: isLinked, isFenced: isFenced, without: weakening))
  }
}

@Suite("Model of a search along parents and links", .serialized)
struct SearchModelTests {
  @Test(
    "No search uses a freed object or finds a removed one",
    arguments: SearchScenario.all + SearchScenario.small.map(\.fenced))
  func holds(_ scenario: SearchScenario) {
    let exploration = scenario.explored()
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.stateCount > 20)
  }

  private static let freedInUse = "is freed though its last use did not happen before"

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (SearchWeakening.parentPin, SearchScenario.unregister, freedInUse),
      (.linksPin, .unlink, freedInUse),
      (.retiringLinks, .unlink, freedInUse),
      (.arrayHolds, .unlink, freedInUse),
      (.retiring, .unregister, freedInUse),
      (.linksSlot, .borrowedByLink, freedInUse),
      (.linksSlot, .builtByLink, freedInUse),
      (.bindingSlot, .built, freedInUse),
      (.slotsBeforeUnpin, .borrowed, freedInUse),
      (.slotsBeforeUnpin, .builtByLink, freedInUse),
      (.scan, .borrowed, freedInUse),
      (.scan, .borrowedByLink, freedInUse),
      (.publicationFirst, .unregister, freedInUse),
      (.publicationFirst, .unlink, freedInUse),
      (.barrier, .unregister, freedInUse),
      (.barrier, .unlink, freedInUse),
      (.snapshotRelease, .register, "may not be complete"),
      (.snapshotAcquire, .register, "may not be complete"),
      (.linkRelease, .link, "may not be complete"),
      (.linkAcquire, .link, "may not be complete"),
      (.nothingCopied, .register, "is found after the change that removed it has returned"),
      (.nothingCopied, .unregister, freedInUse),
    ])
  func misses(_ weakening: SearchWeakening, _ scenario: SearchScenario, complaint: String) throws {
    let exploration = scenario.explored(without: weakening)
    let found = try #require(exploration.complaint)
    #expect(found.contains(complaint), "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "Release and acquire are sufficient", arguments: SearchWeakening.redundant,
    SearchScenario.small + SearchScenario.small.map(\.fenced))
  func hasRedundantOrderings(_ weakening: SearchWeakening, _ scenario: SearchScenario) {
    #expect(scenario.explored(without: weakening).complaint == nil)
  }

  @Test func everyWeakeningIsTested() {
    // The number of distinct weakenings in the arguments above.
    #expect(SearchWeakening.allCases.count == 16 + SearchWeakening.redundant.count)
  }
}
