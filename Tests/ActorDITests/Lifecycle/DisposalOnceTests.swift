import ActorDITestSupport
import Testing

@testable import ActorDI

/// Each instance is disposed of once, under however many types it is found, and only if a factory of the container made it.
@Suite("Disposal exactly once", .timeLimit(.minutes(5)))
struct DisposalOnceTests {
  private let journal = Journal<String>()

  @Test func theContainerNeverDisposesOfARegisteredInstance() async throws {
    let connection = Connection("mine", journal)
    let container = Container { Registration(instance: connection) }
    _ = try await container.resolve(Connection.self)
    await container.unregister(Connection.self)
    try await container.register(Registration(instance: connection))
    try await container.shutdown()
    #expect(journal.entries.isEmpty)
  }

  @Test(arguments: [Scope.singleton, .scoped, .shared, .transient, .graph])
  func aFactoryThatReturnsAnotherServicesInstanceDoesNotOwnIt(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
      Registration((any Noted).self, scope: scope) { r in try r.resolve(Connection.self) }
      Registration(Connection.self, scope: scope) { r in try await r.resolve(Connection.self) }.key("alias")
    }
    let alias = try await container.resolve((any Noted).self)
    let other = try await container.resolve(Connection.self, key: "alias")
    #expect(other === alias as? Connection)
    try await container.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aServiceThatReturnsAnotherServicesInstanceRunsItsOwnClosures() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
      Registration((any Noted).self, scope: .singleton) { r in try r.resolve(Connection.self) }
        .onDispose { journal.note("alias of \($0.name)") }
    }
    _ = try await container.resolve((any Noted).self)
    try await container.shutdown()
    #expect(journal.entries == ["alias of c", "c"])
  }

  @Test func aScopedServiceThatReturnsAParentsSingletonDoesNotDisposeOfIt() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
      Registration((any Noted).self, scope: .scoped) { r in try r.resolve(Connection.self) }
    }
    let connection = try await app.withScope { try await $0.resolve((any Noted).self) }
    #expect(journal.entries.isEmpty && connection.name == "c")
    try await app.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aliasesDoNotDisposeOfTheInstanceAgain() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
        .implements((any Noted).self) { $0 }
        .implements((any Disposable).self, key: 1) { $0 }
        .onDispose { _ in journal.note("closure") }
    }
    _ = try await (
      container.resolve((any Disposable).self, key: 1), container.resolve((any Noted).self),
      container.resolve(Connection.self)
    )
    try await container.shutdown()
    #expect(journal.entries == ["closure", "c"])
  }

  @Test func shutdownDisposesOfTheDecoratedInstanceButNotOfItsWrapper() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("inner", journal) }
        .onDispose { journal.note("closure of \($0.name)") }
    }
    try await container.decorate(Connection.self) { [journal] _, inner in
      Connection("around \(inner.name)", journal)
    }
    #expect(try await container.resolve(Connection.self).name == "around inner")
    try await container.shutdown()
    #expect(journal.entries == ["closure of inner", "inner"])
  }

  @Test func aContainerDisposesOfTheTransientsResolvedFromIt() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self) { r in Connection(r.container.name, journal) }
      Registration(Connection.self, scope: .graph) { r in Connection("graph", journal) }.key(1)
      Registration(Probe.self) { _ in Probe("probe") }.key(2).onDispose { journal.note($0.name) }
    }
    try await app.withScope("s") { scope in
      _ = try sync { try scope.resolve(Connection.self) }
      _ = try await scope.resolve(Connection.self)
      _ = try await scope.resolve(Connection.self, key: 1)
      _ = try sync { try scope.resolve(Probe.self, key: 2) }
      #expect(journal.entries.isEmpty)
    }
    #expect(journal.entries == ["probe", "graph", "s", "s"])
    _ = try await app.resolve(Connection.self)
    try await app.shutdown()
    #expect(journal.entries.last == "app" && journal.entries.count == 5)
  }

  @Test func shutdownDisposesOnceOfAnObjectThatAFactoryReturnsAgain() async throws {
    let connection = Connection("same", journal)
    let container = Container { Registration(Connection.self) { _ in connection } }
    for _ in 0..<3 { #expect(try await container.resolve(Connection.self) === connection) }
    try await container.shutdown()
    #expect(journal.entries == ["same"])
  }

  @Test func shutdownDisposesOfEachPerArgumentsInstance() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { (_, name: String) in Connection(name, journal) }.perArguments()
    }
    for name in ["a", "b", "a"] { _ = try await container.resolve(Connection.self, arguments: name) }
    try await container.shutdown()
    #expect(journal.entries == ["b", "a"])
  }

  @Test func concurrentResetsAndShutdownsDisposeOfEachInstanceOnce() async throws {
    let books = DisposalRecord()
    let period = ManagedScope("p")
    let container = Container {
      for number in 0..<4 {
        Registration(RecordedService.self, scope: number < 2 ? .singleton : .managed(by: period)) { _ in
          RecordedService(books)
        }.key(
          number)
      }
    }
    for number in 0..<4 { _ = try await container.resolve(RecordedService.self, key: number) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await container.reset() }
      group.addTask { await period.invalidate() }
      group.addTask { await container.unregister(RecordedService.self, key: 0) }
      group.addTask { await container.reset(RecordedService.self, key: 3) }
      group.addTask { try? await container.shutdown() }
      group.addTask { await container.reset(.singleton) }
    }
    try await container.shutdown()
    #expect(books.made == 4 && books.mistakes.isEmpty)
  }
}
