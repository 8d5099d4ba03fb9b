import ActorDI
import Synchronization
import Testing

/// Validity periods, tuples of arguments and times to live, under concurrent resolves.
@Suite(.inTurn) struct KeepingStressTests {
  @Test("What is built from a period's instance does not outlive it either, whatever was built while the period ended")
  func dependents() async throws {
    let run = StressRun("managed scopes that depend on each other", size: 1500)
    try await withWatchdog("managed scopes that depend on each other") {
      let session = ManagedScope("session")
      let period = Period()
      let container = Container {
        // In the order in which they are first used: whoever depends comes before what it depends on.
        Registration(String.self, scope: .managed(by: session)) { r in
          try r.resolve(String.self, key: 1)
        }
        for level in 1...3 {
          Registration(String.self, scope: .managed(by: session)) { r in
            try r.resolve(String.self, key: level + 1)
          }.key(level)
        }
        Registration(String.self, scope: .managed(by: session)) { _ in
          String(period.begun.load(ordering: .sequentiallyConsistent))
        }.key(4)
      }
      var readers = Readers()
      readers.threads(2) { { _ = try? container.resolve(String.self) } }
      readers.tasks(2) { { _ = try? await container.resolve(String.self, key: 2) } }
      try await readers.run { pace in
        for number in 1...run.size {
          period.begun.store(number, ordering: .sequentiallyConsistent)
          await session.invalidate()
          for key in [nil, 1, 2, 3, 4] as [Int?] {
            let made =
              if let key {
                try await container.resolve(String.self, key: key)
              } else {
                try await container.resolve(String.self)
              }
            if made != String(number) {
              complain("\(key.map(String.init) ?? "the first") is of period \(made), in \(number)")
            }
          }
          if number.isMultiple(of: 8) { await pace() }
        }
      }
    }
  }

  @Test("A period's instance is built once, and never seen after the period was ended")
  func periods() async throws {
    let run = StressRun("managed scopes", size: 1500)
    let census = Census()
    try await withWatchdog("managed scopes") {
      let session = ManagedScope("session")
      let period = Period()
      let builds = Lock<[Int: Int]>([:])
      let makeProbe: @Sendable () -> Probe = {
        let begun = period.begun.load(ordering: .sequentiallyConsistent)
        builds.withLock { $0[begun, default: 0] += 1 }
        return Probe(census, generation: begun)
      }
      let containers = (0..<2).map { _ in
        Container {
          Registration(Probe.self, scope: .managed(by: session)) { _ in makeProbe() }
          Registration((any Named).self, scope: .managed(by: session)) { _ in
            await Task.yield()
            return NamedProbe(makeProbe())
          }
          Registration(NamedProbe.self, scope: .managed(by: session)) { _ in NamedProbe(makeProbe()) }
            .implements((any Named).self, key: "alias") { $0 }
          Registration(Probe.self, scope: .managed(by: session)) { (_, _: Int) in makeProbe() }
            .perArguments()
        }
      }
      @Sendable func check(_ probe: Probe, _ endedBefore: Int) {
        if !probe.isAlive { complain("a dead instance") }
        if probe.generation <= endedBefore {
          complain("an instance of period \(probe.generation) after \(endedBefore) was ended")
        }
      }
      var readers = Readers()
      for container in containers {
        readers.threads(1) {
          var round = 0
          return {
            round += 1
            let before = period.ended.load(ordering: .sequentiallyConsistent)
            do {
              check(try container.resolve(Probe.self), before)
              check(try container.resolve((any Named).self, key: "alias").probe, before)
              check(try container.resolve(NamedProbe.self).probe, before)
              check(try container.resolve(Probe.self, arguments: round % 3), before)
            } catch {
              complain("unexpected: \(error)")
            }
          }
        }
        readers.tasks(2) {
          {
            let before = period.ended.load(ordering: .sequentiallyConsistent)
            do {
              check(try await container.resolve((any Named).self).probe, before)
              check(try await container.resolve(Probe.self, arguments: 1), before)
            } catch {
              complain("unexpected: \(error)")
            }
          }
        }
      }
      try await readers.run { pace in
        for number in 1...run.size {
          period.begun.store(number, ordering: .sequentiallyConsistent)
          await session.invalidate()
          period.ended.store(number - 1, ordering: .sequentiallyConsistent)
          if number.isMultiple(of: 8) { await pace() }
        }
      }
      // Six instances in each container: a build that the invalidation meets, and the one that is kept.
      let most = builds.withLock { $0.values.max() ?? 0 }
      if most > 2 * 6 * containers.count { complain("\(most) builds in one period") }
    }
    try await expectAllReleased(census)
  }

