import ActorDI
import Testing

/// Shutdowns while scopes open and close.
@Suite(.inTurn) struct DrainingStressTests {
  @Test("Begun operations complete during a shutdown; afterwards no scope is open")
  func operations() async throws {
    let run = StressRun("shutdowns with open scopes", size: 100)
    try await withWatchdog("shutdowns with open scopes") {
      for round in 0..<run.size {
        let accounts = Accounts()
        let app = Container(name: "app") { Self.registrations(accounts) }
        let children = [app, app.makeChild(name: "child")]
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<6 {
            let seeded = run.random(round * 16 + worker)
            group.addTask {
              var random = seeded
              while await Self.request(in: children[worker % 2], accounts, &random) {}
            }
          }
          var random = run.random(round * 16 + 7)
          let (patience, closers) = (Int.random(in: 0..<60, using: &random), Int.random(in: 1...3, using: &random))
          for _ in 0..<closers {
            group.addTask {
              for _ in 0..<patience { await Task.yield() }
              do { try await app.shutdown() } catch { complain("unexpected error: \(error)") }
              if !app.openScopes.isEmpty { complain("scopes are open after the shutdown: \(app.openScopes)") }
            }
          }
        }
        if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
      }
    }
  }

  @Test("A shutdown without timeout cancels operations, and disposes of all instances")
  func timeouts() async throws {
    let run = StressRun("shutdowns that run out of time", size: 200)
    try await withWatchdog("shutdowns that run out of time") {
      for round in 0..<run.size {
        let accounts = Accounts()
        let app = Container(name: "app") { Self.registrations(accounts) }
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            let seeded = run.random(round * 16 + worker)
            group.addTask {
              var random = seeded
              for _ in 0..<20 {
                let pause = Int.random(in: 0..<20, using: &random)
                _ = try? await app.withScope { scope in
                  _ = try await scope.resolve(Asset.self, key: 1)
                  for _ in 0..<pause where !Task.isCancelled { await Task.yield() }
                  _ = try await scope.resolve(Asset.self, key: 2)
                }
              }
            }
          }
          var random = run.random(round * 16 + 7)
          let patience = Int.random(in: 0..<20, using: &random)
          group.addTask {
            for _ in 0..<patience { await Task.yield() }
            do throws(ShutdownError) {
              try await app.shutdown(timeout: .zero)
            } catch {
              if error.failures.contains(where: { $0.error != nil }) { complain("unexpected error: \(error)") }
            }
          }
        }
        // Late instances are disposed of in the background.
        while accounts.undisposed > 0 { await Task.yield() }
      }
    }
  }

  @Test("A begun operation always finds what is registered while a shutdown withdraws it")
  func withdrawal() async throws {
    let run = StressRun("withdrawn registrations", size: 200)
    try await withWatchdog("withdrawn registrations") {
      for round in 0..<run.size {
        let app = Container(name: "app") { Registration(instance: round) }
        await withTaskGroup(of: Void.self) { group in
          let begun = Gate()
          group.addTask {
            await expectNoError {
              try await app.withScope { scope in
                begun.open()
                for _ in 0..<1000 where try scope.resolveNow(Int.self) != round { complain("another instance") }
              }
            }
          }
          group.addTask {
            await begun.wait()
            await expectNoError { try await app.shutdown() }
          }
        }
      }
    }
  }

  @Test("After a child has refused a call during a shutdown, it resolves and registers nothing")
  func refusals() async throws {
    let run = StressRun("refusals by a child", size: 1000)
    try await withWatchdog("refusals by a child") {
      for _ in 0..<run.size {
        let app = Container(name: "app")
        // The shutdown reaches the last child late.
        let children = (0..<50).map { number in app.makeChild { Registration(instance: number) } }
        guard let last = children.last else { return }
        await withTaskGroup(of: Void.self) { group in
          let begun = Gate()
          group.addTask {
            begun.open()
            while Self.code({ try last.resolveNow(String.self) }) != .closed {}
            if Self.code({ try last.resolveNow(Int.self) }) != .closed { complain("a later call got an instance") }
            do {
              try await last.register { Registration(instance: "") }
              complain("a later registration succeeded")
            } catch {
              if (error as? ResolutionError)?.code != .closed { complain("unexpected error: \(error)") }
            }
          }
          group.addTask {
            await begun.wait()
            await expectNoError { try await app.shutdown() }
          }
        }
        withExtendedLifetime(children) {}
      }
    }
  }

  private static func code(_ resolve: () throws -> some Any) -> ResolutionError.Code? {
    do { _ = try resolve() } catch { return (error as? ResolutionError)?.code }
    return nil
  }

  @RegistrationBuilder
  private static func registrations(_ accounts: Accounts) -> Registrations {
    Registration(Asset.self, scope: .singleton) { _ in
      await Task.yield()
      return Asset(accounts)
    }.key(0)
    Registration(Asset.self, scope: .scoped) { r in
      _ = try await r.resolve(Asset.self, key: 0)
      return Asset(accounts, suspends: true)
    }.key(1)
    Registration(Asset.self, scope: .scoped) { _ in Asset(accounts) }.key(2)
    Registration(Asset.self) { r in
      _ = try r.resolve(Asset.self, key: 2)
      return Asset(accounts)
    }.key(3)
    Registration(Asset.self, scope: .singleton) { r in
      _ = try await r.resolve(Asset.self, key: 0)
      return Asset(accounts)
    }.key("late")
  }

  /// - Returns: Whether the container has opened a scope.
  private static func request(in container: Container, _ accounts: Accounts, _ random: inout SeededRandom) async -> Bool
  {
    let (pause, key) = (Int.random(in: 0..<10, using: &random), Int.random(in: 1...3, using: &random))
    var hasBegun = false
    do {
      try await container.withScope { scope in
        hasBegun = true
        for _ in 0..<pause { await Task.yield() }
        _ = try await scope.resolve(Asset.self, key: key)
        _ = try scope.resolveNow(Asset.self, key: 3)
        _ = try await scope.resolve(Asset.self, key: "late")
        if pause == 0 { try await scope.withScope { _ = try await $0.resolve(Asset.self, key: 1) } }
      }
      return true
    } catch {
      if hasBegun { complain("a begun operation failed: \(error)") }
      return false
    }
  }
}
