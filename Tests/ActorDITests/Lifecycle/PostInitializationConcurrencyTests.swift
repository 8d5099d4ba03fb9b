import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Concurrent callers of post-initialisation", .timeLimit(.minutes(5)))
struct PostInitializationConcurrencyTests {
  @Test func noCallerSeesAnInstanceBeforeItsPostInitialisationEnds() async throws {
    let gate = Gate()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in PostInitialized(gate: gate) }
    }
    let stage = Stage()
    let first = await stage.start { _ in try await container.resolve((any Noted).self) }
    let second = await stage.start { _ in try await container.resolve((any Noted).self) }
    #expect(container.resolveIfReady((any Noted).self) == nil)
    let error = try resolutionError { try container.resolve((any Noted).self) }
    #expect(error.code == .asyncRequired)
    gate.open()
    let services = [try await first.value, try await second.value]
    for service in services { #expect((service as? PostInitialized)?.isReady.value == true) }
    #expect(services[0] as? PostInitialized === services[1] as? PostInitialized)
  }

  @Test(arguments: [Scope.singleton, .shared])
  func concurrentTasksRunFactoryAndPostInitialisationOnce(scope: Scope) async throws {
    for _ in 0..<50 {
      let journal = Journal<String>()
      let container = Container {
        Registration((any ClassBound).self, scope: scope) { _ in PostInitialized("a", journal) }
      }
      let services = try await withThrowingTaskGroup { group in
        for _ in 0..<16 {
          group.addTask {
            let service = try await container.resolve((any ClassBound).self)
            #expect((service as? PostInitialized)?.isReady.value == true)
            return service
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(services.allSatisfy { $0 === services[0] })
      #expect(journal.entries == ["made a", "initialized a"])
    }
  }

  @Test func threadsAndTasksRunFactoryAndPostInitialisationOnce() async throws {
    for _ in 0..<50 {
      let journal = Journal<String>()
      let container = Container {
        Registration((any Noted).self, scope: .singleton) { _ in PostInitialized("a", journal) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await onThread {
              do {
                let service = try container.resolve((any Noted).self)
                #expect((service as? PostInitialized)?.isReady.value == true)
              } catch let error as ResolutionError {
                #expect(error.code == .asyncRequired)
              }
            }
          }
          group.addTask {
            let service = try await container.resolve((any Noted).self)
            #expect((service as? PostInitialized)?.isReady.value == true)
          }
        }
        try await group.waitForAll()
      }
      #expect(journal.entries == ["made a", "initialized a"])
    }
  }

  @Test func cancellingTheLastWaiterCancelsPostInitialisation() async throws {
    let gate = Gate()
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in PostInitialized("a", journal, gate: gate) }
    }
    let stage = Stage()
    let waiter = await stage.start { _ in try await container.resolve((any Noted).self) }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    gate.open()
    _ = try await container.resolve((any Noted).self)
    #expect(journal.entries == ["made a", "made a", "initialized a"])
  }

  @Test func aResetDuringPostInitialisationKeepsTheInstanceUnpublished() async throws {
    let gate = Gate()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in PostInitialized(gate: gate) }
    }
    let stage = Stage()
    let waiter = await stage.start { _ in try await container.resolve((any Noted).self) }
    await container.reset()
    gate.open()
    let old = try await waiter.value
    #expect((old as? PostInitialized)?.isReady.value == true)
    #expect(container.resolveIfReady((any Noted).self) == nil)
    #expect(try await container.resolve((any Noted).self) as? PostInitialized !== old as? PostInitialized)
  }
}