  @Test("Between two ends of a period nothing is built twice")
  func once() async throws {
    let run = StressRun("first resolves in a period", size: 400)
    let census = Census()
    try await withWatchdog("first resolves in a period") {
      let session = ManagedScope("session")
      let container = Container {
        Registration(Probe.self, scope: .managed(by: session)) { _ in Probe(census) }
        Registration(Probe.self, scope: .managed(by: session)) { _ in
          await Task.yield()
          return Probe(census)
        }.key("suspending")
        Registration(Probe.self, scope: .managed(by: session)) { (_, _: Int) in Probe(census) }
          .perArguments()
      }
      for round in 0..<run.size {
        let made = census.made
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<8 {
            group.addTask {
              do {
                _ = try await container.resolve(Probe.self)
                _ = try await container.resolve(Probe.self, key: "suspending")
                _ = try await container.resolve(Probe.self, arguments: number % 2)
                _ = try container.resolveNow(Probe.self)
              } catch {
                complain("unexpected: \(error)")
              }
            }
          }
        }
        if census.made - made != 4 { complain("\(census.made - made) builds in period \(round)") }
        await session.invalidate()
      }
      await census.wait(until: 0)
    }
    try await expectAllReleased(census)
  }

  @Test("Tuples that come and go: who holds an instance gets that very one again")
  func tuples() async throws {
    let run = StressRun("tuples of arguments", size: 3000)
    let census = Census()
    try await withWatchdog("tuples of arguments") {
      let container = Container {
        Registration(Probe.self, scope: .shared) { (_, number: Int) in
          Probe(census, generation: number)
        }
        .perArguments()
        Registration(Probe.self, scope: .shared) { (_, number: Int) async in
          await Task.yield()
          return Probe(census, generation: number)
        }
        .perArguments().key("suspending")
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await Threads.run(3) { index in
            var random = run.random(index)
            for _ in 0..<run.size {
              let number = Int.random(in: 0..<64, using: &random)
              do {
                let held = try container.resolve(Probe.self, arguments: number)
                Threads.yield()
                let again = try container.resolve(Probe.self, arguments: number)
                if held !== again { complain("another instance, though one is held") }
                if held.generation != number { complain("the instance of another tuple") }
              } catch {
                complain("unexpected: \(error)")
              }
            }
          }
        }
        for index in 0..<3 {
          group.addTask {
            var random = run.random(10 + index)
            for _ in 0..<run.size / 10 {
              let number = Int.random(in: 0..<64, using: &random)
              do {
                let held = try await container.resolve(Probe.self, key: "suspending", arguments: number)
                await Task.yield()
                let again = try await container.resolve(Probe.self, key: "suspending", arguments: number)
                if held !== again { complain("another instance, though one is held") }
                if held.generation != number { complain("the instance of another tuple") }
              } catch {
                complain("unexpected: \(error)")
              }
            }
          }
        }
      }
      await census.wait(until: 0)
    }
    #expect(census.made > 64)
  }

  @Test("An instance that expires is replaced once, whoever finds out")
  func expiry() async throws {
    let run = StressRun("times to live", size: 500)
    let census = Census()
    try await withWatchdog("times to live") {
      let clock = SteppingClock()
      let container = Container(configuration: .init(clock: clock)) {
        Registration(Probe.self, scope: .singleton) { _ in Probe(census, generation: clock.step) }
          .timeToLive(.seconds(1))
        Registration(Probe.self, scope: .singleton) { (_, _: Int) async in
          await Task.yield()
          return Probe(census, generation: clock.step)
        }
        .perArguments().timeToLive(.seconds(1))
      }
      for _ in 0..<run.size {
        let (made, step) = (census.made, clock.step)
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<8 {
            group.addTask {
              do {
                let probes = try await [
                  container.resolve(Probe.self), container.resolve(Probe.self, arguments: number % 2),
                ]
                if probes.contains(where: { $0.generation != step }) { complain("an expired instance") }
              } catch {
                complain("unexpected: \(error)")
              }
            }
          }
        }
        if census.made - made != 3 { complain("\(census.made - made) builds in one lifetime") }
        clock.advance()
      }
    }
    try await expectAllReleased(census)
  }
}

private final class Period: Sendable {
  /// The period that is being begun.
  let begun = Atomic<Int>(0)
  /// The last one that has ended for certain.
  let ended = Atomic<Int>(-1)
}

private protocol Named: Sendable {
  var probe: Probe { get }
}

private final class NamedProbe: Named {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

/// A clock that stands still between its seconds.
private final class SteppingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let step: Int
    func advanced(by duration: Duration) -> Instant {
      Instant(step: step + Int(duration.components.seconds))
    }
    func duration(to other: Instant) -> Duration { .seconds(other.step - step) }
    static func < (left: Instant, right: Instant) -> Bool { left.step < right.step }
  }

  private let current = Atomic<Int>(0)
  var step: Int { current.load(ordering: .acquiring) }
  func advance() { current.add(1, ordering: .acquiringAndReleasing) }

  var now: Instant { Instant(step: step) }
  var minimumResolution: Duration { .seconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
