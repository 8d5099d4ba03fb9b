import ActorDITestSupport
import Testing

@testable import ActorDI

private class Base: @unchecked Sendable {
  init() {}
}
private final class Ending: Base, Disposable, @unchecked Sendable {
  let journal: Journal<String>
  init(_ journal: Journal<String>) {
    self.journal = journal
    super.init()
  }
  func dispose() async throws { journal.note("ending") }
}

private struct EndingValue: Noted, Disposable {
  let name: String
  let journal: Journal<String>
  func dispose() async throws { journal.note(name) }
}

private actor EndingActor: Disposable {
  let journal: Journal<String>
  init(_ journal: Journal<String>) { self.journal = journal }
  func dispose() async throws { journal.note("actor") }
}

@MainActor
private final class EndingModel: Disposable {
  private let journal: Journal<String>
  init(_ journal: Journal<String>) { self.journal = journal }
  @MainActor func dispose() async throws {
    MainActor.assertIsolated()
    journal.note("model")
  }
}

/// The container disposes of a conforming service under any type that it is registered as.
@Suite("Disposable services", .timeLimit(.minutes(5)))
struct DisposabilityTests {
  private let journal = Journal<String>()
  private static let scopes: [Scope] = [.singleton, .scoped, .transient, .graph, .shared]

