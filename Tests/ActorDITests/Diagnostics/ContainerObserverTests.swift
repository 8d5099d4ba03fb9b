import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// An observer that records its notifications, then runs a closure.
private struct RecordingObserver: ContainerObserver {
  let journal = Journal<String>()
  var act: @Sendable (Container) -> Void = { _ in }

  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    journal.note("+\(registration.service)\(registration.key.map { "[\($0)]" } ?? "")")
    act(container)
  }

  func container(_ container: Container, didUnregister registration: RegistrationInfo) {
    journal.note("-\(registration.service)\(registration.key.map { "[\($0)]" } ?? "")")
    act(container)
  }
}

private struct DefaultObserver: ContainerObserver {}

/// The observer of a container's configuration.
@Suite("Observers of a container", .timeLimit(.minutes(5)))
struct ContainerObserverTests {
  @Test func theContainerNotifiesItsObserverOfEachRegistrationInOrder() async throws {
    let observer = RecordingObserver()
    let container = Container(configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self, key: 1) { $0 }
    }
    #expect(observer.journal.entries == ["+Alpha", "+Polite", "+Greeter[1]"])
    try await container.register {
      Registration(Alpha.self) { _ in Alpha() }
      Root()
    }
    #expect(observer.journal.entries.dropFirst(3) == ["-Alpha", "+Alpha", "+Root"])
    await container.unregister(Polite.self)
    #expect(observer.journal.entries.dropFirst(6) == ["-Polite", "-Greeter[1]"])
    await container.unregister(Polite.self)
    #expect(observer.journal.entries.count == 8)
  }

  @Test func theContainerNotifiesAfterPublicationWithoutALock() async throws {
    let found = Counter()
    let observer = RecordingObserver { container in
      if container.contains(Setting.self) { found.increment() }
      _ = container.registrations
      _ = container.changes
      _ = try? container.resolve(Setting.self)
    }
    let container = Container(configuration: .init(observer: observer)) { Setting(number: 1) }
    #expect(found.count == 1)
    try await container.register { Setting(number: 2) }
    #expect(found.count == 3)
  }

  @Test func registrationsMadeByAnObserverComeAfterTheBatch() async throws {
    let done = Shelf(false)
    let observer = RecordingObserver { container in
      // The observer runs on the container's executor.
      guard container.name == "inner", !done.value, container.contains(Root.self) else { return }
      done.value = true
      container.assumeIsolated { container in
        try? container.register(Registration(Leaf.self) { _ in Leaf() })
      }
    }
    let container = Container(name: "inner", configuration: .init(observer: observer))
    var changes = container.changes.makeAsyncIterator()
    try await container.register {
      Root()
      Stem()
    }
    #expect(observer.journal.entries == ["+Root", "+Stem", "+Leaf"])
    #expect(await changes.next()?.added.count == 2)
    #expect(await changes.next()?.added.count == 1)
  }

  @Test func anObserverNeedsToImplementNothing() async throws {
    let container = Container(configuration: .init(observer: DefaultObserver())) { Root() }
    try await container.register { Root() }
    #expect(container.registrationCount == 1)
  }

  @Test func theContainerNotifiesItsObserverOfAFaultyRegistration() {
    let observer = RecordingObserver()
    let configuration = Container.Configuration(duplicates: .error, observer: observer)
    let container = Container(configuration: configuration) {
      Setting(number: 1)
      Setting(number: 2)
    }
    #expect(container.registrationCount == 1)
    #expect(observer.journal.entries == ["+Setting", "-Setting", "+Setting"])
  }

  @Test func anObserverDoesNotKeepItsContainerAlive() async throws {
    let lifetime = ObjectLifetime()
    do {
      let token = lifetime.token()
      let observer = RecordingObserver { _ in _ = token }
      let container = Container(configuration: .init(observer: observer)) { Root() }
      _ = container.changes
      try await container.register { Stem() }
    }
    await lifetime.ended.wait()
  }
}

/// The configuration's hint for the number of registrations.
@Suite("Capacity") struct CapacityTests {
  @Test(arguments: [0, 1, 40, 1000, Int.max, -1, Int.min])
  func theCapacityDoesNotLimitTheRegistry(capacity: Int) async throws {
    let container = Container(configuration: .init(capacity: capacity))
    for number in 0..<200 {
      try await container.register { Registration(Setting.self) { _ in Setting(number: number) }.key(number) }
    }
    #expect(container.registrationCount == 200)
    for number in 0..<200 {
      #expect(try await container.resolve(Setting.self, key: number).number == number)
    }
  }

  @Test func theContainerReservesItsCapacityAtOnce() throws {
    func slots(_ capacity: Int) -> UInt {
      let container = Container(configuration: .init(capacity: capacity)) { Root() }
      let header = unsafe Snapshot(at: container.publishedSnapshot).header
      return unsafe (header[Snapshot.directoryMaskIndex] + 1) * (header[Snapshot.slotMaskIndex] + 1)
    }
    #expect(slots(0) < 64)
    #expect(slots(1000) >= 1000)
    #expect(slots(.max) <= 1 << 18)
  }

  private final class DecorationWatch: ContainerObserver {
    let seen = Journal<String>()
    func container(_ container: Container, didRegister registration: RegistrationInfo) {
      if let text = try? container.resolve(String.self) { seen.note(text) }
    }
  }

  // A regression: observers were notified of a batch before its decorators applied to services of parents.
  @Test func anObserverOfABatchSeesItsDecorators() async throws {
    let watch = DecorationWatch()
    let app = Container { Registration(String.self) { _ in "plain" } }
    let child = app.makeChild(configuration: .init(observer: watch))
    try await child.register {
      Registration(Int.self) { _ in 1 }
      Decorator(String.self) { _, inner in "decorated " + inner }
    }
    #expect(watch.seen.entries == ["decorated plain"])
  }
}
