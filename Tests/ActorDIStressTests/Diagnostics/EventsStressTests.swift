import ActorDI
import Synchronization
import Testing

/// Streams of events, while many threads make what is told of.
@Suite(.inTurn) struct EventsStressTests {
  private static let threads = 4
  private static let visitors = 3

  @Test("Each instance is told of once, after what was made for it, whoever comes and goes")
  func counts() async throws {
    let run = StressRun("streams of events", size: 400)
    try await withWatchdog("streams of events") {
      let workshop = Workshop()
      let container = workshop.container(threads: Self.threads, visitors: Self.visitors)
      let whole = container.events(bufferingNewest: .max)
      await Self.stir(workshop, container, run)
      try await container.register(Mark.self) { _ in Mark() }
      #expect(await Self.creations(in: whole) == workshop.count)
    }
  }

  @Test("A subscriber has all that happens while it is there, whether or not there are others")
  func visits() async throws {
    let run = StressRun("visits to events", size: 400)
    try await withWatchdog("visits to events") {
      let workshop = Workshop()
      let container = workshop.container(threads: Self.threads, visitors: Self.visitors)
      await Self.stir(workshop, container, run)
    }
  }

  @Test("A service that is built once is created once, and all others have it or have waited")
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
          if (try? container.resolveNow(Part.self)) == nil { complain("no instance") }
        }
        try await container.register(Mark.self) { _ in Mark() }
        let (created, waited) = await Self.waits(in: stream)
        if created != 1 || waited >= Self.threads { complain("\(created) created, \(waited) waited") }
      }
    }
  }

  /// How many instances were created before the mark, each composite after a part of its own.
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
        if parts[key, default: 0] < 0 { complain("a composite before its part") }
        if event.path.count != 1 { complain("path \(event.path)") }
      }
    }
    return count
  }

  /// What a stream tells before the mark.
  private static func waits(in stream: AsyncStream<ContainerEvent>) async -> (created: Int, waited: Int) {
    var (created, waited) = (0, 0)
    for await event in stream {
      switch event.kind {
      case .created: created += 1
      case .waited: waited += 1
      case .registered, .building: break
      default: complain("unexpected: \(event)")
      }
      if event.service == Mark.self { break }
    }
    return (created, waited)
  }

  /// Threads resolve what they share and what their children have; visitors subscribe, resolve, look for what they made, and go.
  private static func stir(_ workshop: Workshop, _ container: Container, _ run: StressRun) async {
    let over = Flag()
    await withTaskGroup(of: Void.self) { group in
      for visitor in 0..<visitors {
        group.addTask {
          while !over.isRaised {
            await visit(container, key: threads + visitor)
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
                let child = container.makeChild { workshop.part(key: 2_000) }
                _ = try child.resolveNow(Part.self, key: 2_000)
              }
            } catch {
              complain("unexpected: \(error)")
            }
          }
        }
        over.raise()
      }
    }
  }

  private static func visit(_ container: Container, key: Int) async {
    let stream = container.events(bufferingNewest: .max)
    do {
      for _ in 0..<3 { _ = try container.resolveNow(Composite.self, key: key) }
    } catch {
      complain("unexpected: \(error)")
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

/// Counts what its factories make.
private final class Workshop: Sendable {
  private let made = Atomic<Int>(0)

  var count: Int { made.load(ordering: .acquiring) }

  func part(key: Int) -> Registration<Part> {
    Registration(Part.self) { _ in
      self.made.add(1, ordering: .relaxed)
      return Part()
    }.key(key)
  }

  func container(threads: Int, visitors: Int) -> Container {
    Container {
      Registration(Part.self, scope: .singleton) { _ in
        self.made.add(1, ordering: .relaxed)
        return Part()
      }.key(1_000)
      for key in 0..<threads + visitors {
        self.part(key: key)
        Registration(Composite.self) { r in
          self.made.add(1, ordering: .relaxed)
          return try Composite(part: r.resolve(Part.self, key: key))
        }.key(key)
      }
    }
  }
}
