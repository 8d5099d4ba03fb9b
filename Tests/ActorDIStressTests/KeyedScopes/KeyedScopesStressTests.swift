import ActorDI
import Synchronization
import Testing

/// Scopes by key under load: few and many keys, idle ends, evictions, cancellations and shutdowns.
@Suite(.inTurn) struct KeyedScopesStressTests {
  /// The open sessions. A key has one at most.
  private final class Sessions: Sendable {
    struct State: Sendable {
      var open: Set<Int> = []
      var begun = 0
      var ended = 0
      var most = 0
    }

    private let lock = Lock(State())
    var state: State { lock.withLock { $0 } }

    func begin(_ key: Int) {
      let isNew = lock.withLock { state in
        state.begun += 1
        let isNew = state.open.insert(key).inserted
        state.most = max(state.most, state.open.count)
        return isNew
      }
      if !isNew { complain("key \(key) has two sessions") }
    }

    func end(_ key: Int) {
      lock.withLock { state in
        state.ended += 1
        state.open.remove(key)
      }
    }
  }

  /// A session, which knows whether it was disposed of.
  private final class Session: Sendable {
    let key: Int
    let probe: Probe
    private let isOver = Atomic(false)
    private let sessions: Sessions

    init(_ key: Int, _ census: Census, _ sessions: Sessions) {
      self.key = key
      self.sessions = sessions
      probe = Probe(census, generation: key)
      sessions.begin(key)
    }

    var isUsable: Bool { probe.isAlive && !isOver.load(ordering: .sequentiallyConsistent) }

    func dispose() {
      if isOver.exchange(true, ordering: .sequentiallyConsistent) { complain("a session was disposed of twice") }
      sessions.end(key)
    }
  }

  private static func app(_ census: Census, _ sessions: Sessions, suspending: Bool) -> Container {
    Container(name: "app") {
      if suspending {
        Registration(Session.self, scope: .scoped("session")) { r async throws in
          await Task.yield()
          return Session(try await r.resolve(), census, sessions)
        }
        .onDispose { session async in
          await Task.yield()
          session.dispose()
        }
      } else {
        Registration(Session.self, scope: .scoped("session")) { r in Session(try r.resolve(), census, sessions) }
          .onDispose { $0.dispose() }
      }
    }
  }

  /// Uses the scope of a key.
  private static func use(_ key: Int, of scopes: KeyedScopes<Int>, pause: Int) async throws {
    try await scopes.withScope(key) { scope in
      let session = try await scope.resolve(Session.self)
      if session.key != key { complain("the session of key \(session.key) instead of \(key)") }
      for _ in 0..<pause {
        await Task.yield()
        if !session.isUsable { complain("the session of key \(key) ended under its user") }
      }
      let same = try await scope.withScope("request") { try await $0.resolve(Session.self) }
      if same !== session { complain("key \(key) has two sessions in one scope") }
    }
  }

  private static func expectEnded(_ sessions: Sessions, _ scopes: KeyedScopes<Int>) {
    let state = sessions.state
    if !state.open.isEmpty || state.begun != state.ended { complain("\(state.open.count) sessions are lost") }
    if !scopes.open.isEmpty { complain("scopes are open after the shutdown: \(scopes.open)") }
  }

