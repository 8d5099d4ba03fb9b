import ActorDI
import ActorDIServiceLifecycle
import Foundation
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

final class Events: Sendable {
  private let events = Mutex<[String]>([])
  var all: [String] { events.withLock { $0 } }
  func add(_ event: String) { events.withLock { $0.append(event) } }
}

/// Calls its action when all parties have arrived.
final class Meeting: Sendable {
  private let missing: Atomic<Int>
  private let action: @Sendable () -> Void

  init(of parties: Int, _ action: @escaping @Sendable () -> Void) {
    missing = Atomic(parties)
    self.action = action
  }

  func arrive() { if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { action() } }
}

final class Database: Sendable {}

final class Queue: Service {
  private let (events, meeting): (Events, Meeting)
  init(database: Database, events: Events, meeting: Meeting) { (self.events, self.meeting) = (events, meeting) }
  func run() async throws {
    meeting.arrive()
    try await gracefulShutdown()
    events.add("queue ends")
  }
}

struct Mailer: Service {
  let queue: Queue
  let events: Events
  let meeting: Meeting
  func run() async throws {
    meeting.arrive()
    try await gracefulShutdown()
    events.add("mailer ends")
  }
}

struct Failure: Error {}

struct Failing: Service {
  let meeting: Meeting
  func run() async throws {
    meeting.arrive()
    throw Failure()
  }
}

struct Brief: Service {
  func run() async throws {}
}

@Suite("ContainerService", .serialized, .timeLimit(.minutes(1)))
struct ContainerServiceTests {
  private let events = Events()

