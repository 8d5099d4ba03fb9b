import Testing

/// The threads of one exploration, with a description for the test report.
struct ReclamationScenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let threads: [ReclamationModel.Thread]
  var records = 1
  var haveRecords = false
  var isFenced = false

  static let hits = Self(
    testDescription: "two hits, a replacement",
    threads: [.reader([.hit(.snapshot), .hit(.snapshot)]), .writer([.replace])])
  static let reset = Self(
    testDescription: "two hits, a reset",
    threads: [.reader([.hit(.instance), .hit(.instance)]), .writer([.reset])])
  static let borrowingOnce = Self(
    testDescription: "a borrowed instance, a reset",
    threads: [.reader([.borrow(.instance), .hit(.snapshot)]), .writer([.reset])])
  static let borrowingTwice = Self(
    testDescription: "one slot used twice, a replacement",
    threads: [.reader([.borrow(.snapshot), .borrow(.snapshot)]), .writer([.replace])])
  static let twoChanges = Self(
    testDescription: "two hits, two replacements in turn",
    threads: [.reader([.hit(.snapshot), .hit(.snapshot)]), .writer([.replace, .replace])])
  static let twoWriters = Self(
    testDescription: "a hit, two writers",
    threads: [.reader([.hit(.snapshot)]), .writer([.replace]), .writer([.replace])])
  static let mixedWriters = Self(
    testDescription: "a borrowed instance, a replacement and a reset by two writers",
    threads: [.reader([.borrow(.instance)]), .writer([.replace]), .writer([.reset])])
  /// The second thread reuses the first thread's record if the first thread has exited by then.
  static let twoReaders = Self(
    testDescription: "two threads that come and go, a replacement",
    threads: [.reader([.hit(.snapshot)]), .reader([.hit(.snapshot)]), .writer([.replace])], records: 2)
  static let oldReaders = Self(
    testDescription: "two threads, a replacement",
    threads: [.reader([.hit(.snapshot)]), .reader([.borrow(.snapshot)]), .writer([.replace])], records: 2,
    haveRecords: true)
  static let twoReadersTwoChanges = Self(
    testDescription: "two threads, two replacements in turn",
    threads: [.reader([.hit(.snapshot)]), .reader([.hit(.snapshot)]), .writer([.replace, .replace])], records: 2,
    haveRecords: true)

  static let later = Self(
    testDescription: "a hit, two replacements in turn, which may leave it to a task to collect",
    threads: [.reader([.hit(.snapshot)]), .writer([.replace, .replace]), .task], haveRecords: true)
  static let laterByTwo = Self(
    testDescription: "a replacement and a reset by two writers, which may leave it to a task to collect",
    threads: [.reader([.borrow(.instance)]), .writer([.replace]), .writer([.reset]), .task], haveRecords: true)

  static let all = [
    later, laterByTwo, hits, reset, borrowingOnce, borrowingTwice, twoChanges, twoWriters, mixedWriters, twoReaders,
    oldReaders,
  ]
  static let small = [hits, reset, borrowingOnce, borrowingTwice, twoChanges]

  var fenced: Self {
    Self(
      testDescription: testDescription + ", fenced", threads: threads, records: records, haveRecords: haveRecords,
      isFenced: true)
  }

  func explored(without weakening: ReclamationWeakening? = nil) -> Exploration<ReclamationModel> {
    Exploration(
      of: ReclamationModel(
        threads, records: records, haveRecords: haveRecords, isFenced: isFenced, without: weakening))
  }
}

