import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// The instances that are disposed of, in which order, and how.
@Suite("Order of disposal", .timeLimit(.minutes(5)))
struct DisposalOrderTests {
  private let journal = Journal<String>()

  @Test func resetAndShutdownDisposeOfServicesBeforeTheirDependencies() async throws {
    let container = Container { [journal] in
      // The order of registration does not matter.
      Registration(autowired: Roof.self, scope: .singleton, initializer: Roof.init)
      Registration(Cellar.self, scope: .singleton) { _ in Cellar(journal: journal) }
      Registration(autowired: Floor.self, scope: .singleton, initializer: Floor.init)
    }
    for round in 1...4 {
      _ = try await container.resolve(Roof.self)
      if round < 4 { await container.reset() } else { try await container.shutdown() }
      #expect(journal.entries.suffix(3) == ["roof", "floor", "cellar"] && journal.entries.count == 3 * round)
    }
  }

  /// Scopes would contend for the reference count of a registration that their disposals held.
  @Test func hooksRunInOrderThoughTheirRegistrationIsGone() async throws {
    final class Service: Sendable {}
    struct Removed: Sendable { nonisolated(unsafe) weak var binding: Binding? }
    let container = Container { [journal] in
      Registration(Service.self, scope: .scoped) { _ in Service() }
        .onDispose { _ in journal.note("first") }
        .onDispose { (_: Service) async in
          await Task.yield()
          journal.note("second")
        }
        .onDispose { _, outcome in journal.note("third, \(outcome)") }
    }
    let removed = Shelf(Removed())
    try await container.withScope { scope in
      _ = try await scope.resolve(Service.self)
      unsafe removed.value.binding = container.locate(ServiceIdentity(Service.self))?.binding
      await container.unregister(Service.self)
      try await until {
        Reclaimer.shared.collect()
        return unsafe removed.value.binding == nil
      }
      #expect(journal.entries == [])
    }
    #expect(journal.entries == ["first", "second", "third, completed"])
  }

  @Test func shutdownDisposesOfFactoryBuiltServicesBeforeTheirDependencies() async throws {
    let container = Container { [journal] in
      Registration(Cellar.self, scope: .singleton) { _ in
        await Task.yield()
        return Cellar(journal: journal)
      }
      Registration(Floor.self, scope: .shared) { r in Floor(cellar: try await r.resolve()) }
      Registration(Roof.self, scope: .scoped) { r in
        let floor = try await r.resolve(Floor.self)
        return Roof(floor: floor)
      }
    }
    let roof = try await container.resolve(Roof.self)
    try await container.shutdown()
    #expect(journal.entries == ["roof", "floor", "cellar"])
    withExtendedLifetime(roof) {}
  }

