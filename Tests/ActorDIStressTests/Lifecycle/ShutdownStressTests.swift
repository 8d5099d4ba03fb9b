import ActorDI
import Testing

/// Shutdowns amid other operations.
@Suite(.inTurn) struct ShutdownStressTests {
  @Test("A shutdown amid all operations disposes of each instance once; later resolves fail")
  func everything() async throws {
    let run = StressRun("shutdowns amid everything", size: 150)
    try await withWatchdog("shutdowns amid everything") {
      for round in 0..<run.size {
        let accounts = Accounts()
        let period = ManagedScope("p")
        let app = Container(name: "app") { Self.registrations(accounts, period) }
        let isClosed = Flag()
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            var random = run.random(round * 16 + worker)
            group.addTask {
              while !isClosed.isRaised {
                await Self.act(on: app, period, accounts, &random)
                await Task.yield()
              }
            }
          }
          for worker in 4..<6 {
            let seeded = run.random(round * 16 + worker)
            group.addTask {
              await Threads.run(1) { _ in
                var random = seeded
                while !isClosed.isRaised {
                  _ = try? app.resolve(Asset.self, key: Int.random(in: 0..<6, using: &random))
                  Threads.yield()
                }
              }
            }
          }
          var random = run.random(round * 16 + 7)
          let patience = Int.random(in: 0..<40, using: &random)
          group.addTask {
            for _ in 0..<patience { await Task.yield() }
            async let other: Void? = try? app.shutdown()
            do { try await app.shutdown() } catch { complain("unexpected error: \(error)") }
            _ = await other
            if (try? await app.resolve(Asset.self, key: 0)) != nil { complain("a closed container resolved a service") }
            if (try? app.resolveNow(Asset.self, key: 0)) != nil { complain("a closed container resolved a service") }
            if (try? await app.withScope(operation: { _ in })) != nil { complain("a closed container opened a scope") }
            isClosed.raise()
          }
        }
        await period.invalidate()
        // Late and replaced instances are disposed of in the background.
        while accounts.undisposed > 0 { await Task.yield() }
      }
    }
  }

  @RegistrationBuilder
  private static func registrations(_ accounts: Accounts, _ period: ManagedScope) -> Registrations {
    Registration(Asset.self, scope: .singleton) { _ in Asset(accounts) }.key(0)
    Registration(Asset.self, scope: .scoped) { _ in Asset(accounts, suspends: true) }.key(1)
    Registration(Asset.self, scope: .pooled(max: 2)) { _ in Asset(accounts) }.key(2)
    Registration(Asset.self, scope: .managed(by: period)) { _ in Asset(accounts) }.key(3)
    Registration(Asset.self) { r in
      _ = try r.resolve(Asset.self, key: 0)
      return Asset(accounts)
    }.key(4)
    Registration(Asset.self, scope: .graph) { _ in Asset(accounts) }.key(5)
    Registration(Asset.self, scope: .singleton) { r in
      await Task.yield()
      _ = try await r.resolve(Asset.self, key: 1)
      return Asset(accounts, suspends: true)
    }.key(6)
    Registration(Asset.self, scope: .scoped) { r in
      await Task.yield()
      _ = try await r.resolve(Asset.self, key: 6)
      return Asset(accounts)
    }.key(7)
  }

  private static func act(
    on app: Container, _ period: ManagedScope, _ accounts: Accounts, _ random: inout SeededRandom
  ) async {
    let key = Int.random(in: 0..<8, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3: _ = try? await app.resolve(Asset.self, key: key)
    case 3..<7:
      let other = Int.random(in: 0..<8, using: &random)
      _ = try? await app.withScope { scope in
        _ = try await scope.resolve(Asset.self, key: key)
        _ = try await scope.resolve(Asset.self, key: other)
        _ = try await scope.withScope { try await $0.resolve(Asset.self, key: key) }
        _ = try await scope.resolve(Asset.self, key: key)
      }
    case 7:
      try? await app.register(Registration(Asset.self, scope: .singleton) { _ in Asset(accounts) }.key(key))
    case 8: await app.unregister(Asset.self, key: key)
    case 9: await app.reset(Asset.self, key: key)
    case 10: await Bool.random(using: &random) ? app.reset() : period.invalidate()
    default:
      let task = Task { _ = try await app.resolve(Asset.self, key: key) }
      await Task.yield()
      task.cancel()
    }
  }

  @Test("Concurrent shutdowns of parents and children dispose of each instance once")
  func families() async throws {
    let run = StressRun("families that are closed", size: 300)
    try await withWatchdog("families that are closed") {
      for _ in 0..<run.size {
        let accounts = Accounts()
        let app = Container {
          Registration(Asset.self, scope: .scoped) { _ in Asset(accounts, suspends: true) }
        }
        let children = (0..<4).map { _ in app.makeChild() }
        let inner = children.map { $0.makeChild() }
        await withTaskGroup(of: Void.self) { group in
          for container in children + inner + [app] {
            group.addTask { _ = try? await container.resolve(Asset.self) }
            group.addTask {
              try? await container.shutdown()
              if (try? await container.resolve(Asset.self)) != nil { complain("a closed container resolved a service") }
            }
            group.addTask { _ = try? await container.makeChild().withScope { try await $0.resolve(Asset.self) } }
          }
        }
        if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
      }
    }
  }

  @Test("Failing starts amid resolves, resets and shutdowns dispose of each instance once")
  func starts() async throws {
    let run = StressRun("starts that fail", size: 200)
    try await withWatchdog("starts that fail") {
      for round in 0..<run.size {
        let accounts = Accounts()
        let app = Container {
          for number in 0..<6 {
            Registration(Asset.self, scope: .singleton) { r in
              if number > 0 { _ = try await r.resolve(Asset.self, key: number - 1) }
              await Task.yield()
              if number == 5 { throw CancellationError() }
              return Asset(accounts, suspends: number.isMultiple(of: 2))
            }.key(number).eager()
          }
        }
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            var random = run.random(round * 8 + worker)
            let key = Int.random(in: 0..<6, using: &random)
            group.addTask { try? await app.start() }
            group.addTask { _ = try? await app.resolve(Asset.self, key: key) }
            if worker == 3 && Bool.random(using: &random) { group.addTask { try? await app.shutdown() } }
            if worker == 2 { group.addTask { await app.reset() } }
          }
        }
        try? await app.shutdown()
        while accounts.undisposed > 0 { await Task.yield() }
      }
    }
  }

  @Test("Containers whose disposers close each other shut down, and dispose of each instance once")
  func rings() async throws {
    let run = StressRun("rings of containers that close one another", size: 150)
    try await withWatchdog("rings of containers that close one another") {
      for round in 0..<run.size {
        var random = run.random(round)
        let count = Int.random(in: 2...4, using: &random)
        let accounts = Accounts()
        let ring = Lock<[Container]>([])
        let containers = (0..<count).map { number in
          Container {
            Registration(Asset.self, scope: .singleton) { _ in Asset(accounts, suspends: true) }.onDispose { _ in
              let next = ring.withLock { $0[(number + 1) % count] }
              do { try await next.shutdown() } catch { complain("unexpected error: \(error)") }
            }
          }
        }
        ring.withLock { $0 = containers }
        for container in containers { _ = try await container.resolve(Asset.self) }
        await withTaskGroup(of: Void.self) { group in
          for container in containers {
            let patience = Int.random(in: 0..<4, using: &random)
            group.addTask {
              for _ in 0..<patience { await Task.yield() }
              await expectNoError { try await container.shutdown() }
              if (try? await container.resolve(Asset.self)) != nil { complain("a closed container resolved a service") }
            }
          }
        }
        if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
        // The containers hold each other.
        ring.withLock { $0 = [] }
      }
    }
  }
}
