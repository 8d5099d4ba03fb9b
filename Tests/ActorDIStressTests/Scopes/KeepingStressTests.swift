import ActorDI
import Synchronization
import Testing

/// Managed scopes, instances per arguments and times to live, under concurrent resolves.
@Suite(.inTurn) struct KeepingStressTests {
  @Test("Invalidating a managed scope also drops dependents built during the invalidation")
  func dependents() async throws {
    let run = StressRun("managed scopes that depend on each other", size: 1500)
    try await withWatchdog("managed scopes that depend on each other") {
      let session = ManagedScope("session")
      let period = Period()
      let container = Container {
        // Dependents come before their dependencies.
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
              complain("service \(key ?? 0) is of period \(made) in period \(number)")
            }
          }
          if number.isMultiple(of: 8) { await pace() }
        }
      }
    }
  }

  @Test("A managed scope's instance is built once, and not resolved after the invalidation")
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
        if !probe.isAlive { complain("the resolve returned a freed instance") }
        if probe.generation <= endedBefore {
          complain("an instance of period \(probe.generation) after the end of period \(endedBefore)")
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
              complain("unexpected error: \(error)")
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
              complain("unexpected error: \(error)")
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
      // Each container has six instances. An invalidation can discard a build, and the next build is kept.
      let most = builds.withLock { $0.values.max() ?? 0 }
      if most > 2 * 6 * containers.count { complain("one period has \(most) builds") }
    }
    try await expectAllReleased(census)
  }

  @Test("Between two invalidations, each service is built once")
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
                complain("unexpected error: \(error)")
              }
            }
          }
        }
        if census.made - made != 4 { complain("period \(round) has \(census.made - made) builds") }
        await session.invalidate()
      }
      await census.wait(until: 0)
    }
    try await expectAllReleased(census)
  }

  @Test("A caller that holds an instance gets it again for the same arguments")
  func perArguments() async throws {
    let run = StressRun("instances per arguments", size: 3000)
    let census = Census()
    try await withWatchdog("instances per arguments") {
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
                if held !== again { complain("the resolve returned another instance although one is held") }
                if held.generation != number { complain("the resolve returned the instance of other arguments") }
              } catch {
                complain("unexpected error: \(error)")
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
                if held !== again { complain("the resolve returned another instance although one is held") }
                if held.generation != number { complain("the resolve returned the instance of other arguments") }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
      }
      await census.wait(until: 0)
    }
    #expect(census.made > 64)
  }

  @Test("Concurrent callers replace an expired instance once")
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
                if probes.contains(where: { $0.generation != step }) {
                  complain("the resolve returned an expired instance")
                }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
        if census.made - made != 3 { complain("one lifetime has \(census.made - made) builds") }
        clock.advance()
      }
    }
    try await expectAllReleased(census)
  }
}

private final class Period: Sendable {
  /// The current period.
  let begun = Atomic<Int>(0)
  /// The last period whose invalidation has returned.
  let ended = Atomic<Int>(-1)
}

private protocol Named: Sendable {
  var probe: Probe { get }
}

private final class NamedProbe: Named {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

/// A clock that advances in steps of one second.
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