  /// An instance counts as created when its hooks are done.
  @Test func shutdownDisposesOfServicesBuiltByAHookAfterTheHooksService() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("first", journal) }.key(1)
        .onCreated { _, r in _ = try r.resolve(Connection.self, key: 2) }
        .onCreated { _, r in _ = try await r.resolve(Connection.self, key: 3) }
      Registration(Connection.self, scope: .singleton) { _ in Connection("by a hook", journal) }.key(2)
      Registration(Connection.self, scope: .singleton) { _ in Connection("by another", journal) }.key(3)
    }
    _ = try await container.resolve(Connection.self, key: 1)
    try await container.shutdown()
    #expect(journal.entries == ["first", "by another", "by a hook"])
  }

  private final class User: Disposable, @unchecked Sendable {
    let journal: Journal<String>
    // `@unchecked Sendable` because only hooks set the properties, before the instance is visible elsewhere.
    var connection: Connection?
    var friend: Friend?
    init(_ journal: Journal<String>) { self.journal = journal }
    func dispose() async throws { journal.note("user") }
  }
  private final class Friend: Disposable {
    let user: User
    init(user: User) { self.user = user }
    func dispose() async throws { user.journal.note("friend") }
  }

  @Test(arguments: allScopes + [.scoped, .pooled(max: 1)])
  func shutdownDisposesOfAnInjectedServiceAfterItsUser(scope: Scope) async throws {
    for isAsynchronous in [false, true] {
      let container = Container { [journal] in
        if isAsynchronous {
          Registration(User.self, scope: scope) { _ in
            await Task.yield()
            return User(journal)
          }
          .inject(\.connection)
        } else {
          Registration(User.self, scope: scope) { _ in User(journal) }.inject(\.connection)
        }
        Registration(Connection.self, scope: .singleton) { _ in Connection("connection", journal) }
      }
      let user = try await container.resolve(User.self)
      try await container.shutdown()
      #expect(journal.entries.suffix(2) == ["user", "connection"])
      withExtendedLifetime(user) {}
    }
    #expect(journal.entries.count == 4)
  }

  @Test func aResetDisposesOfAnInjectedServiceAfterItsUser() async throws {
    let container = Container { [journal] in
      Registration(User.self, scope: .singleton) { _ in User(journal) }.inject(\.connection)
      Registration(Connection.self, scope: .singleton) { _ in Connection("connection", journal) }
    }
    _ = try await container.resolve(User.self)
    await container.reset()
    #expect(journal.entries == ["user", "connection"])
  }

  /// Between services that refer to one another, the order of the factories counts. What one of them got besides ends after them.
  @Test(arguments: [Scope.singleton, .graph], [false, true])
  func aCircleIsDisposedOfInReverseOrderOfItsFactories(scope: Scope, isFriendFirst: Bool) async throws {
    for hasConnectionFirst in [false, true] {
      let container = Container { [journal] in
        if hasConnectionFirst {
          Registration(User.self, scope: scope) { _ in User(journal) }.inject(\.connection).inject(\.friend)
        } else {
          Registration(User.self, scope: scope) { _ in User(journal) }.inject(\.friend).inject(\.connection)
        }
        Registration(autowired: Friend.self, scope: scope, initializer: Friend.init)
        Registration(Connection.self, scope: .singleton) { _ in Connection("connection", journal) }
      }
      if isFriendFirst {
        _ = try await container.resolve(Friend.self)
      } else {
        _ = try await container.resolve(User.self)
      }
      try await container.shutdown()
      #expect(journal.entries.suffix(3) == ["friend", "user", "connection"])
    }
    #expect(journal.entries.count == 6)
  }

  private final class Third: Disposable {
    let journal: Journal<String>
    init(first: First) { journal = first.journal }
    func dispose() async throws { journal.note("third") }
  }
  private final class Second: Disposable {
    let journal: Journal<String>
    init(third: Third) { journal = third.journal }
    func dispose() async throws { journal.note("second") }
  }
  private final class First: Disposable {
    let journal: Journal<String>
    init(_ journal: Journal<String>) { self.journal = journal }
    func dispose() async throws { journal.note("first") }
  }

  // A regression: the unkept instance and the pooled one stayed where they were when the others were numbered anew.
  @Test(arguments: [Scope.singleton, .graph, .transient, .pooled(max: 1)])
  func unkeptAndPooledMembersOfACircleHaveAPlaceInItsOrder(second: Scope) async throws {
    for third: Scope in [.singleton, .transient, .pooled(max: 1)] {
      for connection: Scope in [.singleton, .transient, .pooled(max: 1)] {
        for isAsynchronous in [false, true] {
          let container = Container { [journal] in
            Registration(Connection.self, scope: connection) { _ in Connection("connection", journal) }
            if isAsynchronous {
              Registration(First.self, scope: .singleton) { _ in First(journal) }.onCreated { _, r in
                _ = try await r.resolve(Second.self)
                _ = try await r.resolve(Connection.self)
              }
              Registration(Second.self, scope: second) { r async throws in
                await Task.yield()
                return Second(third: try await r.resolve())
              }
              Registration(Third.self, scope: third) { r async throws in
                await Task.yield()
                return Third(first: try await r.resolve())
              }
            } else {
              Registration(First.self, scope: .singleton) { _ in First(journal) }.onCreated { _, r in
                _ = try r.resolve(Second.self)
                _ = try r.resolve(Connection.self)
              }
              Registration(autowired: Second.self, scope: second, initializer: Second.init)
              Registration(autowired: Third.self, scope: third, initializer: Third.init)
            }
          }
          _ = try await container.resolve(First.self)
          try await container.shutdown()
          #expect(
            journal.entries.suffix(4) == ["second", "third", "first", "connection"],
            "\(third), \(connection), \(isAsynchronous)")
        }
      }
    }
    #expect(journal.entries.count == 4 * 18)
  }

  @Test func onDisposeClosuresRunInOrderOfAdditionBeforeDispose() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("itself", journal) }
        .onDispose { journal.note("synchronous \($0.name)") }
        .onDispose { service in
          await Task.yield()
          journal.note("asynchronous \(service.name)")
        }
        .onDispose { @MainActor service in
          MainActor.assertIsolated()
          journal.note("on the main actor \(service.name)")
        }
    }
    _ = try sync { try container.resolve(Connection.self) }
    try await container.shutdown()
    #expect(
      journal.entries == [
        "synchronous itself", "asynchronous itself", "on the main actor itself", "itself",
      ])
  }

  @Test func aFailingSynchronousClosureDoesNotStopTheOthers() async throws {
    let container = Container { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe("a") }.onDispose { journal.note($0.name) }
      Registration(Probe.self, scope: .scoped) { _ in Probe("b") }.key(1).onDispose { journal.note($0.name) }
        .onDispose { _ in throw Boom() }.onDispose { journal.note($0.name + " too") }
    }
    _ = try await (container.resolve(Probe.self), container.resolve(Probe.self, key: 1))
    let error = await #expect(throws: ShutdownError.self) { try await container.shutdown() }
    #expect(error?.failures.count == 1 && error?.failures.first?.key as? Int == 1)
    #expect(journal.entries == ["b", "b too", "a"], "A failure does not stop the other disposals")
  }

  @Test func failuresOfClosuresAndOfDisposeDoNotStopTheOthers() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        Connection("itself", journal, failure: Boom(number: 3))
      }
      .onDispose { _ in throw Boom(number: 1) }
      .onDispose { _ async throws in throw Boom(number: 2) }
      Registration(Connection.self, scope: .singleton) { r in Connection("other", journal) }.key(1)
    }
    _ = try await (container.resolve(Connection.self, key: 1), container.resolve(Connection.self))
    let error = await #expect(throws: ShutdownError.self) { try await container.shutdown() }
    #expect(error?.failures.map { $0.error as? Boom } == [1, 2, 3].map { Boom(number: $0) })
    #expect(journal.entries == ["itself", "other"])
  }

  @Test func shutdownDisposesOfChildrensInstancesBeforeTheParents() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
    }
    let first = app.makeChild(name: "first")
    let second = app.makeChild(name: "second")
    let inner = first.makeChild(name: "inner")
    for container in [inner, first, app, second] { _ = try await container.resolve(Connection.self) }
    try await app.shutdown()
    #expect(journal.entries.last == "app" && Set(journal.entries) == ["inner", "first", "second", "app"])
    let place = { journal.entries.firstIndex(of: $0) ?? 99 }
    #expect(place("inner") < place("first"), "\(journal.entries)")
    for child in [first, second, inner] {
      #expect(try await asyncResolutionError { try await child.resolve(Connection.self) }.code == .closed)
    }
  }

  @Test func shutdownDisposesInReverseOrderOfCreation() async throws {
    let container = Container { [journal] in
      for number in 0..<200 {
        Registration(Probe.self, scope: .singleton) { _ in Probe("\(number)") }.key(number)
          .onDispose { probe in
            if number.isMultiple(of: 3) { await Task.yield() }
            journal.note(probe.name)
          }
      }
    }
    var order = Array(0..<200)
    var random = SeededGenerator(seed: 11)
    order.shuffle(using: &random)
    for number in order { _ = try await container.resolve(Probe.self, key: number) }
    try await container.shutdown()
    #expect(journal.entries == order.reversed().map { "\($0)" })
  }

  /// A service that loads its connection when it is initialised.
  private final class Session: PostInitialization, Disposable {
    let connection: Lazy<Connection>
    let journal: Journal<String>

    init(_ connection: Lazy<Connection>, _ journal: Journal<String>) {
      self.connection = connection
      self.journal = journal
    }

    func didInitialize() async throws { _ = try await connection() }
    func dispose() async throws { journal.note("session") }
  }

  // A regression: the connection counted as created after the session.
  @Test(arguments: [Scope.transient, .singleton, .scoped, .pooled(max: 1)])
  func whatAnInstanceLoadsWhenItIsInitializedIsDisposedOfAfterIt(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("connection", journal) }
      Registration(Session.self, scope: scope) { r in Session(try await r.resolve(), journal) }
    }
    _ = try await container.resolve(Session.self)
    try await container.shutdown()
    #expect(journal.entries == ["session", "connection"])
  }
}
