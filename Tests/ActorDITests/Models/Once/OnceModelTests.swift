import Testing

/// Who comes to the cell, and how to say it.
struct OnceScenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let threads: [OnceModel.Thread]
  var mayFail = false

  static let twoThreads = Self(
    testDescription: "two threads, a factory that may throw", threads: [.blocking, .blocking], mayFail: true)
  static let threeThreads = Self(
    testDescription: "three threads, a factory that may throw", threads: [.blocking, .blocking, .blocking],
    mayFail: true)
  static let twoTasks = Self(
    testDescription: "two tasks",
    threads: [.suspending(worker: 1), .worker(endsByItself: true), .suspending(worker: 3), .worker(endsByItself: true)])
  static let cancelled = Self(
    testDescription: "two tasks, one of them cancelled",
    threads: [
      .suspending(worker: 1), .worker(endsByItself: true), .suspending(worker: 3), .worker(endsByItself: true),
      .canceller(of: 0),
    ])
  static let cancelledForGood = Self(
    testDescription: "a task, cancelled, and a build that ends only then",
    threads: [.suspending(worker: 1), .worker(endsByItself: false), .canceller(of: 0)])
  static let closed = Self(
    testDescription: "a build that ends only when it is cancelled, a shutdown",
    threads: [.suspending(worker: 1), .worker(endsByItself: false), .closer])
  static let reset = Self(
    testDescription: "a reset, and a thread that waits for it",
    threads: [.blocking, .resetter, .blockingAfterReset(by: 1)])
  static let resetAmongThreads = Self(
    testDescription: "two threads, a reset, and one that waits for it",
    threads: [.blocking, .blocking, .resetter, .blockingAfterReset(by: 2)])
  static let resetAmongTasks = Self(
    testDescription: "two tasks and a reset",
    threads: [
      .suspending(worker: 1), .worker(endsByItself: true), .resetter, .suspending(worker: 4),
      .worker(endsByItself: true),
    ])
  static let retired = Self(
    testDescription: "two threads, an unregistering", threads: [.blocking, .blocking, .retirer], mayFail: true)
  static let cancelledAndRetired = Self(
    testDescription: "a task, cancelled, and an unregistering",
    threads: [.suspending(worker: 1), .worker(endsByItself: true), .canceller(of: 0), .retirer])

  static let quiet = Self(
    testDescription: "a quiet build, a thread, a factory that may throw", threads: [.quiet, .blocking], mayFail: true)
  static let quietTwice = Self(
    testDescription: "two that may build quietly, a thread", threads: [.quiet, .quiet, .blocking])
  static let quietAndReset = Self(
    testDescription: "a quiet build, a reset, and a thread that waits for it",
    threads: [.quiet, .blocking, .resetter, .blockingAfterReset(by: 2)])
  static let quietAndRetired = Self(
    testDescription: "a quiet build, a thread, an unregistering", threads: [.quiet, .blocking, .retirer], mayFail: true)

  static let all = [
    quiet, quietTwice, quietAndReset, quietAndRetired,
    twoThreads, threeThreads, twoTasks, cancelled, cancelledForGood, closed, reset, resetAmongThreads,
    resetAmongTasks, retired, cancelledAndRetired,
  ]

  func explored(without weakening: OnceWeakening? = nil) -> Exploration<OnceModel> {
    Exploration(of: OnceModel(threads, mayFail: mayFail, without: weakening))
  }
}

@Suite("Model of the one instance", .serialized)
struct OnceModelTests {
  @Test("one build at a time, complete for all, nobody forgotten", arguments: OnceScenario.all)
  func holds(_ scenario: OnceScenario) {
    let exploration = scenario.explored()
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.stateCount > 30)
  }

  @Test(
    "what is taken away is missed",
    arguments: [
      (OnceWeakening.publicationRelease, OnceScenario.twoThreads, "instance 1 may not be complete"),
      (.hitAcquire, .twoThreads, "instance 1 may not be complete"),
      (.cellRelease, .twoThreads, "the cell may not be complete"),
      (.cellAcquire, .twoThreads, "the cell may not be complete"),
      (.firstCell, .twoThreads, "a build begins beside another one"),
      (.lookUnderLock, .twoThreads, "a build begins though there is instance 1"),
      (.detaching, .reset, "instance 1 is from before the reset"),
      (.retiring, .retired, "the retired binding keeps instance"),
      (.retiringCell, .retired, "the retired binding keeps instance"),
      (.quietEnd, .quiet, "will never go on"),
      (.leavingOutcome, .twoThreads, "will never go on"),
      (.lookBeforeWaiting, .twoThreads, "will never go on"),
      (.retrying, .reset, "will never go on"),
      (.wakingTheCancelled, .cancelled, "will never go on"),
      (.rememberedSignal, .twoThreads, "will never go on"),
      (.rememberedCancellation, .closed, "will never go on"),
      (.lookBeforeRunning, .closed, "will never go on"),
    ])
  func misses(_ weakening: OnceWeakening, _ scenario: OnceScenario, complaint: String) throws {
    let exploration = scenario.explored(without: weakening)
    let found = try #require(exploration.complaint)
    #expect(found.contains(complaint), "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.story.last == found)
  }

  @Test func everythingIsTakenAwayOnce() {
    // As many cases as there are arguments above.
    #expect(OnceWeakening.allCases.count == 17)
  }
}
