import ActorDITestSupport
import Foundation
import Synchronization
import Testing

@testable import ActorDI

/// An observer that records the events, then runs a closure.
private struct RecordingObserver: ContainerObserver {
  let journal = Journal<String>()
  let registrations = Counter()
  var act: @Sendable (Container, ContainerEvent) -> Void = { _, _ in }

  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    registrations.increment()
  }

  func container(_ container: Container, didEmit event: ContainerEvent) {
    #expect(event.container == container.name && event.containerID == container.id)
    guard event.isResult else { return }
    journal.note("\(container.name): \(event.summary)")
    act(container, event)
  }
}

/// An observer that is an object.
private final class ObserverClass: ContainerObserver {
  let journal = Journal<String>()
  func container(_ container: Container, didEmit event: ContainerEvent) {
    if event.isResult { journal.note(event.summary) }
  }
}

/// An observer that counts the builds that have begun and not ended.
private final class BuildCounter: ContainerObserver {
  private let builds = Mutex<(open: Set<UInt64>, failed: Int)>(([], 0))

  var open: Int { builds.withLock { $0.open.count } }
  var failed: Int { builds.withLock { $0.failed } }

  func container(_ container: Container, didEmit event: ContainerEvent) {
    guard let id = event.buildID else { return }
    builds.withLock { builds in
      switch event.kind {
      case .building: #expect(builds.open.insert(id).inserted)
      default: #expect(builds.open.remove(id) != nil)
      }
      if case .failed(let error as ResolutionError, _) = event.kind, error.code == .asyncRequired { builds.failed += 1 }
    }
  }
}

private final class SlowPart: Sendable {
  init() async {}
}

private final class Machine: Sendable {
  init(part: SlowPart) {}
}

