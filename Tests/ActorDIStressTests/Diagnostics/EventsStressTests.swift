import ActorDI
import Synchronization
import Testing

/// Streams of events while many threads build instances.
@Suite(.inTurn) struct EventsStressTests {
  private static let threads = 4
  private static let subscribers = 3

  @Test("A stream reports each creation once, dependencies first")
  func counts() async throws {
    let run = StressRun("streams of events", size: 400)
    try await withWatchdog("streams of events") {
      let factory = PartFactory()
      let container = factory.container(threads: Self.threads, subscribers: Self.subscribers)
      let whole = container.events(bufferingNewest: .max)
      await Self.load(factory, container, run)
      try await container.register(Mark.self) { _ in Mark() }
      #expect(await Self.creations(in: whole) == factory.count)
    }
  }

  @Test("Each subscriber gets the events of its own resolves, beside other subscribers")
  func subscriptions() async throws {
    let run = StressRun("subscriptions to events", size: 400)
    try await withWatchdog("subscriptions to events") {
      let factory = PartFactory()
      let container = factory.container(threads: Self.threads, subscribers: Self.subscribers)
      await Self.load(factory, container, run)
    }
  }

  @Test("Concurrent first resolves report one creation; other callers wait at most")
  func waits() async throws {
    let run = StressRun("events of first resolves", size: 150)
    try await withWatchdog("events of first resolves") {
      for _ in 0..<run.size {
        let open = Flag()
        let container = Container {
          Registration(Part.self, scope: .singleton) { _ in
            while !open.isRaised { Threads.yield() }
            return Part()
          }
        }
        let stream = container.events()
        await Threads.run(Self.threads) { index in
          if index == 0 { open.raise() }
          if (try? container.resolveNow(Part.self)) == nil { complain("the resolve returned no instance") }
        }
        try await container.register(Mark.self) { _ in Mark() }
        let (created, waited) = await Self.waits(in: stream)
        if created != 1 || waited >= Self.threads {
          complain("the stream reports \(created) creations and \(waited) waits")
        }
      }
    }
  }

  /// Counts the creations before the mark. Checks that each composite follows its part.
  private static func creations(in stream: AsyncStream<ContainerEvent>) async -> Int {
    var parts: [Int: Int] = [:]
    var count = 0
    for await event in stream {
      if event.service == Mark.self { break }
      guard case .created = event.kind, let key = event.key as? Int else { continue }
      count += 1
      if event.service == Part.self {
        parts[key, default: 0] += 1
      } else {
        parts[key, default: 0] -= 1
        if parts[key, default: 0] < 0 { complain("the stream reports a composite before its part") }
        if event.path.count != 1 { complain("the event has the path \(event.path)") }
      }
    }
    return count
  }

  /// Counts the creations and waits before the mark.
  private static func waits(in stream: AsyncStream<ContainerEvent>) async -> (created: Int, waited: Int) {
    var (created, waited) = (0, 0)
    for await event in stream {
      switch event.kind {
      case .created: created += 1
      case .waited: waited += 1
      case .registered, .building: break
      default: complain("unexpected event: \(event)")
      }
      if event.service == Mark.self { break }
    }
    return (created, waited)
  }

  /// Runs threads that resolve shared services and services of their children, and subscribers that resolve and read their events.
  private static func load(_ factory: PartFactory, _ container: Container, _ run: StressRun) async {
    let over = Flag()
    await withTaskGroup(of: Void.self) { group in
      for subscriber in 0..<subscribers {
        group.addTask {
          while !over.isRaised {
            await subscribe(to: container, key: threads + subscriber)
            // Events that are already buffered do not suspend, so the subscribers could occupy all threads of the task pool.
            await Task.yield()
          }
        }
      }
      group.addTask {
        await Threads.run(threads) { index in
          var random = run.random(index)
          for _ in 0..<run.size {
            do {
              switch Int.random(in: 0..<4, using: &random) {
              case 0: _ = try container.resolveNow(Composite.self, key: index)
              case 1: _ = try container.resolveNow(Part.self, key: 1_000)
              case 2: _ = try container.makeChild().resolveNow(Composite.self, key: index)
              default:
                let child = container.makeChild { factory.part(key: 2_000) }
                _ = try child.resolveNow(Part.self, key: 2_000)
              }
            } catch {
              complain("unexpected error: \(error)")
            }
          }
        }
        over.raise()
      }
    }
  }

  private static func subscribe(to container: Container, key: Int) async {
    let stream = container.events(bufferingNewest: .max)
    do {
      for _ in 0..<3 { _ = try container.resolveNow(Composite.self, key: key) }
    } catch {
      complain("unexpected error: \(error)")
    }
    var seen = 0
    for await event in stream where event.key as? Int == key {
      guard case .created = event.kind else { continue }
      seen += 1
      if seen == 6 { break }
    }
  }
}

private final class Part: Sendable {}
private struct Composite: Sendable { let part: Part }
private struct Mark: Sendable {}

/// Makes registrations, and counts the instances that their factories build.
private final class PartFactory: Sendable {
  private let made = Atomic<Int>(0)

  var count: Int { made.load(ordering: .acquiring) }

  func part(key: Int) -> Registration<Part> {
    Registration(Part.self) { _ in
      self.made.add(1, ordering: .relaxed)
      return Part()
    }.key(key)
  }

  func container(threads: Int, subscribers: Int) -> Container {
    Container {
      Registration(Part.self, scope: .singleton) { _ in
        self.made.add(1, ordering: .relaxed)
        return Part()
      }.key(1_000)
      for key in 0..<threads + subscribers {
        self.part(key: key)
        Registration(Composite.self) { r in
          self.made.add(1, ordering: .relaxed)
          return try Composite(part: r.resolve(Part.self, key: key))
        }.key(key)
      }
    }
  }
}
