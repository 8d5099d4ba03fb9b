import ActorDITestSupport
import Testing

@testable import ActorDI

/// Factories that close containers whose end waits for a call that waits for the factory's instance.
// With time limits for the shutdowns, because a call that waits for itself would not end by a cancellation.
@Suite("Factories that close the containers of their waiters", .timeLimit(.minutes(5)))
struct ClosingFactoryTests {
  private let journal = Journal<String>()
  private let app = Container(name: "app")

  private final class Part: Sendable {}

  /// How the container of the operation can find the factory.
  enum Relation: CaseIterable { case key, child, link }

  // A regression: the graph of the waits for ends had no edge from a task to the build that it waits for.
  @Test(arguments: Relation.allCases)
  func aFactoryCanCloseTheContainerOfAnOperationThatWaitsForIt(relation: Relation) async throws {
    let close = Shelf<@Sendable () async throws -> Void>({})
    try await register {
      try await close.value()
    }
    switch relation {
    case .key:
      let sessions: KeyedScopes<Int> = app.keyedScopes("session")
      close.value = { await sessions.end(1, timeout: .seconds(60)) }
      try await sessions.withScope(1) { _ = try await $0.resolve(Leaf.self) }
      #expect(sessions.open.isEmpty)
    case .child, .link:
      let other = relation == .child ? app.makeChild(name: "child") : Container(name: "linking")
      if relation == .link { other.link(app) }
      close.value = { try await other.shutdown(timeout: .seconds(60)) }
      try await other.withScope { _ = try await $0.resolve(Leaf.self) }
      try await other.shutdown()
      #expect(other.lifecycle.hasEnded)
    }
    #expect(journal.entries == ["factory"])
    close.value = {}
    try await app.shutdown()
  }

  @Test func aFactoryCanCloseTheContainerOfAnOperationThatWaitsForItThroughAnotherBuild() async throws {
    let child = app.makeChild(name: "child")
    let isBuilding = Gate()
    try await register {
      isBuilding.open()
      try await Self.untilTwoCallsWait()
      try await child.shutdown(timeout: .seconds(60))
    }
    try await app.register(Part.self, scope: .singleton) { r in
      _ = try await r.resolve(Leaf.self)
      return Part()
    }
    async let first = app.resolve(Leaf.self)
    try await isBuilding.passed()
    try await child.withScope { _ = try await $0.resolve(Part.self) }
    _ = try await first
    #expect(journal.entries == ["factory"])
    try await app.shutdown()
    #expect(child.lifecycle.hasEnded)
  }

  @Test func aFactoryCanCloseTheContainerOfAnUnkeptInstanceWhoseFactoryWaitsForIt() async throws {
    let child = app.makeChild(name: "child") {
      // A closing container waits for an instance that it will dispose of.
      Registration(Part.self) { r in
        _ = try await r.resolve(Leaf.self)
        return Part()
      }.onDispose { [journal] _ in journal.note("part") }
    }
    let isBuilding = Gate()
    try await register {
      isBuilding.open()
      try await Self.untilTwoCallsWait()
      try await child.shutdown(timeout: .seconds(60))
    }
    async let first = app.resolve(Leaf.self)
    try await isBuilding.passed()
    #expect(try await asyncResolutionError { try await child.resolve(Part.self) }.code == .closed)
    _ = try await first
    try await app.shutdown()
    #expect(journal.entries == ["factory", "part"])
  }

  @Test func aFactoryCanCloseTheContainerWhoseDisposerWaitsForIt() async throws {
    let other = Container(name: "other") { [app, journal] in
      Registration(Part.self, scope: .singleton) { _ in Part() }.onDispose { _ in
        _ = try await app.resolve(Leaf.self)
        journal.note("part")
      }
    }
    try await register {
      try await other.shutdown(timeout: .seconds(60))
    }
    _ = try await other.resolve(Part.self)
    try await other.shutdown(timeout: .seconds(60))
    #expect(journal.entries == ["factory", "part"])
    try await app.shutdown()
  }

  @Test func aFactoryWaitsForAnOperationThatDoesNotWaitForIt() async throws {
    let child = app.makeChild(name: "child")
    let (isOpen, mayEnd) = (Gate(), Gate())
    try await register {
      try await child.shutdown(timeout: .seconds(60))
    }
    let operation = Task { [journal] in
      try await child.withScope { _ in
        isOpen.open()
        await mayEnd.wait()
        journal.note("operation")
      }
    }
    try await isOpen.passed()
    async let leaf = app.resolve(Leaf.self)
    try await until { child.lifecycle.isDraining }
    mayEnd.open()
    _ = try await leaf
    try await operation.value
    #expect(journal.entries == ["operation", "factory"])
    try await app.shutdown()
  }

  /// Registers a service with a factory that calls a function.
  private func register(calling function: @escaping @Sendable () async throws -> Void) async throws {
    try await app.register(Leaf.self, scope: .singleton) { [journal] _ in
      try await function()
      journal.note("factory")
      return Leaf()
    }
  }

  /// Suspends the factory of the current task until two calls wait for its instance.
  private static func untilTwoCallsWait() async throws {
    try await until { ResolutionFrame.ambient?.attempt?.waitingCalls.count == 2 }
  }
}
