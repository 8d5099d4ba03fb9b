import ActorDI
import Testing

/// Waiters that give up at random while a service is built (CONTRACT §5.3).
@Suite(.inTurn) struct CancellationStormTests {
  @Test("Those who stay get one instance, attempts never overlap, only the cancelled hear of it")
  func oneService() async throws {
    let run = StressRun("cancellation storm", size: 100)
    try await withWatchdog("a cancellation storm") {
      for round in 0..<run.size {
        let builds = Builds(seed: run.random(round))
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in try await builds.make() }
        }
        let storm = Storm(random: run.random(-round))
        await storm.rage { try await container.resolve(Probe.self) }
        builds.expectInOrder()
        #expect(storm.seen.count <= 1)
        storm.seen.add(try await container.resolve(Probe.self))
        #expect(storm.seen.count == 1)
      }
    }
  }

  @Test("The same for a chain of services, all resolved at the same time")
  func chain() async throws {
    let run = StressRun("cancellation storm on a chain", size: 60)
    try await withWatchdog("a cancellation storm on a chain") {
      for round in 0..<run.size {
        let builds = (0..<4).map { Builds(seed: run.random(round * 4 + $0)) }
        let container = Container {
          for (key, builds) in builds.enumerated() {
            Registration(Probe.self, scope: .singleton) { r in
              if key < 3 { _ = try await r.resolve(Probe.self, key: key + 1) }
              return try await builds.make()
            }.key(key)
          }
        }
        let storms = (0..<4).map { Storm(random: run.random(-round * 4 - $0)) }
        await withTaskGroup(of: Void.self) { group in
          for (key, storm) in storms.enumerated() {
            group.addTask {
              await storm.rage { try await container.resolve(Probe.self, key: key) }
            }
          }
        }
        for (key, storm) in storms.enumerated() {
          builds[key].expectInOrder()
          storm.seen.add(try await container.resolve(Probe.self, key: key))
          #expect(storm.seen.count == 1)
        }
      }
    }
  }

  @Test("A failing factory is tried again for those who come later, and each hears of it once")
  func failures() async throws {
    let run = StressRun("storm of failures", size: 100)
    try await withWatchdog("a storm of failures") {
      for _ in 0..<run.size {
        let attempts = Counter()
        let census = Census()
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in
            let attempt = attempts.increment()
            await Task.yield()
            if attempt < 5 { throw Failure(attempt: attempt) }
            return Probe(census)
          }
        }
        let seen = Sightings()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<30 {
            group.addTask {
              var last = -1
              while true {
                do {
                  seen.add(try await container.resolve(Probe.self))
                  return
                } catch let failure as Failure {
                  // Each attempt is heard of once.
                  if failure.attempt <= last { complain("an old failure: \(failure)") }
                  last = failure.attempt
                } catch {
                  complain("unexpected: \(error)")
                  return
                }
              }
            }
          }
        }
        #expect(attempts.value == 6)
        #expect(seen.count == 1)
      }
    }
  }
}

private struct Failure: Error {
  let attempt: Int
}

/// Tasks that want the same, about half of which are cancelled while they wait.
private final class Storm: Sendable {
  let seen = Sightings()
  private let random: Lock<SeededRandom>

  init(random: SeededRandom) { self.random = Lock(random) }

  func rage(_ resolve: @escaping @Sendable () async throws -> Probe) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        let isCancelled = Flag()
        let task = Task {
          do {
            self.seen.add(try await resolve())
          } catch is CancellationError {
            if !isCancelled.isRaised { complain("cancelled, though it had not been asked for") }
          } catch {
            complain("unexpected: \(error)")
          }
        }
        group.addTask { await task.value }
        let (cancels, patience) = random.withLock {
          (Bool.random(using: &$0), Int.random(in: 0..<6, using: &$0))
        }
        guard cancels else { continue }
        group.addTask {
          for _ in 0..<patience { await Task.yield() }
          isCancelled.raise()
          task.cancel()
        }
      }
    }
  }
}

/// A factory's attempts: some heed their cancellation, some do not.
private final class Builds: Sendable {
  private let census = Census()
  private let running = Counter()
  private let overlaps = Counter()
  private let random: Lock<SeededRandom>

  init(seed random: SeededRandom) { self.random = Lock(random) }

  func make() async throws -> Probe {
    if running.increment() != 0 { overlaps.increment() }
    defer { running.decrement() }
    let (steps, heeds) = random.withLock {
      (Int.random(in: 0..<12, using: &$0), Bool.random(using: &$0))
    }
    for _ in 0..<steps {
      await Task.yield()
      if heeds { try Task.checkCancellation() }
    }
    return Probe(census)
  }

  func expectInOrder() {
    #expect(overlaps.value == 0)
    #expect(running.value == 0)
  }
}
