import ActorDI
import Testing

/// Waiters that are cancelled at random while a service is built.
@Suite(.inTurn) struct CancellationStormTests {
  @Test("The remaining waiters get one instance, and builds never overlap")
  func oneService() async throws {
    let run = StressRun("cancellation storm", size: 100)
    try await withWatchdog("a cancellation storm") {
      for round in 0..<run.size {
        let builds = Builds(seed: run.random(round))
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in try await builds.make() }
        }
        let storm = Storm(random: run.random(-round))
        await storm.resolve { try await container.resolve(Probe.self) }
        builds.expectInOrder()
        #expect(storm.seen.count <= 1)
        storm.seen.add(try await container.resolve(Probe.self))
        #expect(storm.seen.count == 1)
      }
    }
  }

  @Test("The remaining waiters of each service of a chain get one instance")
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
              await storm.resolve { try await container.resolve(Probe.self, key: key) }
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

  @Test("Later callers retry a failed build, and each caller gets a failure once")
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
                  // A caller gets the failure of each attempt at most once.
                  if failure.attempt <= last { complain("the resolve threw an old failure: \(failure)") }
                  last = failure.attempt
                } catch {
                  complain("unexpected error: \(error)")
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

/// Tasks that resolve one service. About half of them are cancelled while they wait.
private final class Storm: Sendable {
  let seen = Sightings()
  private let random: Lock<SeededRandom>

  init(random: SeededRandom) { self.random = Lock(random) }

  func resolve(_ body: @escaping @Sendable () async throws -> Probe) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        let isCancelled = Flag()
        let task = Task {
          do {
            self.seen.add(try await body())
          } catch is CancellationError {
            if !isCancelled.isRaised { complain("an uncancelled task gets CancellationError") }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
        group.addTask { await task.value }
        let (cancels, delay) = random.withLock {
          (Bool.random(using: &$0), Int.random(in: 0..<6, using: &$0))
        }
        guard cancels else { continue }
        group.addTask {
          for _ in 0..<delay { await Task.yield() }
          isCancelled.raise()
          task.cancel()
        }
      }
    }
  }
}

/// The builds of a factory. Some check for cancellation.
private final class Builds: Sendable {
  private let census = Census()
  private let running = Counter()
  private let overlaps = Counter()
  private let random: Lock<SeededRandom>

  init(seed random: SeededRandom) { self.random = Lock(random) }

  func make() async throws -> Probe {
    if running.increment() != 0 { overlaps.increment() }
    defer { running.decrement() }
    let (steps, checksCancellation) = random.withLock {
      (Int.random(in: 0..<12, using: &$0), Bool.random(using: &$0))
    }
    for _ in 0..<steps {
      await Task.yield()
      if checksCancellation { try Task.checkCancellation() }
    }
    return Probe(census)
  }

  func expectInOrder() {
    #expect(overlaps.value == 0)
    #expect(running.value == 0)
  }
}