  @Test(arguments: scopes)
  func shutdownDisposesOfAConformingType(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: scope) { _ in Connection("c", journal) }
    }
    let held = try sync { try container.resolve(Connection.self) }
    try await container.shutdown()
    #expect(journal.entries == ["c"])
    withExtendedLifetime(held) {}
  }

  @Test(arguments: scopes)
  func shutdownDisposesOfConformingInstancesBehindAnExistential(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration((any Noted).self, scope: scope) { (_, kind: Int) -> any Noted in
        kind == 0 ? PlainService() : Connection("\(kind)", journal)
      }.perArguments()
    }
    var held: [any Noted] = []
    // Instances that do not conform come in between, since conformance must be checked for each.
    for kind in [0, 1, 0, 2] { held.append(try sync { try container.resolve((any Noted).self, arguments: kind) }) }
    held.append(try await container.resolve((any Noted).self, arguments: 3))
    try await container.shutdown()
    #expect(journal.entries == ["3", "2", "1"])
    withExtendedLifetime(held) {}
  }

  @Test(arguments: [Scope.transient, .singleton])
  func theContainerChecksEachInstanceBehindAnExistential(scope: Scope) async throws {
    let next = Counter()
    let container = Container { [journal] in
      for key in 0..<4 {
        Registration((any Noted).self, scope: scope) { _ -> any Noted in
          let number = next.increment()
          return number.isMultiple(of: 2) ? Connection("\(number)", journal) : PlainService()
        }.key(key)
      }
    }
    for round in 0..<4 {
      _ = try sync { try container.resolve((any Noted).self, key: scope == .transient ? 0 : round) }
    }
    try await container.shutdown()
    #expect(journal.entries == ["4", "2"])
  }

  @Test(arguments: [Scope.singleton, .scoped, .transient, .graph])
  func shutdownDisposesOfAConformingSubclass(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(Base.self, scope: scope) { _ in Ending(journal) }
    }
    _ = try await container.resolve(Base.self)
    try await container.shutdown()
    #expect(journal.entries == ["ending"])
  }

  @Test(arguments: [Scope.scoped, .graph])
  func aScopeDisposesOfAConformingSubclassAfterAPlainInstance(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(Base.self, scope: scope) { r in try r.resolve(Bool.self) ? Ending(journal) : Base() }
    }
    for isEnding in [false, true, false, true] {
      try await container.withScope {
        Registration(instance: isEnding)
      } operation: { scope in
        _ = try sync { try scope.resolve(Base.self) }
      }
    }
    #expect(journal.entries == ["ending", "ending"])
  }

  @Test(arguments: [Scope.singleton, .shared])
  func shutdownDisposesOfAConformingSubclassAfterAResetOfAPlainInstance(scope: Scope) async throws {
    let next = Counter()
    let container = Container { [journal] in
      Registration(Base.self, scope: scope) { _ async in next.increment() == 1 ? Base() : Ending(journal) }
    }
    _ = try await container.resolve(Base.self)
    await container.reset()
    let held = try await container.resolve(Base.self)
    try await container.shutdown()
    #expect(journal.entries == ["ending"])
    withExtendedLifetime(held) {}
  }

  @Test func shutdownDisposesOfConformingSubclassesAmongTheInstancesOfArguments() async throws {
    let container = Container { [journal] in
      Registration(Base.self, scope: .singleton) { (_, isEnding: Bool) in isEnding ? Ending(journal) : Base() }
        .perArguments()
    }
    for isEnding in [false, true] { _ = try sync { try container.resolve(Base.self, arguments: isEnding) } }
    try await container.shutdown()
    #expect(journal.entries == ["ending"])
  }

  /// As documented for `PostInitialization`: once an instance of the class has conformed, each one is checked.
  @Test func shutdownDisposesOnlyOfTheConformingInstancesOfAClass() async throws {
    let next = Counter()
    let container = Container { [journal] in
      Registration(Base.self) { _ in next.increment().isMultiple(of: 2) ? Base() : Ending(journal) }
    }
    for _ in 0..<6 { _ = try sync { try container.resolve(Base.self) } }
    try await container.shutdown()
    #expect(journal.entries == ["ending", "ending", "ending"])
  }

  @Test(arguments: scopes)
  func shutdownDisposesOfConformingValues(scope: Scope) async throws {
    let container = Container { [journal] in
      Registration(EndingValue.self, scope: scope) { _ in EndingValue(name: "value", journal: journal) }
      Registration((any Noted).self, scope: scope) { _ in EndingValue(name: "boxed", journal: journal) }
      Registration(EndingValue?.self, scope: scope) { _ in EndingValue(name: "optional", journal: journal) }
    }
    _ = try sync { try container.resolve(EndingValue.self) }
    _ = try sync { try container.resolve((any Noted).self) }
    _ = try sync { try container.resolve(EndingValue?.self) }
    try await container.shutdown()
    #expect(journal.entries == ["optional", "boxed", "value"])
  }

  @Test func shutdownDisposesOfActorsAndMainActorClasses() async throws {
    let container = Container { [journal] in
      Registration(EndingActor.self, scope: .singleton) { _ in EndingActor(journal) }
      Registration(EndingModel.self, scope: .singleton) { @MainActor _ in EndingModel(journal) }
    }
    _ = try await (container.resolve(EndingActor.self), container.resolve(EndingModel.self))
    try await container.shutdown()
    #expect(journal.entries == ["model", "actor"])
  }

  @Test func shutdownDisposesOfASharedInstanceOnlyWhileItIsHeld() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("held", journal) }
      Registration(Connection.self, scope: .shared) { _ in Connection("gone", journal) }.key(1)
      Registration(Probe.self, scope: .automatic) { _ in Probe("hooked") }.onDispose { journal.note($0.name) }
    }
    let held = try await container.resolve(Connection.self)
    let probe = try await container.resolve(Probe.self)
    _ = try await container.resolve(Connection.self, key: 1)
    try await container.shutdown()
    #expect(journal.entries == ["hooked", "held"])
    withExtendedLifetime((held, probe)) {}
  }

  @Test(arguments: scopes, [true, false])
  func aServiceThatReturnsASharedInstanceDoesNotDisposeOfItAgain(scope: Scope, isSynchronous: Bool) async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("c", journal) }
      Registration((any Noted).self, scope: scope) { r in try r.resolve(Connection.self) }
        .onDispose { journal.note("closure of \($0.name)") }
    }
    let held =
      isSynchronous
      ? try sync { try container.resolve((any Noted).self) } : try await container.resolve((any Noted).self)
    #expect(try await container.resolve((any Noted).self) as? Connection === held as? Connection)
    try await container.shutdown()
    #expect(journal.entries.filter { $0 == "c" }.count == 1)
    #expect(journal.entries.contains("closure of c"))
  }

  /// The weakly kept instance has another holder, so it survives the reset.
  @Test func resettingAServiceThatReturnsASharedInstanceDoesNotDisposeOfIt() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("c", journal) }
      Registration((any Noted).self, scope: .singleton) { r in try r.resolve(Connection.self) }
    }
    let held = try await container.resolve((any Noted).self)
    await container.reset((any Noted).self)
    #expect(journal.entries.isEmpty)
    #expect(try await container.resolve((any Noted).self) as? Connection === held as? Connection)
    try await container.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func theContainerDisposesOfASharedInstanceThatOnlyItsServicesHold() async throws {
    for step in ["reset", "shutdown"] {
      let journal = Journal<String>()
      let container = Container {
        Registration(Connection.self, scope: .shared) { _ in Connection("c", journal) }
        Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Connection.self)) }
        Registration(Leaf.self) { r in Leaf(try r.resolve(Connection.self)) }.key(1)
          .onDispose { _ in journal.note("leaf") }
      }
      if step == "reset" {
        _ = try await container.resolve(Leaf.self)
        await container.reset()
      } else {
        _ = try await container.resolve(Leaf.self, key: 1)
      }
      try await container.shutdown()
      #expect(journal.entries == (step == "reset" ? ["c"] : ["leaf", "c"]), "\(step)")
    }
  }

  @Test func shutdownDisposesOfAnInstanceAtTheAddressOfAFreedSharedOne() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("weak", journal) }
      Registration(Connection.self) { _ in Connection("transient", journal) }.key(1)
    }
    for _ in 0..<100 {
      _ = try sync { try container.resolve(Connection.self) }
      _ = try sync { try container.resolve(Connection.self, key: 1) }
    }
    try await container.shutdown()
    #expect(journal.entries == Array(repeating: "transient", count: 100))
  }

  @Test func shutdownDisposesAtMostOnceOfASharedInstanceThatManyTasksResolve() async throws {
    for _ in 0..<50 {
      let books = DisposalRecord()
      let container = Container {
        Registration(RecordedService.self, scope: .shared) { _ in RecordedService(books) }
        for (key, scope) in Self.scopes.enumerated() {
          Registration(RecordedService.self, scope: scope) { r in try r.resolve(RecordedService.self) }.key(key)
        }
      }
      try await withThrowingTaskGroup(of: RecordedService.self) { group in
        for number in 0..<8 {
          group.addTask {
            let key = number % Self.scopes.count
            if number.isMultiple(of: 2) { return try await container.resolve(RecordedService.self, key: key) }
            return try sync { try container.resolve(RecordedService.self, key: key) }
          }
        }
        // The test releases each instance at once, or holds it to the end.
        var held: [RecordedService] = []
        while let next = try await group.next() { if held.count < 2 { held.append(next) } }
        try await container.shutdown()
        withExtendedLifetime(held) {}
      }
      #expect(!books.mistakes.values.contains { $0 > 1 })
    }
  }

  @Test func freedSharedInstancesLeaveNoPendingDisposals() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("c", journal) }
    }
    for _ in 0..<100 { _ = try await container.resolve(Connection.self) }
    #expect(container.lifecycle.state.withLock { $0.disposals.all.count } <= 2)
    #expect(journal.entries.isEmpty)
  }
}
