import ActorDI
import ActorDITesting
import Testing

private final class Database: Sendable {}
private final class Store: Sendable {
  let database: Database
  init(database: Database) { self.database = database }
}
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

  @Test func aRecordingLeavesReplacedInstancesInUse() async throws {
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder)) {
      Registration(Database.self, scope: .singleton) { _ in Database() }.onDispose { _ in }
      Registration(autowired: Store.self, scope: .singleton, initializer: Store.init)
    }
    _ = try await container.resolve(Store.self)
    let events = try await EventRecorder.events(in: container) {
      try await container.register { Registration(Database.self, scope: .singleton) { _ in Database() } }
    }
    #expect(events.disposed(Database.self).isEmpty)
    #expect(recorder.disposed(Database.self).isEmpty)
    withExtendedLifetime(container) {}
  }

  // A regression: the recorder marked the end of the recording by an event, which all streams of the container got.
  @Test func aRecordingIsNoEventOfOtherStreams() async throws {
    let container = Container {
      Registration(Database.self) { _ in Database() }
    }
    let stream = container.events()
    let events = try await EventRecorder.events(in: container) { _ = try await container.resolve(Database.self) }
    try await container.shutdown()
    let others = await stream.reduce(into: []) { $0.append($1) }
    #expect(others.count == 2 && events.count == 2)
    // The recording of a container that has ended ends, too.
    let none = await EventRecorder.events(in: container) {}
    #expect(none.isEmpty)
  }
}
