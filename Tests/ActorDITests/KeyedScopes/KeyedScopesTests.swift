import ActorDITestSupport
import ActorDITesting
import Synchronization
import Testing

@testable import ActorDI

/// Scopes that are opened by a key.
@Suite("Scopes by key", .timeLimit(.minutes(5)))
struct KeyedScopesTests {
  private let journal = Journal<String>()
  private let clock = ManualClock()
  private let app: Container

  init() {
    app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .scoped("tenant")) { r in
        Connection("connection \(try r.resolve(Int.self))", journal)
      }
      Registration(Probe.self, scope: .scoped) { r in Probe("\(try r.resolve(Int.self))") }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
      Registration(Root.self, scope: .scoped("request")) { r in Root(try r.resolve(Connection.self)) }
    }
  }

  private func tenants(idleFor: Duration? = nil, max: Int? = nil) -> KeyedScopes<Int> {
    app.keyedScopes("tenant", idleFor: idleFor, max: max) { (id: Int) in Registration(instance: id) }
  }

  // MARK: Using

  @Test func callersOfOneKeyShareItsScope() async throws {
    let tenants = tenants()
    try await tenants.withScope(1) { first in
      let connection = try await first.resolve(Connection.self)
      #expect(connection.name == "connection 1" && first.name == "tenant")
      // Another task, at the same time.
      let (second, same) = try await Task { [connection] in
        try await tenants.withScope(1) { scope in (scope, try await scope.resolve(Connection.self) === connection) }
      }.value
      #expect(second === first && same)
      try await tenants.withScope(2) { (other: Container) async throws in
        #expect(other !== first)
        #expect(try await other.resolve(Connection.self).name == "connection 2")
      }
      #expect(journal.entries == ["connection 2"])
      #expect(try await first.resolve(Polite.self) === app.resolve(Polite.self))
    }
    #expect(journal.entries == ["connection 2", "connection 1"])
    #expect(tenants.open.isEmpty && app.openScopes.isEmpty)
  }

  @Test func theRegistrationsAreEvaluatedOnceForEachScope() async throws {
    let evaluated = Journal<String>()
    let documents = app.keyedScopes("document", idleFor: .seconds(1)) { (name: String) in
      evaluated.note(name)
      return Registrations { Registration(instance: name) }
    }
    for _ in 0..<3 {
      for name in ["a", "b"] {
        #expect(try await documents.withScope(name) { try await $0.resolve(String.self) } == name)
      }
    }
    #expect(evaluated.entries == ["a", "b"])
    await documents.end("a")
    try await documents.withScope("a") { _ in }
    #expect(evaluated.entries == ["a", "b", "a"])
  }

  @Test func aCollectionNeedsNoRegistrations() async throws {
    let windows: KeyedScopes<String> = app.keyedScopes("window")
    let name = try await windows.withScope("main") { $0.name }
    #expect(name == "window")
  }

  @Test func requestScopesNestBelow() async throws {
    let tenants = tenants(idleFor: .seconds(1))
    let connection = try await tenants.withScope(1) { tenant in
      try await tenant.withScope("request") { request in
        try await request.resolve(Root.self).next as? Connection
      }
    }
    try await tenants.withScope(1) { (tenant: Container) async throws in
      #expect(try await tenant.resolve(Connection.self) === connection)
    }
  }

  @Test func anErrorOfTheOperationIsThrownAndEndsTheUse() async throws {
    let tenants = tenants()
    await #expect(throws: Boom(number: 1)) {
      try await tenants.withScope(1) { scope in
        _ = try await scope.resolve(Connection.self)
        throw Boom(number: 1)
      }
    }
    #expect(tenants.open.isEmpty && journal.entries == ["connection 1"])
  }

  @Test func aFailedDisposalIsThrownByTheLastUser() async throws {
    let tenants = app.keyedScopes("tenant") { [journal] (id: Int) in
      Registration(Connection.self, scope: .scoped) { _ in Connection("failing", journal, failure: Boom(number: id)) }
    }
    let error = await #expect(throws: ShutdownError.self) {
      try await tenants.withScope(7) { _ = try await $0.resolve(Connection.self) }
    }
    #expect(error?.failures.count == 1 && error?.container == "tenant")
    #expect(tenants.open.isEmpty)
  }

  // MARK: Opening

  @Test func aFaultyRegistrationFailsTheOpenerAlone() async throws {
    let isFaulty = Shelf(true)
    let tenants = app.keyedScopes("tenant", idleFor: .seconds(1)) { (id: Int) in
      if isFaulty.value {
        Registration(Setting.self, scope: .transient) { _ in Setting() }.eager()
      } else {
        Registration(instance: Setting(number: id))
      }
    }
    let error = try await asyncResolutionError { try await tenants.withScope(1) { _ in } }
    #expect(error.code == .invalidRegistration)
    #expect(tenants.open.isEmpty && app.openScopes.isEmpty)
    isFaulty.value = false
    #expect(try await tenants.withScope(1) { try await $0.resolve(Setting.self) }.number == 1)
  }

  @Test func aCancelledOpenerFailsAlone() async throws {
    let tenants = tenants(idleFor: .seconds(1))
    let opener = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await tenants.withScope(1) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await opener.value }
    try await tenants.withScope(1) { _ in }
    // A cancelled task may use a scope that is open.
    let user = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await tenants.withScope(1) { try $0.resolve(Int.self) }
    }
    #expect(try await user.value == 1)
  }

  @Test func aClosedContainerOpensNothing() async throws {
    let tenants = tenants(idleFor: .seconds(1))
    try await app.shutdown()
    #expect(try await asyncResolutionError { try await tenants.withScope(1) { _ in } }.code == .closed)
    #expect(tenants.open.isEmpty)
    await tenants.end(1)
  }

  // MARK: The list

  @Test func openScopesAreListedWithTheirAges() async throws {
    let tenants = tenants(idleFor: .seconds(100))
    #expect(tenants.open.isEmpty)
    try await tenants.withScope(1) { _ in }
    clock.advance(by: .seconds(10))
    try await tenants.withScope(2) { _ in
      try await tenants.withScope(2) { _ in
        clock.advance(by: .seconds(5))
        let open = tenants.open
        #expect(open.map(\.key) == [1, 2])
        #expect(open.map(\.age) == [.seconds(15), .seconds(5)])
        #expect(open.map(\.uses) == [0, 2])
        #expect(open.map(\.idleFor) == [.seconds(15), nil])
        #expect(open.map(\.description) == ["1, open for 15.0 s, idle for 15.0 s", "2, open for 5.0 s, 2 uses"])
      }
    }
    #expect(tenants.open.map(\.idleFor) == [.seconds(15), .zero])
    #expect(app.openScopes.map(\.name) == ["tenant", "tenant"])
  }

  // MARK: Events

  @Test func observersSeeTheScopes() async throws {
    let events = app.events()
    let tenants = tenants(idleFor: .seconds(1))
    try await tenants.withScope(1) { _ = try await $0.resolve(Connection.self) }
    try await tenants.withScope(1) { _ in }
    await tenants.end(1)
    let seen = try await events.allTaken(from: app).filter { $0.container == "tenant" && $0.service != Int.self }
    #expect(
      seen.allSummaries == [
        "opened tenant", "building Connection", "created Connection", "disposed Connection", "closed tenant",
      ])
  }
}
