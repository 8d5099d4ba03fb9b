internal import Synchronization

/// Hands elements to subscribers, in the order in which they were noted, with no lock held.
///
/// Noting and delivering are two steps: an element is noted under the lock that decides the order of what it tells of, and
/// delivered after that. One thread at a time delivers; what others note meanwhile, and what a subscriber causes by what it
/// does, is left to the one that is at it.
final class Feed<Element: Sendable>: Sendable {
  typealias Continuation = AsyncStream<Element>.Continuation

  private struct Subscriber: Sendable {
    let number: UInt
    let continuation: Continuation
  }

  private struct Note: Sendable {
    let element: Element
    /// The last subscriber that was there already.
    let lastSubscriber: UInt
  }

  private struct State: Sendable {
    var subscribers: [Subscriber] = []
    var lastNumber: UInt = 0
    var notes: [Note] = []
    var isDelivering = false
    /// Whether nothing is noted any more.
    var hasEnded = false
  }

  private let state = Lock(State())
  private let subscriberCount = Atomic<Int>(0)
  /// Is told when the first subscriber comes, and when the last one goes. Perhaps by two threads at once, in either order.
  private let isHeard: @Sendable (Bool) -> Void

  init(isHeard: @escaping @Sendable (Bool) -> Void = { _ in }) { self.isHeard = isHeard }

  deinit {
    let subscribers = state.withLock { $0.subscribers }
    if !subscribers.isEmpty { isHeard(false) }
    for subscriber in subscribers { subscriber.continuation.finish() }
  }

  /// Whether anybody listens.
  var hasSubscribers: Bool { subscriberCount.load(ordering: .acquiring) > 0 }

  // MARK: Subscribing

  /// A stream of all elements that are noted from now on. It ends with the feed, which it does not keep alive.
  ///
  /// - Parameter policy: which of them wait in the stream until they are taken.
  func subscribe(_ policy: Continuation.BufferingPolicy = .unbounded) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let (number, isFirst) = state.withLock { state -> (UInt, Bool) in
      if state.hasEnded { return (0, false) }
      state.lastNumber += 1
      state.subscribers.append(Subscriber(number: state.lastNumber, continuation: continuation))
      subscriberCount.store(state.subscribers.count, ordering: .releasing)
      return (state.lastNumber, state.subscribers.count == 1)
    }
    if number == 0 {
      continuation.finish()
      return stream
    }
    if isFirst { isHeard(true) }
    continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
    return stream
  }

  private func unsubscribe(_ number: UInt) {
    // The continuation may be the last reference to its stream's elements: it goes after the lock.
    let (_, wasLast) = state.withLock { state -> (Continuation?, Bool) in
      guard let index = state.subscribers.firstIndex(where: { $0.number == number }) else { return (nil, false) }
      let continuation = state.subscribers.remove(at: index).continuation
      subscriberCount.store(state.subscribers.count, ordering: .releasing)
      return (continuation, state.subscribers.isEmpty)
    }
    if wasLast { isHeard(false) }
  }

  // MARK: Telling

  /// Notes an element and delivers it, if anybody listens. With no lock held.
  func tell(_ element: Element) {
    guard hasSubscribers else { return }
    note(element)
    deliver()
  }

  /// Puts an element in its place in the order. The caller has to call ``deliver(_:)`` when it holds no lock any more.
  func note(_ element: Element) {
    state.withLock { state in
      if state.hasEnded { return }
      state.notes.append(Note(element: element, lastSubscriber: state.lastNumber))
    }
  }

  /// Delivers what was noted, unless another call is at it.
  ///
  /// - Parameter observe: gets each element before the subscribers do.
  func deliver(_ observe: (Element) -> Void = { _ in }) {
    while let (notes, subscribers) = nextBatch() {
      for note in notes {
        observe(note.element)
        for subscriber in subscribers where subscriber.number <= note.lastSubscriber {
          subscriber.continuation.yield(note.element)
        }
      }
      state.withLock { $0.isDelivering = false }
    }
    endStreams()
  }

  /// By whoever delivers last.
  private func endStreams() {
    let subscribers = state.withLock { state -> [Subscriber] in
      guard state.hasEnded, !state.isDelivering, state.notes.isEmpty else { return [] }
      defer { state.subscribers = [] }
      subscriberCount.store(0, ordering: .releasing)
      return state.subscribers
    }
    if subscribers.isEmpty { return }
    isHeard(false)
    for subscriber in subscribers { subscriber.continuation.finish() }
  }

  /// Ends the streams, after what was noted. Nothing is noted any more.
  func end() {
    state.withLock { $0.hasEnded = true }
    deliver()
  }

  private func nextBatch() -> ([Note], [Subscriber])? {
    state.withLock { state in
      guard !state.isDelivering, !state.notes.isEmpty else { return nil }
      state.isDelivering = true
      defer { state.notes = [] }
      return (state.notes, state.subscribers)
    }
  }
}
