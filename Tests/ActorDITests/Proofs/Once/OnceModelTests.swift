import Testing

/// The threads of one exploration, with a description for the test report.
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

  static let alone = Self(
    testDescription: "an uncontended build, a thread, a factory that may throw", threads: [.alone(), .blocking],
    mayFail: true)
  static let threeAlone = Self(
    testDescription: "three that may build uncontended, a factory that may throw",
    threads: [.alone(), .alone(), .alone()], mayFail: true)
  static let aloneWithAttempt = Self(
    testDescription: "an uncontended build that takes the slow path, another one, a factory that may throw",
    threads: [.alone(.attempt), .alone()], mayFail: true)
  static let aloneAndTask = Self(
    testDescription: "an uncontended build, a task, cancelled, a factory that may throw",
    threads: [.alone(), .suspending(worker: 2), .worker(endsByItself: true), .canceller(of: 1)], mayFail: true)
  static let aloneAndReset = Self(
    testDescription: "an uncontended build, a reset, and one that waits for it",
    threads: [.alone(), .resetter, .aloneAfterReset(by: 1)], mayFail: true)
  static let aloneAmongThreads = Self(
    testDescription: "an uncontended build, a thread, a reset, and one that waits for it",
    threads: [.alone(), .blocking, .resetter, .aloneAfterReset(by: 2)])
  static let aloneAndRetired = Self(
    testDescription: "an uncontended build, a thread, an unregistering", threads: [.alone(), .blocking, .retirer],
    mayFail: true)

  static let weaklyAlone = Self(
    testDescription: "three that may build uncontended a weakly kept instance, its last user, a factory that may throw",
    threads: [.alone(), .alone(), .alone(), .user], mayFail: true)
  static let weakAmongThreads = Self(
    testDescription: "two that may build uncontended a weakly kept instance, a thread, its last user",
    threads: [.alone(), .alone(), .blocking, .user])
  static let weakAndReset = Self(
    testDescription: "two that may build a weakly kept instance uncontended, its last user, a reset, a thread after it",
    threads: [.alone(), .alone(), .user, .resetter, .aloneAfterReset(by: 3)])

  static let uncontended = [
    alone, threeAlone, aloneWithAttempt, aloneAndTask, aloneAndReset, aloneAmongThreads,
    aloneAndRetired, weaklyAlone, weakAmongThreads, weakAndReset,
  ]
  static let all =
    uncontended + [
      twoThreads, threeThreads, twoTasks, cancelled, cancelledForGood, closed, reset, resetAmongThreads,
      resetAmongTasks, retired, cancelledAndRetired,
    ]

  func explored(without weakening: OnceWeakening? = nil) -> Exploration<OnceModel> {
    Exploration(of: OnceModel(threads, mayFail: mayFail, without: weakening))
  }
}

@Suite("Model of building one instance", .serialized)
struct OnceModelTests {
  @Test("One build runs at a time, and every caller gets a complete instance", arguments: OnceScenario.all)
  func holds(_ scenario: OnceScenario) {
    let exploration = scenario.explored()
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.stateCount > 30)
  }

  @Test(
    "Each weakening breaks the model",
    arguments: [
      (OnceWeakening.publicationRelease, OnceScenario.twoThreads, "instance 1 may not be complete"),
      (.aloneRelease, .alone, "instance 1 may not be complete"),
      (.hitAcquire, .twoThreads, "instance 1 may not be complete"),
      (.hitAcquire, .alone, "instance 1 may not be complete"),
      (.lookAcquire, .alone, "instance 1 may not be complete"),
      (.cellRelease, .twoThreads, "the cell may not be complete"),
      (.cellAcquire, .twoThreads, "the cell may not be complete"),
      (.firstCell, .twoThreads, "a build begins beside another one"),
      (.lookUnderLock, .twoThreads, "a build begins though there is instance 1"),
      (.detaching, .reset, "instance 1 is from before the reset"),
      (.retiring, .retired, "the retired binding keeps instance"),
      (.retiringCell, .retired, "the retired binding keeps instance"),
      (.beginByExchange, .threeAlone, "a build begins beside another one"),
      (.releasedByExchange, .weaklyAlone, "a build begins beside another one"),
      (.claimingWeak, .weakAmongThreads, "a build begins beside another one"),
      (.keepingCharge, .aloneAmongThreads, "a build begins beside another one"),
      (.forgetLooks, .aloneAndReset, "instance 1 is from before the reset"),
      (.forgetByCell, .aloneAndReset, "a build begins beside another one"),
      (.takingTheMark, .alone, "can never continue"),
      (.takingOver, .alone, "a build begins beside another one"),
      (.claimByExchange, .alone, "a build begins beside another one"),
      (.endByExchange, .alone, "can never continue"),
      (.endByExchange, .aloneAndReset, "instance 1 is from before the reset"),
      (.endByCell, .alone, "can never continue"),
      (.abandonByExchange, .alone, "can never continue"),
      (.abandonByCell, .alone, "can never continue"),
      (.leavingOutcome, .twoThreads, "can never continue"),
      (.lookBeforeWaiting, .twoThreads, "can never continue"),
      (.retrying, .reset, "can never continue"),
      (.wakingTheCancelled, .cancelled, "can never continue"),
      (.rememberedSignal, .twoThreads, "can never continue"),
      (.rememberedCancellation, .closed, "can never continue"),
      (.lookBeforeRunning, .closed, "can never continue"),
    ])
  func misses(_ weakening: OnceWeakening, _ scenario: OnceScenario, complaint: String) throws {
    let exploration = scenario.explored(without: weakening)
    let found = try #require(exploration.complaint)
    #expect(found.contains(complaint), "\(exploration.story.joined(separator: "\n"))")
    #expect(exploration.story.last == found)
  }

  @Test(
    "Orderings that the word and the lock give, too, are redundant",
    arguments: OnceWeakening.redundant, [OnceScenario.alone, .aloneWithAttempt, .aloneAndReset])
  func hasRedundantOrderings(_ weakening: OnceWeakening, _ scenario: OnceScenario) {
    #expect(scenario.explored(without: weakening).complaint == nil)
  }

  @Test func everyWeakeningIsTested() {
    // The number of distinct weakenings in the arguments above.
    #expect(OnceWeakening.allCases.count == 31 + OnceWeakening.redundant.count)
  }
}
