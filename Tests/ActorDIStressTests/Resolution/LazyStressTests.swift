import ActorDI
import Testing

/// Concurrent uses of `Lazy` and `Provider`.
@Suite(.inTurn) struct LazyStressTests {
  @Test("Concurrent uses of one Lazy in tasks get one instance")
  func tasks() async throws {
    let run = StressRun("lazies in tasks", size: 100)
    let census = Census()
    try await withWatchdog("lazies in tasks") {
      let container = Container {
        Registration(Probe.self) { _ in
          await Task.yield()
          return Probe(census)
        }
      }
      for _ in 0..<run.size {
        let lazy = try await container.resolve(Lazy<Probe>.self)
        let seen = Sightings()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<24 { group.addTask { seen.add(try await lazy()) } }
          try await group.waitForAll()
        }
        #expect(seen.count == 1)
      }
    }
    #expect(census.made == run.size)
    try await expectAllReleased(census)
  }

  @Test("Concurrent uses of one Lazy on threads get one instance")
  func threads() async throws {
    let run = StressRun("lazies on threads", size: 100)
    let census = Census()
    try await withWatchdog("lazies on threads") {
      let container = Container { Registration(Probe.self) { _ in Probe(census) } }
      for _ in 0..<run.size {
        let lazy = try container.resolveNow(Lazy<Probe>.self)
        let seen = Sightings()
        await Threads.run(4) { _ in
          do {
            seen.add(try lazy())
          } catch {
            complain("unexpected error: \(error)")
          }
        }
        #expect(seen.count == 1)
      }
    }
    #expect(census.made == run.size)
    try await expectAllReleased(census)
  }

  @Test("A Lazy and a Provider of each other's service are no cycle")
  func mutual() async throws {
    let run = StressRun("lazy and provider of each other", size: 200)
    try await withWatchdog("a lazy and a provider of each other") {
      for _ in 0..<run.size {
        let container = Container {
          Registration(autowired: Ping.self, scope: .singleton, initializer: Ping.init)
          Registration(autowired: Pong.self, scope: .singleton, initializer: Pong.init)
        }
        async let throughPing = container.resolve(Ping.self).lazyPong()
        async let throughPong = container.resolve(Pong.self).ping()
        let (pong, ping) = try await (throughPing, throughPong)
        let pingAgain = try await pong.ping()
        let pongAgain = try await ping.lazyPong()
        #expect(pingAgain === ping)
        #expect(pongAgain === pong)
        // The container holds the service that holds the provider, which holds the container.
        await container.reset()
      }
    }
  }
}

private final class Ping: Sendable {
  private let pong: Lock<Lazy<Pong>?>

  init(pong: Lazy<Pong>) { self.pong = Lock(pong) }

  func lazyPong() async throws -> Pong {
    let lazy = try #require(pong.withLock { $0 })
    return try await lazy()
  }

  func forget() {
    _ = pong.withLock { pong in
      let old = pong
      pong = nil
      return old
    }
  }
}

private final class Pong: Sendable {
  let ping: Provider<Ping>
  init(ping: Provider<Ping>) { self.ping = ping }
}
