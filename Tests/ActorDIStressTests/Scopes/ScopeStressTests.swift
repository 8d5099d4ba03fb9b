import ActorDI
import Synchronization
import Testing

/// Thousands of scopes that open and close.
@Suite(.inTurn) struct ScopeStressTests {
  @Test("Each scope has its own instances, and frees them at its end")
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
                          return complain("the resolve returned no instance")
                        }
                        seen.add(asset)
                        if number == 0 { seen.add((try? await scope.resolve(Asset.self)) ?? asset) }
                      }
                    }
                  }
                  // Repeated resolves reach the fast path.
                  for _ in 0..<4 { seen.add(try await scope.resolve(Asset.self)) }
                }
              } catch {
                complain("unexpected error: \(error)")
              }
              if seen.count != 2 { complain("the scope has \(seen.count) instances instead of 2") }
            }
          }
        }
      }
      if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
      while accounts.alive > 0 { await Task.yield() }
    }
  }

  /// An observed scope measures its opening time once more after it is listed.
  @Test("The list of open scopes is consistent while observed scopes open and end")
  func listing() async throws {
    let run = StressRun("listing of observed scopes", size: 20_000)
    try await withWatchdog("listing of observed scopes") {
      let observer = Opened()
      let app = Container(configuration: .init(observers: [observer]))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<run.size {
              try await app.withScope("request") { scope in
                let listed = app.openScopes.first { $0.id == scope.id }
                guard let listed else { return complain("an open scope is not listed") }
                if listed.uses != 1 || listed.age > .seconds(60) { complain("the open scope is listed as \(listed)") }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      if observer.count != 4 * run.size {
        complain("\(observer.count) scopes were observed instead of \(4 * run.size)")
      }
      if !app.openScopes.isEmpty { complain("scopes are open after their end: \(app.openScopes)") }
    }
  }

  @Test("Relationships work until their scope has ended, with or without an extension")
  func relationshipsAtTheEnd() async throws {
    let run = StressRun("relationships at the end of scopes", size: 1_000)
    let accounts = Accounts()
    try await withWatchdog("relationships at the end of scopes") {
      let app = Container {
        Registration(Asset.self, scope: .scoped) { _ in Asset(accounts) }
        Registration(autowired: Relationships.self, scope: .scoped, initializer: Relationships.init)
      }
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = run.random(task)
            for _ in 0..<run.size {
              let choice = random.next() % 4
              await withTaskGroup(of: Void.self) { users in
                do {
                  let lease = try await app.withScope { scope in
                    let relationships = try await scope.resolve(Relationships.self)
                    for number in 0..<2 { users.addTask { await relationships.use(lazyFirst: number == 0) } }
                    if choice == 3 { await Task.yield() }
                    return choice == 0 ? nil : try scope.extendScope()
                  }
                  // Otherwise, the release of the extension ends it.
                  if choice > 1 { try await lease?.end() }
                } catch {
                  complain("unexpected error: \(error)")
                }
              }
            }
          }
        }
      }
      while !app.openScopes.isEmpty { await Task.yield() }
      if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
      while accounts.alive > 0 { await Task.yield() }
    }
  }

  @Test("A closed scope stays closed for its remaining holders")
  func closedScopes() async throws {
    let run = StressRun("closed scopes with holders", size: 2_000)
    try await withWatchdog("closed scopes with holders") {
      let app = Container {
        Registration(Version.self, scope: .scoped) { r in Version(Int(r.container.name) ?? -1) }
      }
      await withTaskGroup(of: [WeakContainer].self) { group in
        for task in 0..<4 {
          group.addTask {
            var random = run.random(task)
            var (strong, weakly): ([Container], [WeakContainer]) = ([], [])
            for number in 0..<run.size {
              let choice = random.next() % 8
              let id = task * run.size + number
              let body: @Sendable (Container) async throws -> (Container?, WeakContainer?) = { scope in
                if scope.name != "\(id)" || scope.parent !== app {
                  complain("the scope is \(scope.name) instead of \(id)")
                }
                if choice == 0 { try await scope.register(Int.self) { _ in id } }
                let version = try await scope.resolve(Version.self).number
                if version != id { complain("scope \(id) resolved the instance of scope \(version)") }
                if choice != 0, scope.registrationCount > 0 { complain("the scope has registrations of another scope") }
                if choice == 1 { await Task.yield() }
                return (choice == 2 ? scope : nil, choice == 3 ? WeakContainer(scope) : nil)
              }
              guard let (held, seen) = try? await app.withScope("\(id)", operation: body) else {
                complain("withScope failed")
                continue
              }
              if let held { strong.append(held) }
              if let seen { weakly.append(seen) }
              if choice == 4, let old = strong.randomElement(using: &random) {
                if (try? await old.resolve(Version.self)) != nil { complain("a closed scope resolved a service") }
              }
              if choice == 5, let old = weakly.randomElement(using: &random)?.container {
                // The task that closed the container's previous scope can still hold a reference to it.
                if (try? await old.resolve(Version.self)) != nil { complain("a closed scope resolved a service") }
              }
              if strong.count > 32 { strong.removeAll() }
              if weakly.count > 32 { weakly.removeAll() }
            }
            return weakly
          }
        }
        // All tasks have released their scopes.
        let weakly = await group.reduce(into: []) { $0 += $1 }
        if weakly.contains(where: { $0.container != nil }) { complain("a scope is not freed") }
      }
    }
  }

  @Test("Open scopes resolve a parent's replacement at the next resolve")
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
                if version < newest {
                  complain("the resolve returned version \(version) although \(newest) is registered")
                }
                if version != (try scope.resolveNow(Version.self)).number, published.value == newest {
                  // A change can come between the two resolves.
                  let next = try await scope.resolve(Version.self).number
                  if next < newest { complain("the resolve returned version \(next) although \(newest) is registered") }
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
          guard let version = try? child.resolve(Version.self).number else {
            return complain("the resolve returned no instance")
          }
          if version < newest { complain("the resolve returned version \(version) although \(newest) is registered") }
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

  @Test("A pool checks an instance out once at a time, and disposes of it once")
  func pools() async throws {
    let run = StressRun("pools", size: 400)
    let accounts = Accounts()
    try await withWatchdog("pools") {
      let app = Container {
        Registration(Asset.self, scope: .pooled(max: 3)) { _ in Asset(accounts, suspends: true) }
      }
      let checkedOut = CheckedOut()
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            for round in 0..<run.size {
              do {
                try await app.withScope { scope in
                  let asset = try await scope.resolve(Asset.self)
                  checkedOut.add(asset.number)
                  await Task.yield()
                  if try scope.resolveNow(Asset.self) !== asset { complain("the scope resolved another instance") }
                  checkedOut.remove(asset.number)
                }
                if worker == 0 && round.isMultiple(of: 64) { await app.reset(Asset.self) }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
      }
      do { try await app.shutdown() } catch { complain("unexpected error: \(error)") }
      if accounts.undisposed > 0 { complain("\(accounts.undisposed) instances were not disposed of") }
    }
  }
}

/// Counts the scopes that open.
private final class Opened: ContainerObserver {
  private let opened = Atomic(0)
  var count: Int { opened.load(ordering: .sequentiallyConsistent) }

  func container(_ container: Container, didEmit event: ContainerEvent) {
    if case .opened = event.kind { opened.add(1, ordering: .sequentiallyConsistent) }
  }
}

private final class WeakContainer: Sendable {
  weak let container: Container?
  init(_ container: Container) { self.container = container }
}

private final class Version: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class CheckedOut: Sendable {
  private let numbers = Lock<Set<Int>>([])
  func add(_ number: Int) {
    if !numbers.withLock({ $0.insert(number).inserted }) { complain("instance \(number) is checked out twice") }
  }
  func remove(_ number: Int) { _ = numbers.withLock { $0.remove(number) } }
}

private final class Relationships: Sendable {
  let lazy: Lazy<Asset>
  let provider: Provider<Asset>

  init(lazy: Lazy<Asset>, provider: Provider<Asset>) {
    self.lazy = lazy
    self.provider = provider
  }

  /// Uses both until they find the scope closed, or a few times.
  func use(lazyFirst: Bool) async {
    do {
      for number in 0..<8 {
        let asset = try await (number % 2 == 0) == lazyFirst ? lazy() : provider()
        if try await lazy() !== asset { complain("a scope has two instances") }
      }
    } catch let error as ResolutionError where error.code == .closed {
    } catch {
      complain("unexpected error: \(error)")
    }
  }
}
