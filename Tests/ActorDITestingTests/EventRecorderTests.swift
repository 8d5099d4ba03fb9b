import ActorDI
import ActorDITesting
import Testing

private final class Database: Sendable {}
private struct Refused: Error {}

struct EventRecorderTests {
  @Test func theRecorderSeesOneCreationOfASingleton() async throws {
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder)) {
      Registration(Database.self, scope: .singleton) { _ in Database() }.onDispose { _ in }
    }
    try await withThrowingTaskGroup(of: Database.self) { group in
      for _ in 0..<50 { group.addTask { try await container.resolve() } }
      try await group.waitForAll()
    }
    #expect(recorder.created(Database.self).count == 1)
    #expect(recorder.registered.count == 1)
    try await container.shutdown()
    #expect(recorder.disposed(Database.self).count == 1)
    recorder.clear()
    #expect(recorder.events.isEmpty && recorder.registered.isEmpty)
  }

  @Test func theRecorderSeparatesFailuresFromCreations() async throws {
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder)) {
      Registration(Database.self, scope: .singleton) { _ in throw Refused() }
    }
    await #expect(throws: Refused.self) { try await container.resolve(Database.self) }
    #expect(recorder.failed(Database.self).count == 1)
    #expect(recorder.failed(Database.self).first?.error is Refused)
    #expect(recorder.created(Database.self).isEmpty)
  }

  @Test func theRecorderSeesUnregistrations() async throws {
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder)) {
      Registration(Database.self) { _ in Database() }
    }
    await container.unregister(Database.self)
    #expect(recorder.unregistered.count == 1 && recorder.unregistered.first?.service == Database.self)
  }

  @Test func eventsReturnsTheEventsDuringAnOperation() async throws {
    let container = Container {
      Registration(Database.self, scope: .scoped) { _ in Database() }.onDispose { _ in }
    }
    _ = try await container.resolve(Database.self)
    let events = try await EventRecorder.events(in: container) {
      for _ in 0..<3 {
        try await container.withScope { scope in _ = try await scope.resolve(Database.self) }
      }
    }
    #expect(events.created(Database.self).count == 3)
    #expect(events.disposed(Database.self).count == 3)
    #expect(events.opened.count == 3 && events.closed.count == 3)
    // There are three more events, for the beginning of each build.
    #expect(events.count == 15)
  }
}