  @Test("Few keys: no two sessions of one key, and none ends under its user", arguments: [false, true])
  func fewKeys(suspending: Bool) async throws {
    let run = StressRun("scopes of few keys", size: 4_000)
    let census = Census()
    try await withWatchdog("scopes of few keys") {
      let sessions = Sessions()
      let app = Self.app(census, sessions, suspending: suspending)
      let scopes = app.keyedScopes("session", idleFor: .microseconds(50), max: 3) { (key: Int) in
        Registration(instance: key)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          let seeded = run.random(worker)
          group.addTask {
            var random = seeded
            for _ in 0..<run.size / 8 {
              let key = Int.random(in: 0..<5, using: &random)
              switch Int.random(in: 0..<16, using: &random) {
              case 0: await scopes.end(key)
              case 1:
                let pause = Int.random(in: 0..<4, using: &random)
                let task = Task { try await Self.use(key, of: scopes, pause: 4) }
                for _ in 0..<pause { await Task.yield() }
                task.cancel()
                do { try await task.value } catch is CancellationError {}
              default: try await Self.use(key, of: scopes, pause: Int.random(in: 0..<4, using: &random))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try await app.shutdown()
      Self.expectEnded(sessions, scopes)
      let most = sessions.state.most
      if most > 3 { complain("\(most) scopes at once") }
    }
    try await expectAllReleased(census)
    #expect(census.made > 0)
  }

  @Test("Many keys: each is opened and ended, and the memory is released")
  func manyKeys() async throws {
    let run = StressRun("scopes of many keys", size: 100_000)
    let census = Census()
    try await withWatchdog("scopes of many keys") {
      let sessions = Sessions()
      let app = Self.app(census, sessions, suspending: false)
      let scopes = app.keyedScopes("session", idleFor: .seconds(3_600), max: 500) { (key: Int) in
        Registration(instance: key)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            for key in stride(from: worker, to: run.size, by: 4) {
              try await Self.use(key, of: scopes, pause: 0)
            }
          }
        }
        try await group.waitForAll()
      }
      if sessions.state.begun != run.size { complain("\(sessions.state.begun) sessions for \(run.size) keys") }
      // Those of ended scopes wait for the reclaimer, which waits for other tests' readers.
      if census.most > 1_500 + run.size / 10 { complain("\(census.most) sessions were alive at once") }
      if scopes.open.count > 500 { complain("\(scopes.open.count) scopes are open") }
      try await app.shutdown()
      Self.expectEnded(sessions, scopes)
    }
    try await expectAllReleased(census)
  }

  /// The time for each scope must not grow with their number: a shutdown once compared each scope with all others.
  @Test("A shutdown ends many idle scopes together")
  func manyIdleScopes() async throws {
    let run = StressRun("many idle scopes", size: 100_000)
    let census = Census()
    try await withWatchdog("many idle scopes") {
      let sessions = Sessions()
      let app = Self.app(census, sessions, suspending: false)
      let scopes = app.keyedScopes("session", idleFor: .seconds(3_600)) { (key: Int) in Registration(instance: key) }
      for key in 0..<run.size { try await Self.use(key, of: scopes, pause: 0) }
      if scopes.open.count != run.size { complain("\(scopes.open.count) of \(run.size) scopes are open") }
      try await app.shutdown()
      Self.expectEnded(sessions, scopes)
    }
    try await expectAllReleased(census)
  }

  @Test("Shutdowns end the sessions of callers that come all the time")
  func shutdowns() async throws {
    let run = StressRun("shutdowns with scopes by key", size: 200)
    let census = Census()
    try await withWatchdog("shutdowns with scopes by key") {
      for round in 0..<run.size {
        let sessions = Sessions()
        let app = Self.app(census, sessions, suspending: round % 2 == 0)
        // With the shortest time, the sweep of idle scopes meets the shutdown.
        let times: [Duration?] = [nil, .seconds(60), .microseconds(1)]
        let scopes = app.keyedScopes(
          "session", idleFor: times[round % times.count], max: round % 5 == 0 ? 2 : nil
        ) { (key: Int) in Registration(instance: key) }
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<6 {
            let seeded = run.random(round * 16 + worker)
            group.addTask {
              var random = seeded
              while true {
                let key = Int.random(in: 0..<4, using: &random)
                do { try await Self.use(key, of: scopes, pause: Int.random(in: 0..<4, using: &random)) } catch {
                  if (error as? ResolutionError)?.code != .closed { complain("unexpected error: \(error)") }
                  return
                }
              }
            }
          }
          var random = run.random(round * 16 + 7)
          let patience = Int.random(in: 0..<60, using: &random)
          group.addTask {
            for _ in 0..<patience { await Task.yield() }
            do { try await app.shutdown() } catch { complain("unexpected error: \(error)") }
          }
        }
        Self.expectEnded(sessions, scopes)
      }
    }
    try await expectAllReleased(census)
  }
}
