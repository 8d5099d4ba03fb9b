import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// Two services that refer to each other: a hook of the server resolves the client, whose factory takes the server.
private final class Server: Noted, Disposable {
  let name = "server"
  private let state = Mutex<(client: Client?, isReady: Bool)>((nil, false))
  private let journal: Journal<String>?
  init(_ journal: Journal<String>? = nil) { self.journal = journal }
  var client: Client? { state.withLock { $0.client } }
  /// Whether the server's hooks have run.
  var isReady: Bool { state.withLock { $0.isReady } }
  func take(_ client: Client) { state.withLock { $0.client = client } }
  func becomeReady() { state.withLock { $0.isReady = true } }
  func dispose() async throws { journal?.note("server") }
}

private final class Client: Noted, Disposable {
  let name = "client"
  // Weak, since the server holds the client.
  private let link: Mutex<WeakServer>
  private let journal: Journal<String>?
  init(_ server: Server? = nil, _ journal: Journal<String>? = nil) {
    link = Mutex(WeakServer(server: server))
    self.journal = journal
  }
  var server: Server? { link.withLock { $0.server } }
  func take(_ server: Server) { link.withLock { $0.server = server } }
  func dispose() async throws { journal?.note("client") }

  private struct WeakServer { weak var server: Server? }
}

/// A part of a call. Its lazy holds the graph of the call, and so the place of the part.
private final class Part: Sendable {
  let server: Server
  let lazy: Lazy<Probe>
  let token: ObjectLifetime.Token
  init(_ server: Server, _ lazy: Lazy<Probe>, _ token: ObjectLifetime.Token) {
    self.server = server
    self.lazy = lazy
    self.token = token
  }
}

/// A service that takes the client, and so is tied to the client's ties.
private final class Page: Sendable {
  let client: Client
  init(_ client: Client) { self.client = client }
}

private protocol Plugin: Sendable {}
/// A service that takes the server, and whose dynamic type needs an asynchronous step.
private final class Extension: Plugin, PostInitialization {
  let server: Server
  init(_ server: Server) { self.server = server }
  func didInitialize() async throws {}
}

private let keptScopes: [Scope] = [.singleton, .shared, .scoped, .managed(by: ManagedScope())]

extension Scope {
  /// Whether failed instances are surely disposed of. An instance kept weakly may be freed before its disposal.
  fileprivate var isDisposing: Bool { self != .shared }
}

@Suite("Builds that end together", .timeLimit(.minutes(5)))
struct TiedBuildTests {
  // MARK: Failure

  @Test("A failing hook discards the services that took its instance", arguments: keptScopes)
  func failsTogether(scope: Scope) async throws {
    let (journal, failures) = (Journal<String>(), Counter())
    let container = Container {
      Registration(Server.self, scope: scope) { _ in Server(journal) }
        .onCreated { server, r in
          server.take(try r.resolve(Client.self))
          if failures.increment() == 1 { throw Boom() }
          server.becomeReady()
        }
      Registration(Client.self, scope: scope) { r in Client(try r.resolve(Server.self), journal) }
    }
    #expect(throws: Boom.self) { try container.resolveNow(Server.self) }
    #expect(container.resolveIfReady(Client.self) == nil)
    if scope.isDisposing {
      try await until { journal.entries.count == 2 }
      #expect(journal.entries == ["client", "server"], "The last created instance is disposed of first")
    }

    let server = try container.resolveNow(Server.self)
    #expect(server.isReady)
    #expect(server.client?.server === server)
    #expect(try container.resolveNow(Client.self) === server.client)
    if scope.isDisposing {
      try await container.shutdown()
      #expect(journal.entries.count == 4)
    }
  }

  @Test("A failing hook discards the graph's services that took its instance")
  func failsTogetherInAGraph() throws {
    let (servers, clients) = (Counter(), Counter())
    let container = Container {
      Registration(Server.self, scope: .graph) { _ in Server() }
        .onCreated { server, r in
          server.take(try r.resolve(Client.self))
          if servers.increment() == 1 { throw Boom() }
        }
      Registration(Client.self, scope: .graph) { r in
        clients.increment()
        return Client(try r.resolve(Server.self))
      }
      Registration(Page.self) { r in
        #expect(throws: Boom.self) { try r.resolve(Server.self) }
        let server = try r.resolve(Server.self)
        #expect(server.client?.server === server)
        #expect(try r.resolve(Client.self) === server.client)
        return Page(try r.resolve(Client.self))
      }
    }
    _ = try container.resolve(Page.self)
    #expect(clients.count == 2)
  }

