import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// The open scopes that ``Container/openScopes`` lists, with keys and without.
@Suite("Open scopes", .timeLimit(.minutes(5)))
struct OpenScopeTests {
  private let clock = ManualClock()
  private let app: Container

  init() { app = Container(name: "app", configuration: .init(clock: clock)) }

  private func users() -> KeyedScopes<String> { app.keyedScopes("user", idleFor: .seconds(60)) }

  @Test func aScopeWithoutAKeyHasOneUse() async throws {
    let lease = try await app.withScope("request") { (request: Container) async throws in
      let open = app.openScopes
      #expect(open.map(\.uses) == [1] && open.map(\.idleFor) == [nil] && open.allSatisfy { $0.key == nil })
      return try request.extendScope()
    }
    let open = app.openScopes
    #expect(open.map(\.uses) == [1] && open.map(\.idleFor) == [nil] && open.allSatisfy { $0.key == nil })
    try await lease.end()
  }

  @Test func aScopeByKeyHasItsKeyAndItsUsesOrIdleTime() async throws {
    let users = users()
    try await users.withScope("Ada") { _ in }
    try await users.withScope("Bob") { (user: Container) async throws in
      try await users.withScope("Bob") { (_: Container) async throws in
        try await user.withScope("request") { (_: Container) async throws in
          clock.advance(by: .seconds(5))
          let open = app.openScopes.sorted { ($0.key as? String ?? "~") < ($1.key as? String ?? "~") }
          #expect(open.map { $0.key as? String } == ["Ada", "Bob", nil])
          #expect(open.map(\.uses) == [0, 2, 1])
          #expect(open.map(\.idleFor) == [.seconds(5), nil, nil])
          #expect(open.map(\.container) == ["app", "app", "user"])
        }
      }
    }
    let (all, byKey) = (app.openScopes, users.open)
    #expect(Set(all.map(\.idleFor)) == [.zero, .seconds(5)] && Set(byKey.map(\.idleFor)) == [.zero, .seconds(5)])
    #expect(all.allSatisfy { $0.uses == 0 } && byKey.allSatisfy { $0.uses == 0 })
  }

  @Test func theTextSaysWhetherAScopeIsIdleButNotItsKey() async throws {
    let users = users()
    try await users.withScope("Ada") { (_: Container) async throws in
      let open = try #require(app.openScopes.first)
      #expect(open.description.hasPrefix("scope \"user\" (\(open.id)) in container \"app\", open for "))
      #expect(!open.description.contains("idle"))
    }
    clock.advance(by: .seconds(5))
    let open = try #require(app.openScopes.first)
    #expect(open.description.hasSuffix(", idle for 5.0 s"))
    #expect(!"\(open) \([open])".contains("Ada"))
  }

  @Test func aScopeThatEndsIsNotIdle() async throws {
    let seen = Shelf<[OpenScope]>([])
    let users = app.keyedScopes("user", idleFor: .seconds(60)) { [app] (_: String) in
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.onDispose { _ in seen.value = app.openScopes }
    }
    try await users.withScope("Ada") { _ = try await $0.resolve(Probe.self) }
    await users.end("Ada")
    #expect(seen.value.map { $0.key as? String } == ["Ada"])
    #expect(seen.value.map(\.uses) == [0] && seen.value.map(\.idleFor) == [nil])
  }

  @Test func aShutdownReportsThePresentUses() async throws {
    let users = users()
    let (begun, mayReturn) = (Counter(), Gate())
    let late = (0..<2).map { _ in
      Task {
        try await users.withScope("Ada") { _ in
          begun.increment()
          try await Gate().passed()
        }
      }
    }
    let other = Task {
      try await users.withScope("Ada") { _ in
        begun.increment()
        await mayReturn.wait()
      }
    }
    await begun.wait(for: 3)
    let closing = Task { try await app.shutdown(timeout: .seconds(1)) }
    try await clock.waitForSleepers()
    mayReturn.open()
    try await other.value
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: ShutdownError.self) { try await closing.value }
    #expect(error?.openScopes.map { $0.key as? String } == ["Ada", "Ada"])
    #expect(error?.openScopes.map(\.uses) == [2, 2] && error?.openScopes.map(\.idleFor) == [nil, nil])
    let text = try #require(error?.description)
    #expect(text.contains("scope \"user\"") && !text.contains("Ada"))
    for task in late { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  /// A key whose code lists the open scopes, which would wait for a lock that the caller holds.
  private final class Curious: Hashable, Sendable {
    private let number: Int
    private let list: @Sendable () -> Void

    init(_ number: Int, _ list: @escaping @Sendable () -> Void) {
      self.number = number
      self.list = list
    }

    static func == (left: Curious, right: Curious) -> Bool {
      left.list()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      list()
      hasher.combine(number)
    }

    deinit { list() }
  }

  @Test func theCodeOfAKeyMayListTheScopes() async throws {
    let lists = Counter()
    let scopes: KeyedScopes<Curious> = app.keyedScopes("user", idleFor: .seconds(60))
    let list: @Sendable () -> Void = { [app] in
      lists.increment()
      _ = (app.openScopes, scopes.open)
    }
    for _ in 0..<2 {
      for number in 0..<3 { try await scopes.withScope(Curious(number, list)) { _ in } }
    }
    #expect(scopes.open.count == 3 && app.openScopes.count == 3)
    let before = lists.count
    for number in 0..<3 { await scopes.end(Curious(number, list)) }
    // Each end hashes a key, compares it, and releases it as well as the key of the scope.
    try await until { lists.count >= before + 12 }
    #expect(app.openScopes.isEmpty)
  }
}