  /// A container whose dependants are registered before their dependencies.
  private func makeContainer(meeting: Meeting, @RegistrationBuilder _ others: () -> Registrations = { Registrations() })
    -> Container
  {
    let others = others()
    return Container(name: "app") { [events] in
      Registration(instance: events)
      Registration(instance: meeting)
      Registration(Mailer.self, scope: .singleton) { r in
        Mailer(queue: try r.resolve(), events: try r.resolve(), meeting: try r.resolve())
      }.runs()
      Registration(autowired: Queue.self, scope: .singleton, initializer: Queue.init).runs()
      Registration(Database.self, scope: .singleton) { _ in
        events.add("database opens")
        return Database()
      }.eager().onDispose { _ in events.add("database closes") }
      others
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsServicesBeforeTheirDependencies(signal: Int32) async throws {
    let container = makeContainer(meeting: Meeting(of: 2) { kill(getpid(), signal) })
    try await container.run { [events] in events.add("ready") }
    #expect(events.all == ["database opens", "ready", "mailer ends", "queue ends", "database closes"])
    await #expect(throws: ResolutionError.self) { try await container.resolve(Database.self) }
  }

  @Test func aGracefulShutdownOfTheGroupEndsTheContainerLast() async throws {
    let (events, begun) = (events, AsyncStream<Void>.makeStream())
    let container = makeContainer(meeting: Meeting(of: 2) { begun.continuation.yield() })
    let last = Queue(database: Database(), events: events, meeting: Meeting(of: 1) {})
    let group = ServiceGroup(services: [ContainerService(container), last], logger: Logger(label: "test"))
    try await testGracefulShutdown { trigger in
      async let end: Void = group.run()
      for await _ in begun.stream { break }
      trigger.triggerGracefulShutdown()
      try await end
    }
    #expect(events.all == ["database opens", "queue ends", "mailer ends", "queue ends", "database closes"])
  }

  @Test func aFailedServiceEndsTheOthersAndTheContainer() async {
    let container = makeContainer(meeting: Meeting(of: 3) {}) {
      Registration(Failing.self, scope: .singleton) { r in Failing(meeting: try r.resolve()) }.runs()
    }
    await #expect(throws: Failure.self) { try await container.run() }
    #expect(events.all.last == "database closes")
  }

  @Test func aServiceThatEndsByItselfIsAnError() async {
    let container = makeContainer(meeting: Meeting(of: 2) {}) {
      Registration(Brief.self, scope: .singleton) { _ in Brief() }.runs { $0 }
    }
    let error = await #expect(throws: ServiceGroupError.self) { try await container.run() }
    #expect("\(error as Any)".contains("inished unexpectedly"))
    #expect(events.all.last == "database closes")
  }

  @Test func aFailedStartEndsTheContainer() async throws {
    let container = makeContainer(meeting: Meeting(of: 2) {}) {
      Registration(Int.self, scope: .singleton) { r in
        _ = try r.resolve(Database.self)
        throw Failure()
      }.eager()
    }
    await #expect(throws: Failure.self) { try await container.run() }
    #expect(events.all == ["database opens", "database closes"])
    await #expect(throws: ResolutionError.self) { try await container.resolve(Database.self) }
  }

  @Test func aCancelledRunEndsTheContainer() async throws {
    let begun = AsyncStream<Void>.makeStream()
    let container = makeContainer(meeting: Meeting(of: 2) { begun.continuation.yield() })
    let task = Task { try await ContainerService(container).run() }
    for await _ in begun.stream { break }
    task.cancel()
    _ = await task.result
    #expect(events.all.last == "database closes")
  }

  @Test func withoutServicesTheRunWaitsForTheShutdown() async throws {
    let container = Container { [events] in
      Registration(Database.self, scope: .singleton) { _ in Database() }.eager().onDispose { _ in events.add("closed") }
    }
    try await testGracefulShutdown { [events] trigger in
      try await ContainerService(container) {
        events.add("ready")
        trigger.triggerGracefulShutdown()
      }.run()
    }
    #expect(events.all == ["ready", "closed"])
  }

  @Test func aShutdownDuringTheStartCancelsIt() async throws {
    let container = Container {
      Registration(Int.self, scope: .singleton) { r in
        try await r.resolve(Gate.self).enter()
        return 7
      }.eager()
      Registration(instance: Gate())
    }
    try await testGracefulShutdown { trigger in
      async let end: Void = ContainerService(container).run()
      try await container.resolve(Gate.self).hasEntered()
      trigger.triggerGracefulShutdown()
      try await end
    }
    await #expect(throws: ResolutionError.self) { try await container.resolve(Int.self) }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalDuringTheStartUndoesIt(signal: Int32) async throws {
    let container = makeContainer(meeting: Meeting(of: 1) { Issue.record("a service runs") }) {
      Registration(Int.self, scope: .singleton) { r in
        _ = try await r.resolve(Database.self)
        kill(getpid(), signal)
        try await Gate().enter()
        return 7
      }.eager()
    }
    try await container.run { Issue.record("the container is ready") }
    #expect(events.all == ["database opens", "database closes"])
  }

  /// The failure is that of a service beside the container, such as a server whose port is in use.
  @Test func aFailureInTheGroupEndsTheContainer() async {
    let meeting = Meeting(of: 3) {}
    let container = makeContainer(meeting: meeting)
    let group = ServiceGroup(
      services: [ContainerService(container), Failing(meeting: meeting)], logger: Logger(label: "test"))
    await #expect(throws: Failure.self) { try await group.run() }
    #expect(events.all.allSatisfy { $0 != "database opens" } || events.all.last == "database closes")
    await #expect(throws: ResolutionError.self) { try await container.resolve(Database.self) }
  }

  @Test func theErrorOfAServiceTakesPrecedenceOverDisposers() async {
    func makeContainer(@RegistrationBuilder _ services: () -> Registrations) -> Container {
      let services = services()
      return Container {
        Registration(Database.self, scope: .singleton) { _ in Database() }.eager().onDispose { _ in throw Failure() }
        services
      }
    }
    let failing = makeContainer {
      Registration(Failing.self, scope: .singleton) { _ in Failing(meeting: Meeting(of: 1) {}) }.runs()
    }
    await #expect(throws: Failure.self) { try await failing.run() }
    let signalled = makeContainer {}
    await #expect(throws: ShutdownError.self) { try await signalled.run { kill(getpid(), SIGTERM) } }
  }
}

/// Holds its visitors until their task is cancelled.
final class Gate: Sendable {
  private let entered = AsyncStream<Void>.makeStream()

  func enter() async throws {
    entered.continuation.yield()
    for await _ in AsyncStream<Void>.makeStream().stream {}
    try Task.checkCancellation()
  }

  func hasEntered() async throws { for await _ in entered.stream { return } }
}
