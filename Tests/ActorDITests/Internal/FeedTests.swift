import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

@Suite("Feed", .timeLimit(.minutes(5)))
struct FeedTests {
  /// The first subscriber was counted for all, after it had entered the list. Another one that came meanwhile missed its own events.
  @Test func eachSubscriberIsCountedBeforeItsCallReturns() async throws {
    let isFirst = Mutex(true)
    let count = Mutex(0)
    let (entered, released) = (Gate(), Gate())
    let feed = Feed<Int> { isNew in
      let isHeldUp = isFirst.withLock { exchange(&$0, with: false) }
      if isHeldUp {
        entered.open()
        released.block()
      }
      count.withLock { $0 += isNew ? 1 : -1 }
    }
    async let first = onThread { feed.subscribe() }
    try await entered.passed()
    let second = feed.subscribe()
    #expect(count.withLock { $0 } == 1)
    released.open()
    let streams = [try await first, second]
    #expect(count.withLock { $0 } == 2)
    feed.notify(7)
    feed.end()
    for subscription in streams { #expect(await subscription.stream.reduce(into: []) { $0.append($1) } == [7]) }
    #expect(count.withLock { $0 } == 0)
  }

  @Test func aSubscriberThatLeavesIsCountedOut() {
    let count = Mutex(0)
    let feed = Feed<Int> { isNew in count.withLock { $0 += isNew ? 1 : -1 } }
    var streams = [feed.subscribe(), feed.subscribe()]
    #expect(count.withLock { $0 } == 2 && feed.hasSubscribers)
    streams.removeLast()
    #expect(count.withLock { $0 } == 1 && feed.hasSubscribers)
    streams.removeLast()
    #expect(count.withLock { $0 } == 0 && !feed.hasSubscribers)
  }

  // A regression: a feed that ended before it had counted a listed subscriber counted it out first.
  @Test func aSubscriberIsCountedBeforeItIsListed() {
    let (feed, isListed) = (Shelf<Feed<Int>?>(nil), Journal<Bool>())
    feed.value = Feed<Int> { isNew in if isNew { isListed.note(feed.value?.hasSubscribers ?? true) } }
    let stream = feed.value?.subscribe()
    #expect(isListed.entries == [false] && feed.value?.hasSubscribers == true)
    feed.value = nil
    withExtendedLifetime(stream) {}
  }

  // A regression: the end of a feed, which delivers the pending elements, did not know their observers.
  @Test func theEndOfAFeedDeliversToObserversToo() async {
    let (feed, seen) = (Feed<Int>(), Journal<String>())
    let stream = feed.subscribe().stream
    feed.note(1) { seen.note("observed \($0)") }
    feed.note(2)
    feed.end()
    feed.note(3) { seen.note("observed \($0)") }
    feed.deliver()
    for await element in stream { seen.note("taken \(element)") }
    #expect(seen.entries == ["observed 1", "taken 1", "taken 2"])
  }

  @Test func oneStreamEndsAfterItsElements() async {
    let feed = Feed<Int>()
    let (first, second) = (feed.subscribe(), feed.subscribe())
    feed.note(1)
    feed.end(first)
    feed.notify(2)
    feed.end(first)
    feed.end()
    #expect(await first.stream.reduce(into: []) { $0.append($1) } == [1])
    #expect(await second.stream.reduce(into: []) { $0.append($1) } == [1, 2])
  }
}
