internal import Synchronization

/// Delivers elements to subscribers in the order in which they were noted, with no lock held.
///
/// Noting and delivering are two steps. The caller notes an element under the lock that orders the reported changes, and
/// delivers it after releasing that lock. One thread at a time delivers. That thread also delivers the elements that
/// other threads note meanwhile, and those that subscribers cause while they handle an element.
final class Feed<Element: Sendable>: Sendable {
  typealias Continuation = AsyncStream<Element>.Continuation

  private struct Subscriber: Sendable {
    let number: UInt
    let continuation: Continuation
  }

  /// A stream of the feed's elements.
  struct Subscription: Sendable {
    let stream: AsyncStream<Element>
    /// The number of the subscriber; nil if the feed had ended.
    fileprivate let number: UInt?
  }

  /// An element that is to be delivered to the observer and the subscribers that there were when it was noted, or the end of their streams.
  private struct Note: Sendable {
    /// Nil for the end of the streams.
    let element: Element?
    let observe: (@Sendable (Element) -> Void)?
    let subscribers: [Subscriber]
  }

  private struct State: ~Copyable {
    var subscribers: [Subscriber] = []
    var lastNumber: UInt = 0
    var notes: [Note] = []
    var isDelivering = false
    /// Whether the feed has ended: further elements are ignored.
    var hasEnded = false
  }

  private let state = Lock(State())
  private let subscriberCount = Atomic<Int>(0)
  /// Called with true for each new subscriber before ``subscribe(_:)`` returns, and with false for each one that has left. Several
  /// threads may make these calls at once, with no lock held.
  private let countSubscriber: @Sendable (Bool) -> Void

  init(countSubscriber: @escaping @Sendable (Bool) -> Void = { _ in }) { self.countSubscriber = countSubscriber }

  deinit { end() }

  var hasSubscribers: Bool { subscriberCount.load(ordering: .acquiring) > 0 }

  // MARK: Subscribing

  /// Subscribes to all elements noted from now on.
  ///
  /// The stream ends with the feed; it does not keep the feed alive.
  ///
  /// - Parameter policy: How the stream buffers elements that are not consumed yet.
  func subscribe(_ policy: Continuation.BufferingPolicy = .unbounded) -> Subscription {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    // By each subscriber itself: if only the first one of a feed counted, others could miss events before it has done so. Before it is
    // listed: the end of the feed counts the listed ones as left.
    countSubscriber(true)
    let number = state.withLock { state -> UInt? in
      if state.hasEnded { return nil }
      state.lastNumber += 1
      state.subscribers.append(Subscriber(number: state.lastNumber, continuation: continuation))
      subscriberCount.store(state.subscribers.count, ordering: .releasing)
      return state.lastNumber
    }
    if let number {
      continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
    } else {
      countSubscriber(false)
      continuation.finish()
    }
    return Subscription(stream: stream, number: number)
  }

  private func unsubscribe(_ number: UInt) {
    // The continuation may hold the last references to the stream's elements: it is released after the lock.
    let continuation = state.withLock { state -> Continuation? in
      guard let index = state.subscribers.firstIndex(where: { $0.number == number }) else { return nil }
      let continuation = state.subscribers.remove(at: index).continuation
      subscriberCount.store(state.subscribers.count, ordering: .releasing)
      return continuation
    }
    if continuation != nil { countSubscriber(false) }
  }

  // MARK: Notifying

  /// Notes an element and delivers it, if there are subscribers. The caller holds no lock.
  func notify(_ element: Element) {
    guard hasSubscribers else { return }
    note(element)
    deliver()
  }

  /// Appends an element to the pending elements. The caller must call ``deliver()`` once it holds no lock.
  ///
  /// - Parameter observe: Receives the element before the subscribers do.
  func note(_ element: Element, observedBy observe: (@Sendable (Element) -> Void)? = nil) {
    state.withLock { state in
      if state.hasEnded { return }
      state.notes.append(Note(element: element, observe: observe, subscribers: state.subscribers))
    }
  }

  /// Delivers the noted elements, unless another call is delivering already.
  func deliver() {
    while let notes = nextBatch() {
      for note in notes {
        if let element = note.element {
          note.observe?(element)
          for subscriber in note.subscribers { subscriber.continuation.yield(element) }
        } else {
          for subscriber in note.subscribers { subscriber.continuation.finish() }
        }
      }
      state.withLock { $0.isDelivering = false }
    }
    endStreams()
  }

  /// Finishes all streams once the feed has ended and every element is delivered. The last delivering call does so.
  private func endStreams() {
    let subscribers = state.withLock { state -> [Subscriber] in
      guard state.hasEnded, !state.isDelivering, state.notes.isEmpty else { return [] }
      subscriberCount.store(0, ordering: .releasing)
      return exchange(&state.subscribers, with: [])
    }
    for subscriber in subscribers {
      countSubscriber(false)
      subscriber.continuation.finish()
    }
  }

  /// Ends one stream after the elements noted so far. The caller holds no lock.
  func end(_ subscription: Subscription) {
    state.withLock { state in
      // A stream that has ended by itself, or with the feed, has no subscriber.
      let subscribers = state.subscribers.filter { $0.number == subscription.number }
      if !subscribers.isEmpty { state.notes.append(Note(element: nil, observe: nil, subscribers: subscribers)) }
    }
    deliver()
  }

  /// Ends the feed: delivers the elements noted so far, then finishes the streams. Later elements are ignored.
  func end() {
    state.withLock { $0.hasEnded = true }
    deliver()
  }

  private func nextBatch() -> [Note]? {
    state.withLock { state in
      guard !state.isDelivering, !state.notes.isEmpty else { return nil }
      state.isDelivering = true
      return exchange(&state.notes, with: [])
    }
  }
}
