import Testing

@testable import ActorDI

/// Services that are replaced continually under readers of all kinds.
@Suite(.inTurn) struct ReregistrationStressTests {
  @Test("Readers of replaced services get live, current instances; memory stays flat")
  func churn() async throws {
    let run = StressRun("re-registrations", size: 10_000)
    let census = Census()
    let backlog = Counter()
    try await withWatchdog("re-registrations under readers") {
      let container = Container { registration(0, census) }
      let history = History()
      var readers = Readers()
      readers.threads(2) {
        var timeline = Timeline(history)
        return { timeline.check { try container.resolve(Probe.self) } }
      }
      readers.threads(1) {
        var timeline = Timeline(history)
        let provider = container.provider(for: Probe.self)
        return { timeline.check { try provider() } }
      }
      readers.tasks(2) {
        var timeline = Timeline(history)
        return { await timeline.check { try await container.resolve(Probe.self) } }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          history.begin(generation)
          try await container.register(registration(generation, census))
          history.end(generation)
          if generation.isMultiple(of: 16) { backlog.raise(to: Reclaimer.shared.backlog) }
          if generation.isMultiple(of: 64) { await pace() }
          if generation.isMultiple(of: 512) { await census.settle() }
        }
      }
      let latest = try container.resolveNow(Probe.self).generation
      #expect(latest == run.size)
      // No further write follows. Instances that readers held back must be released nevertheless.
      await census.wait(until: 1)
      #expect(container.registrationCount == 1)
    }
    try await expectAllReleased(census)
    #expect(census.made > 2, "No reader resolved a replacement")
    #expect(census.most < 2000, "Released instances accumulate")
    #expect(backlog.value < 20_000, "Retired objects accumulate")
  }

  @Test("Readers of replaced asynchronous, keyed, shared and transient services get current instances")
  func otherKinds() async throws {
    let run = StressRun("re-registrations of other kinds", size: 1500)
    let census = Census()
    try await withWatchdog("re-registrations of other kinds") {
      let container = Container { batch(0, census) }
      let history = History()
      var readers = Readers()
      for key in Kind.allCases {
        readers.tasks(1) {
          var timeline = Timeline(history)
          return { await timeline.check { try await container.resolve(Probe.self, key: key) } }
        }
      }
      readers.threads(1) {
        var timeline = Timeline(history)
        return { timeline.check { try container.resolve(Probe.self, key: Kind.shared) } }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          history.begin(generation)
          try await container.register { batch(generation, census) }
          history.end(generation)
          if generation.isMultiple(of: 8) { await pace() }
          if generation.isMultiple(of: 512) { await census.settle() }
        }
      }
      for key in Kind.allCases {
        let latest = try await container.resolve(Probe.self, key: key).generation
        #expect(latest == run.size)
      }
    }
    try await expectAllReleased(census)
    #expect(census.most < 4000, "Released instances accumulate")
  }

  @Test("Readers of reset services get current instances; old ones are freed")
  func reset() async throws {
    let run = StressRun("resets", size: 3000)
    let census = Census()
    try await withWatchdog("resets under readers") {
      let history = History()
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in
          let probe = Probe(census, generation: history.begun)
          Threads.yield()
          return probe
        }
        Registration(Probe.self, scope: .singleton) { _ in
          let probe = Probe(census, generation: history.begun)
          await Task.yield()
          return probe
        }.key("suspending")
      }
      var readers = Readers()
      readers.threads(2) {
        var timeline = Timeline(history)
        return { timeline.check { try container.resolve(Probe.self) } }
      }
      readers.tasks(2) {
        var timeline = Timeline(history)
        return {
          await timeline.check { try await container.resolve(Probe.self, key: "suspending") }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          history.begin(generation)
          await container.reset()
          history.end(generation)
          if generation.isMultiple(of: 8) { await pace() }
          if generation.isMultiple(of: 512) { await census.settle() }
        }
      }
      await census.wait(until: 2)
    }
    try await expectAllReleased(census)
    #expect(census.made > 2)
    #expect(census.most < 2000, "Released instances accumulate")
  }

  private func registration(_ generation: Int, _ census: Census) -> Registration<Probe> {
    Registration(scope: .singleton) { _ in Probe(census, generation: generation) }
  }

  private enum Kind: Hashable, CaseIterable { case suspending, keyed, shared, transient }

  @RegistrationBuilder
  private func batch(_ generation: Int, _ census: Census) -> Registrations {
    Registration(Probe.self, scope: .singleton) { _ in
      await Task.yield()
      return Probe(census, generation: generation)
    }
    .key(Kind.suspending)
    registration(generation, census).key(Kind.keyed)
    registration(generation, census).key(Kind.shared).scope(.shared)
    registration(generation, census).key(Kind.transient).scope(.transient)
  }
}

/// The generation that the writer publishes, and the last published one.
private final class History: Sendable {
  private let beginning = Counter()
  private let ending = Counter()

  var begun: Int { beginning.value }
  var ended: Int { ending.value }

  func begin(_ generation: Int) { beginning.raise(to: generation) }
  func end(_ generation: Int) { ending.raise(to: generation) }
}

/// One reader's view. It never returns to an older generation, nor gets one that was replaced before the read, nor a freed
/// instance.
private struct Timeline {
  private let history: History
  private var last = 0

  init(_ history: History) { self.history = history }

  mutating func check(_ resolve: () throws -> Probe) {
    let floor = history.ended
    do {
      check(try resolve(), floor)
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  mutating func check(_ resolve: () async throws -> Probe) async {
    let floor = history.ended
    do {
      check(try await resolve(), floor)
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private mutating func check(_ probe: Probe, _ floor: Int) {
    let generation = probe.generation
    if !probe.isAlive { complain("the resolve returned a freed instance of generation \(generation)") }
    if generation < last { complain("generation \(generation) after \(last)") }
    if generation < floor { complain("generation \(generation) although \(floor) is registered") }
    if generation > history.begun { complain("generation \(generation) does not exist yet") }
    last = max(last, generation)
  }
}