/// Observers that are notified of events.
@Suite("Observers of events", .timeLimit(.minutes(5)))
struct ObservedEventTests {
  @Test func theContainerNotifiesOfAllEventsExceptRegistrations() async throws {
    let observer = RecordingObserver()
    let container = Container(name: "app", configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Leaf.self, scope: .singleton) { _ in throw Boom() }
    }
    #expect(container.configuration.observer is RecordingObserver)
    _ = try sync { try container.resolve(Alpha.self) }
    _ = try? sync { try container.resolve(Leaf.self) }
    try await container.register(Root.self) { _ in Root() }
    _ = try await container.resolve(Root.self)
    await container.unregister(Root.self)
    await container.reset()
    #expect(
      observer.journal.entries == [
        "app: created Alpha", "app: failed Leaf", "app: created Root", "app: reset",
      ])
    #expect(observer.registrations.count == 3)
  }

  @Test func theContainerNotifiesOnTheThreadOfTheEvent() async throws {
    let threads = Journal<ObjectIdentifier>()
    let observer = RecordingObserver { _, _ in threads.note(ObjectIdentifier(Thread.current)) }
    let container = Container(configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Root.self, scope: .singleton) { _ in Root() }
    }
    let own = try await onThread {
      _ = try container.resolve(Alpha.self)
      _ = try container.resolve(Root.self)
      return ObjectIdentifier(Thread.current)
    }
    #expect(threads.entries == [own, own])
  }

  @Test func aChildNotifiesAnInheritedObserverOnce() async throws {
    let (observer, others, object) = (RecordingObserver(), RecordingObserver(), ObserverClass())
    let app = Container(name: "app", configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
    }
    let child = app.makeChild(name: "child").makeChild(name: "grandchild")
    _ = try sync { try child.resolve(Alpha.self) }
    #expect(observer.journal.entries == ["grandchild: created Alpha"])
    // A container without an observer, and one with a different observer.
    _ = try sync { try Container(name: "plain", parent: app).resolve(Alpha.self) }
    let other = app.makeChild(name: "other", configuration: .init(observer: others))
    _ = try sync { try other.resolve(Alpha.self) }
    _ = try sync { try app.resolve(Alpha.self) }
    #expect(
      observer.journal.entries.dropFirst() == [
        "plain: created Alpha", "other: created Alpha", "app: created Alpha",
      ])
    #expect(others.journal.entries == ["other: created Alpha"])
    // An object is the same observer in every configuration, so it is notified once.
    let first = Container(configuration: .init(observer: object))
    let second = first.makeChild(configuration: .init(capacity: 1, observer: object)) {
      Registration(Alpha.self) { _ in Alpha() }
    }
    _ = try sync { try second.resolve(Alpha.self) }
    #expect(object.journal.entries == ["created Alpha"])
  }

  @Test func aChildsObserverGetsNoEventsOfTheParent() throws {
    let observer = RecordingObserver()
    let app = Container(name: "app") {
      Registration(Root.self, scope: .singleton) { _ in Root() }
      Registration(Alpha.self) { _ in Alpha() }
    }
    let child = app.makeChild(name: "child", configuration: .init(observer: observer))
    _ = try child.resolve(Root.self)
    _ = try child.resolve(Alpha.self)
    _ = try app.resolve(Alpha.self)
    #expect(observer.journal.entries == ["child: created Alpha"])
  }

  @Test func anObserverCanResolveTheReportedInstanceSynchronously() async throws {
    let found = Journal<ObjectIdentifier>()
    let observer = RecordingObserver { container, event in
      guard event.service == Root.self else { return }
      do {
        found.note(ObjectIdentifier(try container.resolve(Root.self)))
      } catch {
        Issue.record(error)
      }
    }
    let container = Container(configuration: .init(observer: observer)) {
      Registration(Root.self, scope: .singleton) { _ in Root() }
    }
    let root = try sync { try container.resolve(Root.self) }
    #expect(found.entries == [ObjectIdentifier(root)])
    await container.reset()
    let other = try await container.resolve(Root.self)
    #expect(found.entries.last == ObjectIdentifier(other))
  }

  @Test(arguments: [Scope.transient, .graph, .singleton])
  func resolvesByAnObserverDoNotNotifyForever(_ scope: Scope) async throws {
    let refused = Counter()
    let observer = RecordingObserver { container, event in
      do {
        _ = try container.resolve(Leaf.self)
      } catch {
        refused.increment()
      }
    }
    let container = Container(configuration: .init(observer: observer)) {
      Registration(Leaf.self, scope: scope) { _ in Leaf() }
      Registration(Stem.self, scope: scope) { _ in
        await Task.yield()
        return Stem()
      }
    }
    _ = try sync { try container.resolve(Leaf.self) }
    _ = try await container.resolve(Leaf.self)
    _ = try await container.resolve(Stem.self)
    let count = observer.journal.entries.count
    #expect(count >= 2 && count < 20)
    if scope == .transient { #expect(refused.count > 0) }
  }

  @Test func eventsCausedByAnObserverComeLaterInTheStream() async throws {
    let observer = RecordingObserver { container, event in
      if event.service == Root.self { _ = try? container.resolve(Leaf.self) }
    }
    let container = Container(configuration: .init(observer: observer)) {
      Registration(Root.self, scope: .singleton) { _ in Root() }
      Registration(Leaf.self) { _ in Leaf() }
    }
    let stream = container.events()
    _ = try sync { try container.resolve(Root.self) }
    #expect(try await stream.taken(from: container).summaries == ["created Root", "created Leaf"])
  }

  @Test func anObserverCanRegister() async throws {
    let observer = RecordingObserver { container, event in
      guard case .reset = event.kind else { return }
      container.assumeIsolated { container in
        try? container.register(Registration(Leaf.self) { _ in Leaf() })
      }
    }
    let container = Container(name: "app", configuration: .init(observer: observer))
    await container.reset()
    #expect(container.contains(Leaf.self))
    #expect(observer.registrations.count == 1)
  }

  @Test func theContainerNotifiesOfDisposals() async throws {
    let observer = RecordingObserver()
    let app = Container(name: "app", configuration: .init(observer: observer)) {
      Registration(Root.self, scope: .singleton) { _ in Root() }
        .onDispose { _ in throw Boom(number: 1) }
      Registration(Stem.self, scope: .scoped) { _ in Stem() }.onDispose { _ in await Task.yield() }
      Registration(Leaf.self, scope: .scoped) { _ in Leaf() }
      Registration(Alpha.self, scope: .pooled(max: 0)) { _ in Alpha() }.onDispose { _ in }
    }
    let stream = app.events()
    try await app.withScope("request") {
      Registration(Probe.self) { _ in Probe() }
    } operation: { scope in
      _ = try await (scope.resolve(Root.self), scope.resolve(Stem.self), scope.resolve(Leaf.self))
      _ = try await (scope.resolve(Alpha.self), scope.resolve(Probe.self))
    }
    await app.reset(Root.self)
    let events = try await stream.taken(from: app)
    #expect(
      events.map { "\($0.container): \($0.summary)" } == [
        "request: registered Probe", "app: created Root", "request: created Stem",
        "request: created Leaf", "request: created Alpha", "request: created Probe",
        "app: disposed Alpha", "request: disposed Stem", "app: reset Root", "app: disposed Root",
      ])
    #expect(events.last?.error as? Boom == Boom(number: 1) && events.last?.duration != nil)
    #expect(events.dropLast().allSatisfy { $0.error == nil })
    #expect(
      observer.journal.entries
        == events.dropFirst().map { "\($0.container): \($0.summary)" })
  }

  @Test func aBuildOfOneCallThatNeedsSuspensionFailsWithIt() async throws {
    let builds = BuildCounter()
    let app = Container(configuration: .init(observer: builds)) {
      Registration(autowired: Machine.self, scope: .graph, initializer: Machine.init)
      Registration(autowired: SlowPart.self, scope: .singleton, initializer: SlowPart.init)
    }
    for number in 1...3 {
      #expect(throws: ResolutionError.self) { _ = try sync { try app.resolve(Machine.self) } }
      #expect(builds.open == 0 && builds.failed == number)
    }
    _ = try await app.resolve(Machine.self)
    #expect(builds.open == 0 && builds.failed == 3)
  }

  @Test func aBuildThatNeedsSuspensionEndsWhenItIsContinuedOrDropped() async throws {
    let builds = BuildCounter()
    let app = Container(configuration: .init(observer: builds))
    func child() throws -> Container {
      let child = app.makeChild {
        Registration(autowired: Machine.self, scope: .singleton, initializer: Machine.init)
        Registration(autowired: SlowPart.self, scope: .singleton, initializer: SlowPart.init)
      }
      for _ in 0..<2 { #expect(throws: ResolutionError.self) { _ = try sync { try child.resolve(Machine.self) } } }
      #expect(builds.open == 1, "an asynchronous caller can continue it")
      return child
    }
    let continued = try child()
    _ = try await continued.resolve(Machine.self)
    #expect(builds.open == 0 && builds.failed == 0)

    let reset = try child()
    await reset.reset()
    #expect(builds.open == 0 && builds.failed == 1)

    let closed = try child()
    try await closed.shutdown()
    #expect(builds.open == 0 && builds.failed == 2)
  }

  // A regression: overrides appeared as registrations of the container, and were never removed.
  @Test func overridesAreNoRegistrationsOfTheContainer() async throws {
    struct Installing: Module {
      let seen: Journal<String>
      var registrations: Registrations { Registration(Leaf.self) { _ in Leaf() } }
      func didLoad(_ container: Container) async throws {
        // The container that represents the overrides reports its own changes.
        var changes = container.changes.makeAsyncIterator()
        try await container.register { Registration(Stem.self) { _ in Stem() } }
        for registration in await changes.next()?.added ?? [] { seen.note("\(registration.service)") }
      }
    }
    let (observer, seen) = (RecordingObserver(), Journal<String>())
    let app = Container(name: "app", configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
    }
    let events = app.events()
    try await app.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
      Installing(seen: seen)
    } operation: { () async throws in
      _ = try await app.resolve(Leaf.self)
    }
    #expect(observer.registrations.count == 1)
    #expect(seen.entries == ["Stem"])
    #expect(try await events.taken(from: app).summaries == ["created Leaf"])
  }

  @Test func theContainerNotifiesOfInstancesBuiltUnderOverrides() async throws {
    let observer = RecordingObserver()
    let app = Container(name: "app", configuration: .init(observer: observer)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Beta.self, scope: .singleton) { r in try Beta(alpha: r.resolve()) }
    }
    for _ in 0..<3 {
      let before = observer.journal.entries.count
      try await app.withOverrides {
        Registration(Alpha.self) { _ in Alpha() }
      } operation: { () async throws in
        let stream = app.events()
        _ = try await app.resolve(Alpha.self)
        _ = try await app.resolve(Beta.self)
        #expect(
          try await stream.taken(from: app).summaries == [
            "created Alpha", "created Alpha", "created Beta",
          ])
      }
      // After the layer's end, the container's observers are still notified.
      _ = try sync { try app.resolve(Alpha.self) }
      #expect(observer.journal.entries.count == before + 4)
    }
  }
}
