import ActorDITestSupport
import Testing

@testable import ActorDI

/// The number of builds in flight, one event at a time.
@Suite("Activity")
struct ActivityTests {
  @Test func aNewActivityIsIdleAndOpen() {
    let activity = Activity()
    #expect(activity.isIdle && !activity.isClosed)
  }

  @Test func anActivityIsIdleWhenEachBeginningHasEnded() {
    let activity = Activity()
    let results = (activity.begin(), activity.begin())
    #expect(results.0 && results.1 && !activity.isIdle)
    let ends = (activity.end(), activity.isIdle, activity.end(), activity.isIdle)
    #expect(ends == (false, false, false, true), "An open activity reports no last end")
  }

  @Test func aClosedActivityRefusesBeginnings() {
    let activity = Activity()
    let isCloser = activity.close()
    let begun = activity.begin()
    #expect(isCloser && !begun && activity.isClosed && activity.isIdle)
    let isCloserAgain = activity.close()
    #expect(!isCloserAgain && activity.isClosed && activity.isIdle, "A second close changes nothing")
  }

  @Test func anExtendedActivityIsClosedOnlyByItsExtensions() {
    let activity = Activity()
    let isExtended = (activity.isExtended, activity.extend(), activity.isExtended)
    #expect(isExtended == (false, true, true) && activity.isIdle && !activity.isClosed)
    let (isClosed, begun, isCloser) = (activity.closeUnlessExtended(), activity.begin(), activity.close())
    #expect(!isClosed && begun && isCloser && activity.isClosed && !activity.isIdle)
    let (isLast, isExtendedAgain) = (activity.end(), activity.extend())
    #expect(isLast && activity.isIdle && !isExtendedAgain, "A closed scope is not extended")
  }

  @Test func anActivityIsClosedOnce() {
    let activity = Activity()
    let begun = activity.begin()
    let isClosed = activity.closeUnlessExtended()
    #expect(begun && isClosed && activity.isClosed && !activity.isIdle, "A build in flight continues")
    let isClosedAgain = activity.closeUnlessExtended()
    let isCloser = activity.close()
    #expect(!isClosedAgain && !isCloser, "The activity is closed already")
    let isLast = activity.end()
    #expect(isLast && activity.isIdle)
  }

  @Test func aClosedActivityReportsItsLastEnd() {
    let activity = Activity()
    let begun = (activity.begin(), activity.begin())
    _ = activity.close()
    #expect(begun == (true, true) && !activity.isIdle)
    let ends = (activity.end(), activity.end())
    #expect(ends == (false, true) && activity.isIdle && activity.isClosed)
  }

  @Test func beginAnywaySucceedsAfterTheClose() {
    let activity = Activity()
    _ = activity.close()
    activity.beginDisposal()
    #expect(!activity.isIdle && activity.isClosed)
    let isLast = activity.end()
    #expect(isLast && activity.isIdle)
  }

  /// Compares all sequences of a fixed number of events with two plain variables, before and after threads have met at the word.
  @Test(arguments: [false, true])
  func everySequenceOfSixEventsMatchesTwoPlainVariables(isCrowded: Bool) {
    for sequence in 0..<4096 {
      let activity = Activity()
      if isCrowded {
        let begun = activity.beginInOwnCount()
        let isLast = activity.end()
        #expect(begun && !isLast)
      }
      var (count, isClosed) = (0, false)
      for step in 0..<6 {
        switch (sequence >> (2 * step)) & 3 {
        case 0:
          let begun = activity.begin()
          #expect(begun == !isClosed)
          if begun { count += 1 }
        case 1:
          activity.beginDisposal()
          count += 1
        case 2 where count > 0:
          let isLast = activity.end()
          count -= 1
          #expect(isLast == (isClosed && count == 0))
        default:
          _ = activity.close()
          isClosed = true
        }
        #expect(activity.isIdle == (count == 0) && activity.isClosed == isClosed)
      }
    }
  }

  @Test func aBuildMayBeginInTheWordAndEndInACount() {
    let activity = Activity()
    let begun = (activity.begin(), activity.beginInOwnCount())
    #expect(begun == (true, true))
    let ends = (activity.end(), activity.isIdle, activity.end(), activity.isIdle)
    #expect(ends == (false, false, false, true))
    _ = activity.close()
    let begunAfterClosing = (activity.begin(), activity.beginInOwnCount())
    #expect(begunAfterClosing == (false, false) && activity.isIdle)
  }

  @Test func aClosedActivityMakesNoCounts() {
    let activity = Activity()
    let begun = activity.begin()
    _ = activity.close()
    let isRefused = !activity.beginInOwnCount()
    let isLast = activity.end()
    #expect(begun && isRefused && isLast && activity.isIdle)
  }

  @Test func anActivityCountsEveryBeginningOfConcurrentThreads() async throws {
    let activity = Shared()
    let begun = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread {
            for _ in 0..<2000 where activity.value.begin() {
              begun.increment()
              _ = activity.value.end()
            }
          }
        }
      }
      group.addTask {
        await begun.wait(for: 100)
        _ = activity.value.close()
      }
      try await group.waitForAll()
    }
    #expect(activity.value.isIdle && activity.value.isClosed)
  }

  private final class Shared: Sendable { let value = Activity() }
}