@Suite("Model of reclamation", .serialized)
struct ReclamationModelTests {
  @Test("No thread uses a freed object, and the threads free every retired object", arguments: ReclamationScenario.all)
  func holds(_ scenario: ReclamationScenario) {
    let exploration = scenario.explored()
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.stateCount > 100)
  }

  @Test(
    "Reclamation is correct without a process-wide barrier",
    arguments: (ReclamationScenario.small + [.twoWriters, .oldReaders]).map(\.fenced))
  func holdsFenced(_ scenario: ReclamationScenario) {
    let exploration = scenario.explored()
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  private static let freedInUse = "though its last use did not happen before"
  private static let left = "no thread is left to free"
  private static let incomplete = "may not be complete"

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (ReclamationWeakening.processBarrier, ReclamationScenario.hits, freedInUse),
      (.processBarrier, .reset.fenced, freedInUse),
      (.pinFence, .hits, freedInUse),
      (.pinFence, .hits.fenced, freedInUse),
      (.fencedPin, .hits.fenced, freedInUse),
      (.fencedPinIsFence, .reset.fenced, freedInUse),
      (.snapshotRelease, .hits, incomplete),
      (.snapshotAcquire, .hits, incomplete),
      (.listing, .hits, "has been freed"),
      (.ownRecord, .twoReaders, freedInUse),
      (.ownGracePeriod, .twoReadersTwoChanges, freedInUse),
      (.unpinRelease, .hits, freedInUse),
      (.unpinAcquire, .hits, freedInUse),
      (.useBeforeUnpin, .hits, freedInUse),
      (.slotBeforeUnpin, .borrowingOnce, freedInUse),
      (.useBeforePop, .borrowingOnce, freedInUse),
      (.popRelease, .borrowingOnce, freedInUse),
      (.popAcquire, .borrowingOnce, freedInUse),
      (.slotRelease, .borrowingTwice, freedInUse),
      (.slotAcquire, .borrowingTwice, freedInUse),
      (.scan, .borrowingOnce, freedInUse),
      (.request, .hits, left),
      (.awaitBarrier, .hits, left),
      (.lookAgain, .hits, left),
      (.unpinFence, .hits, left),
      (.call, .hits, left),
      (.requestForSlots, .borrowingOnce, left),
      (.popRequest, .borrowingOnce, left),
      (.slotBarrier, .borrowingOnce, left),
      (.taskEndFirst, .later, left),
    ])
  func misses(_ weakening: ReclamationWeakening, _ scenario: ReclamationScenario, complaint: String) throws {
    let exploration = scenario.explored(without: weakening)
    let found = try #require(exploration.complaint)
    #expect(found.contains(complaint), "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.story.count > 3 && exploration.story.last == found)
  }

  /// Reader and reclaimer both execute a read-modify-write on `flags`, the reader after every pin, since there is no
  /// process-wide barrier.
  @Test(
    "Without a process-wide barrier, some orderings are redundant",
    arguments: [ReclamationWeakening.fencedUnpin, .awaitBarrier, .slotBarrier, .unpinFence],
    [ReclamationScenario.hits.fenced, .borrowingOnce.fenced])
  func hasRedundantOrderings(_ weakening: ReclamationWeakening, _ scenario: ReclamationScenario) {
    #expect(scenario.explored(without: weakening).complaint == nil)
  }

  /// Here the snapshot's store only releases, or its load only acquires.
  @Test(
    "The reclaimer needs only release and acquire for snapshots",
    arguments: [ReclamationWeakening.publicationInOrder, .snapshotLoadInOrder],
    [ReclamationScenario.hits, .hits.fenced, .reset.fenced, .borrowingTwice])
  func needsNoOrderOfSnapshots(_ weakening: ReclamationWeakening, _ scenario: ReclamationScenario) {
    #expect(scenario.explored(without: weakening).complaint == nil)
  }

  /// A scan that finds an old address in a slot asks its thread to call.
  @Test(
    "The push of a slot need not release the depth",
    arguments: [
      ReclamationScenario.borrowingOnce, .borrowingTwice, .mixedWriters, .borrowingOnce.fenced, .borrowingTwice.fenced,
    ])
  func needsNoReleaseOfDepth(_ scenario: ReclamationScenario) {
    #expect(scenario.explored(without: .pushRelease).complaint == nil)
  }

  @Test func theStoryListsTheStepsOfEachThread() {
    let exploration = ReclamationScenario.hits.explored(without: .processBarrier)
    #expect(exploration.story.first == "reader 1: takes record 0")
    #expect(exploration.story.contains("reader 1: loads the snapshot: object 1"))
    #expect(exploration.story.contains("writer 2: retires object 1"))
  }
}