  /// The factory runs in place, in the once cell on the thread, and in a task.
  @Test func aFailingHookDiscardsAServiceThatNeedsCompletion() async throws {
    let runs = Counter()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (_: Server, r: Resolver) async throws in
          _ = try await r.resolve((any Plugin).self)
          throw Boom()
        }
      Registration((any Plugin).self, scope: .singleton) { r in
        runs.increment()
        return Extension(try r.resolve())
      }
    }
    await #expect(throws: Boom.self) { try await container.resolve(Server.self) }
    #expect(container.resolveIfReady((any Plugin).self) == nil)
    #expect(runs.count <= 3)
  }

  /// The part is tied to the server, so it is complete only after the end of the call that has made it.
  @Test func aCallThatHasEndedDoesNotKeepItsPart() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { _, r in _ = try r.resolve(Provider<Part>.self).synchronously() }
      Registration(Part.self, scope: .graph) { r in
        Part(try r.resolve(Server.self), try r.resolve(Lazy<Probe>.self), lifetime.token())
      }
      Registration(Probe.self) { _ in Probe() }
    }
    _ = try container.resolveNow(Server.self)
    try await lifetime.ended.passed()
  }

  @Test("Cancelling the only waiter discards the services that took the instance", arguments: keptScopes)
  func isCancelledTogether(scope: Scope) async throws {
    let (journal, built, never) = (Journal<String>(), Gate(), Gate())
    let runs = Counter()
    let container = Container {
      Registration(Server.self, scope: scope) { _ in Server(journal) }
        .onCreated { (server: Server, r: Resolver) async throws in
          let client = try await r.resolve(Client.self)
          server.take(client)
          if runs.increment() == 1 {
            built.open()
            try await never.passed()
          }
          server.becomeReady()
        }
      Registration(Client.self, scope: scope) { r in Client(try await r.resolve(Server.self), journal) }
    }
    let caller = Task { try await container.resolve(Server.self) }
    try await built.passed()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    if scope.isDisposing {
      try await until { journal.entries.count == 2 }
      #expect(journal.entries == ["client", "server"])
    }
    #expect(container.resolveIfReady(Client.self) == nil)

    let server = try await container.resolve(Server.self)
    #expect(server.isReady)
    #expect(server.client?.server === server)
    #expect(try await container.resolve(Client.self) === server.client)
  }

  @Test("The waiters of a dropped instance build it again")
  func waitersRetry() async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let runs = Counter()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          let isFirst = runs.increment() == 1
          server.take(try await r.resolve(Client.self))
          if isFirst {
            taken.open()
            await gate.wait()
            throw Boom()
          }
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self)) }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    let second = await stage.start { _ in try await container.resolve(Client.self) }
    gate.open()
    await #expect(throws: Boom.self) { try await first.value }
    // The client is resolved first. Its build has the server built, whose hook leads back to the client before it is created.
    let error = try await asyncResolutionError { try await second.value }
    #expect(error.code == .cycle)
    let server = try await container.resolve(Server.self)
    #expect(try await container.resolve(Client.self) === server.client)
    #expect(server.client?.server === server)
  }

  // MARK: Visibility

  @Test("Other callers get a tied instance once all hooks have run", arguments: keptScopes)
  func areVisibleTogether(scope: Scope) async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Server.self, scope: scope) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          server.take(try await r.resolve(Client.self))
          taken.open()
          await gate.wait()
          server.becomeReady()
        }
      Registration(Client.self, scope: scope) { r in Client(try await r.resolve(Server.self)) }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    #expect(container.resolveIfReady(Client.self) == nil)
    #expect(try resolutionError { try container.resolveNow(Client.self) }.code == .asyncRequired)
    let others = await stage.start { _ in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<3 { group.addTask { try await container.resolve(Client.self).server?.isReady ?? false } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    gate.open()
    #expect(try await others.value == [true, true, true])
    let server = try await first.value
    #expect(try await container.resolve(Client.self) === server.client)
  }

  @Test("A waiting thread gets a tied instance once all hooks have run")
  func areVisibleTogetherToThreads() async throws {
    let (taken, gate, asked) = (Gate(), Gate(), Gate())
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { server, r in
          server.take(try r.resolve(Client.self))
          taken.open()
          gate.block()
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try r.resolve(Server.self)) }
    }
    async let first = onThread { try container.resolve(Server.self) }
    try await taken.passed()
    async let second = onThread {
      asked.open()
      return try container.resolve(Client.self).server?.isReady
    }
    try await asked.passed()
    #expect(container.resolveIfReady(Client.self) == nil)
    gate.open()
    #expect(try await second == true)
    #expect(try await first.client?.server === first)
  }

  // MARK: Waits for held attempts

  @Test("A hook can resolve held instances directly, through factories and through a Lazy")
  func hooksUseHeldInstances() async throws {
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          let client = try await r.resolve(Client.self)
          server.take(client)
          #expect(try await r.resolve(Client.self) === client)
          #expect(try await r.resolve(Page.self).client === client)
          #expect(try await r.resolve(Page.self, key: "awaited").client === client)
          let lazy = try await r.resolve(Lazy<Client>.self)
          let later = try await lazy()
          #expect(later === client)
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self)) }
      Registration(Page.self, scope: .singleton) { (r: Resolver) throws in Page(try r.resolve(Client.self)) }
      Registration(Page.self, scope: .singleton) { r in Page(try await r.resolve(Client.self)) }.key("awaited")
    }
    let server = try await container.resolve(Server.self)
    #expect(server.isReady)
    let pages = [try container.resolveNow(Page.self), try await container.resolve(Page.self, key: "awaited")]
    for page in pages { #expect(page.client === server.client) }
  }

  @Test("A hook can resolve a service whose build waits for a held instance")
  func aHookResolvesAWaitingBuild() async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          server.take(try await r.resolve(Client.self))
          taken.open()
          await gate.wait()
          #expect(try await r.resolve(Page.self).client === server.client)
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self)) }
      Registration(Page.self, scope: .singleton) { r in Page(try await r.resolve(Client.self)) }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    let second = await stage.start { _ in try await container.resolve(Page.self).client.server?.isReady }
    gate.open()
    #expect(try await second.value == true)
    #expect(try await first.value.isReady)
  }

  @Test("Pairs that take each other's instances across tasks complete", arguments: [1, 2])
  func pairsAcrossTasks(count: Int) async throws {
    // Each server's hook resolves its own client, waits for the other hook, and then resolves the other pair's client.
    let gates = [Gate(), Gate()]
    let container = Container {
      for index in 0..<2 {
        Registration(Server.self, scope: .singleton) { _ in Server() }
          .key(index)
          .onCreated { (server: Server, r: Resolver) async throws in
            server.take(try await r.resolve(Client.self, key: index))
            gates[index].open()
            await gates[1 - index].wait()
            if index < count { _ = try await r.resolve(Client.self, key: 1 - index) }
            server.becomeReady()
          }
        Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self, key: index)) }
          .key(index)
      }
    }
    async let first = container.resolve(Server.self, key: 0)
    async let second = container.resolve(Server.self, key: 1)
    for server in [try await first, try await second] {
      #expect(server.isReady)
      #expect(server.client?.server === server)
    }
    #expect(try await container.resolve(Client.self, key: 0) === first.client)
    #expect(try await container.resolve(Client.self, key: 1) === second.client)
  }

  @Test("A failure discards both pairs, and the next resolve builds them again")
  func failureAcrossTasks() async throws {
    let gates = [Gate(), Gate()]
    let failures = Counter()
    let container = Container {
      for index in 0..<2 {
        Registration(Server.self, scope: .singleton) { _ in Server() }
          .key(index)
          .onCreated { (server: Server, r: Resolver) async throws in
            server.take(try await r.resolve(Client.self, key: index))
            gates[index].open()
            await gates[1 - index].wait()
            _ = try await r.resolve(Client.self, key: 1 - index)
            if index == 0, failures.increment() == 1 { throw Boom() }
            server.becomeReady()
          }
        Registration(Client.self, scope: .singleton) { _ in Client() }
          .onCreated { (client: Client, r: Resolver) async throws in
            client.take(try await r.resolve(Server.self, key: index))
          }
          .key(index)
      }
    }
    let first = Task { try await container.resolve(Server.self, key: 0) }
    let second = Task { try await container.resolve(Server.self, key: 1) }
    await #expect(throws: Boom.self) { try await first.value }
    let server = try await second.value
    #expect(server.isReady)
    for index in 0..<2 {
      let server = try await container.resolve(Server.self, key: index)
      #expect(server.isReady)
      #expect(server.client?.server === server)
      #expect(try await container.resolve(Client.self, key: index) === server.client)
    }
  }

  // MARK: Ends of held attempts

  @Test("A reset discards a held instance after its waiters get it")
  func resetWhileHeld() async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          server.take(try await r.resolve(Client.self))
          taken.open()
          await gate.wait()
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self)) }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    await container.reset(Client.self)
    gate.open()
    let server = try await first.value
    #expect(server.client != nil)
    #expect(container.resolveIfReady(Client.self) == nil)
    let next = try await container.resolve(Client.self)
    #expect(next !== server.client)
    #expect(next.server === server)
  }

  @Test("A held instance survives the end of its registration and container")
  func unregisteredWhileHeld() async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          let child = try await r.resolve(Container.self).makeChild {
            Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self)) }
          }
          server.take(try await child.resolve(Client.self))
          await child.unregister(Client.self)
          taken.open()
          await gate.wait()
          server.becomeReady()
        }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    gate.open()
    let server = try await first.value
    #expect(server.client?.server === server)
  }

  @Test("A shutdown waits for held instances")
  func shutdownWhileHeld() async throws {
    let (taken, gate, stage) = (Gate(), Gate(), Stage())
    let journal = Journal<String>()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server(journal) }
        .onCreated { (server: Server, r: Resolver) async throws in
          server.take(try await r.resolve(Client.self))
          taken.open()
          await gate.wait()
          server.becomeReady()
        }
      Registration(Client.self, scope: .singleton) { r in Client(try await r.resolve(Server.self), journal) }
    }
    let first = await stage.start { _ in try await container.resolve(Server.self) }
    try await taken.passed()
    let end = await stage.start { _ in try await container.shutdown() }
    gate.open()
    try await end.value
    #expect(journal.entries == ["client", "server"])
    let error = try await asyncResolutionError { try await first.value }
    #expect(error.code == .closed)
  }

  @Test("A held ResolutionAware instance is notified once its call ends")
  func notification() async throws {
    let notified = Counter()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in _ = try await r.resolve(AwareClient.self) }
      Registration(AwareClient.self, scope: .singleton) { r in
        _ = try await r.resolve(Server.self)
        return AwareClient(notified)
      }
    }
    _ = try await container.resolve(Server.self)
    #expect(notified.count == 1)
    _ = try await container.resolve(AwareClient.self)
    #expect(notified.count == 1)
  }

  @Test("A pool discards an instance that was made from a failed one")
  func pooled() async throws {
    let failures = Counter()
    let container = Container {
      Registration(Server.self, scope: .singleton) { _ in Server() }
        .onCreated { (server: Server, r: Resolver) async throws in
          server.take(try await r.resolve(Client.self))
          if failures.increment() == 1 { throw Boom() }
          server.becomeReady()
        }
      Registration(Client.self, scope: .pooled(max: 2)) { r in Client(try await r.resolve(Server.self)) }
    }
    await #expect(throws: Boom.self) { try await container.resolve(Server.self) }
    let server = try await container.resolve(Server.self)
    #expect(server.client?.server === server)
  }

  @Test("Ended ties release everything", arguments: [false, true])
  func release(fails: Bool) async throws {
    let lifetime = ObjectLifetime()
    let failing = fails
    do {
      let container = Container {
        Registration(Server.self, scope: .singleton) { _ in Server() }
          .onCreated { (server: Server, r: Resolver) async throws in
            server.take(try await r.resolve(Client.self))
            if failing { throw Boom() }
          }
        Registration(Client.self, scope: .singleton) { r in
          withExtendedLifetime(try await r.resolve(ObjectLifetime.Token.self)) {}
          return Client(try await r.resolve(Server.self))
        }
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      }
      let result = await Result { try await container.resolve(Server.self) }
      #expect((try? result.get()) == nil ? fails : !fails)
    }
    try await lifetime.ended.passed()
  }
}

extension Container {
  /// Resolves synchronously from asynchronous code.
  fileprivate nonisolated func resolveNow<Service: Sendable>(_ type: Service.Type) throws -> Service {
    try resolve(type)
  }
}

private final class AwareClient: ResolutionAware {
  private let notified: Counter
  init(_ notified: Counter) { self.notified = notified }
  func didResolve() async throws { notified.increment() }
}
