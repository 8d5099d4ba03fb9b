import ActorDI
import Testing

/// Scopes that come and go, by the thousand.
@Suite(.inTurn) struct ScopeStressTests {
  @Test("Scopes of many tasks have instances of their own, and leave nothing behind")
  func many() async throws {
    let run = StressRun("scopes", size: 400)
    let accounts = Accounts()
    try await withWatchdog("scopes") {
      let app = Container {
        Registration(Asset.self, scope: .scoped) { _ in Asset(accounts) }
        Registration(Asset.self, scope: .scoped) { _ in
          await Task.yield()
          return Asset(accounts, suspends: true)
        }.key(1)
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<run.size {
              let seen = Sightings()
              do {
                try await app.withScope { scope in
                  await withTaskGroup(of: Void.self) { inner in
                    for number in 0..<4 {
                      inner.addTask {
                        guard let asset = try? await scope.resolve(Asset.self, key: 1) else {
                          return complain("no instance")
                        }
                        seen.add(asset)
                        if number == 0 { seen.add((try? await scope.resolve(Asset.self)) ?? asset) }
                      }
                    }
                  }
                  // Again and again, until the read path finds them.
                  for _ in 0..<4 { seen.add(try await scope.resolve(Asset.self)) }
                }
              } catch {
                complain("\(error)")
              }
              if seen.count != 2 { complain("\(seen.count) instances instead of 2") }
            }
          }
        }
      }
      if accounts.unsettled > 0 { complain("\(accounts.unsettled) instances have not ended") }
      while accounts.alive > 0 { await Task.yield() }
    }
  }

  @Test("A scope that has ended never opens again for those who have kept it")
  func kept() async throws {
    let run = StressRun("kept scopes", size: 2_000)
    try await withWatchdog("kept scopes") {
      let app = Container {
        Registration(Version.self, scope: .scoped) { r in Version(Int(r.container.name) ?? -1) }
      }
      await withTaskGroup(of: [Weak].self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = run.random(task)
            var (strong, weakly): ([Container], [Weak]) = ([], [])
            for number in 0..<run.size {
              let way = random.next() % 8
              let id = task * run.size + number
              let body: @Sendable (Container) async throws -> (Container?, Weak?) = { scope in
                if scope.name != "\(id)" || scope.parent !== app { complain("\(scope.name) instead of \(id)") }
                if way == 0 { try await scope.register(Int.self) { _ in id } }
                let version = try await scope.resolve(Version.self).number
                if version != id { complain("the instance of scope \(version) in scope \(id)") }
                if way != 0, scope.registrationCount > 0 { complain("registrations of another scope") }
                if way == 1 { await Task.yield() }
                return (way == 2 ? scope : nil, way == 3 ? Weak(scope) : nil)
              }
              guard let (held, seen) = try? await app.withScope("\(id)", operation: body) else {
                complain("a scope has failed")
                continue
              }
              if let held { strong.append(held) }
              if let seen { weakly.append(seen) }
              if way == 4, let old = strong.randomElement(using: &random) {
                if (try? await old.resolve(Version.self)) != nil { complain("a closed scope has opened again") }
              }
              if way == 5, let old = weakly.randomElement(using: &random)?.container {
                // Who has ended another scope in the same container, before this one, may be about to let go of it.
                if (try? await old.resolve(Version.self)) != nil { complain("a closed scope has opened again") }
              }
              if strong.count > 32 { strong.removeAll() }
              if weakly.count > 32 { weakly.removeAll() }
            }
            return weakly
          }
        }
        // By now everybody has.
        let weakly = await group.reduce(into: []) { $0 += $1 }
        if weakly.contains(where: { $0.container != nil }) { complain("a scope is still there") }
      }
    }
  }

  @Test("A parent that registers anew is seen by its open scopes at the next resolve")
  func changes() async throws {
    let run = StressRun("changes above open scopes", size: 600)
    try await withWatchdog("changes above open scopes") {
      let published = Counter()
      let app = Container {
        Registration(Version.self, scope: .scoped) { _ in Version(0) }
      }
      let middle = app.makeChild(name: "middle")
      var readers = Readers()
      for parent in [app, middle, app] {
        readers.tasks(1) {
          return {
            _ = try? await parent.withScope { scope in
              for _ in 0..<32 {
                let newest = published.value
                let version = try await scope.resolve(Version.self).number
                if version < newest { complain("version \(version), though \(newest) stands") }
                if version != (try scope.resolveNow(Version.self)).number, published.value == newest {
                  // A change may have come between.
                  let next = try await scope.resolve(Version.self).number
                  if next < newest { complain("version \(next), though \(newest) stands") }
                }
                await Task.yield()
              }
            }
          }
        }
      }
      readers.threads(1) {
        let child = app.makeChild()
        return {
          let newest = published.value
          guard let version = try? child.resolve(Version.self).number else { return complain("no instance") }
          if version < newest { complain("version \(version), though \(newest) stands") }
        }
      }
      try await readers.run { pace in
        for number in 1...run.size {
          try await app.register(Registration(Version.self, scope: .scoped) { _ in Version(number) })
          published.raise(to: number)
          if number.isMultiple(of: 4) { await pace() }
        }
      }
    }
  }

  @Test("What a pool lends is lent to one at a time, and ends once")
  func pools() async throws {
    let run = StressRun("pools", size: 400)
    let accounts = Accounts()
    try await withWatchdog("pools") {
      let app = Container {
        Registration(Asset.self, scope: .pooled(max: 3)) { _ in Asset(accounts, suspends: true) }
      }
      let lent = Lent()
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            for round in 0..<run.size {
              do {
                try await app.withScope { scope in
                  let asset = try await scope.resolve(Asset.self)
                  lent.take(asset.number)
                  await Task.yield()
                  if try scope.resolveNow(Asset.self) !== asset { complain("another instance in the same scope") }
                  lent.giveBack(asset.number)
                }
                if worker == 0 && round.isMultiple(of: 64) { await app.reset(Asset.self) }
              } catch {
                complain("\(error)")
              }
            }
          }
        }
      }
      do { try await app.shutdown() } catch { complain("\(error)") }
      if accounts.unsettled > 0 { complain("\(accounts.unsettled) instances have not ended") }
    }
  }
}

private final class Weak: Sendable {
  weak let container: Container?
  init(_ container: Container) { self.container = container }
}

private final class Version: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Lent: Sendable {
  private let numbers = Lock<Set<Int>>([])
  func take(_ number: Int) {
    if !numbers.withLock({ $0.insert(number).inserted }) { complain("\(number) is lent twice") }
  }
  func giveBack(_ number: Int) { _ = numbers.withLock { $0.remove(number) } }
}
