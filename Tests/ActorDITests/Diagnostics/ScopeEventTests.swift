import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// Events of scopes and of beginning builds, and the observers that get them.
@Suite("Events of scopes and of beginning builds", .timeLimit(.minutes(5)))
struct ScopeEventTests {
  private struct RecordingObserver: ContainerObserver {
    let events = Journal<ContainerEvent>()
    func container(_ container: Container, didEmit event: ContainerEvent) { events.note(event) }

    /// The outcomes of the scopes that have ended.
    var outcomes: [String] {
      events.entries.compactMap { if case .closed(_, let outcome) = $0.kind { outcome.name } else { nil } }
    }
  }

  private func app(_ observers: RecordingObserver...) -> Container {
    Container(name: "app", configuration: .init(observers: observers)) {
      Registration(Alpha.self, scope: .scoped) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(Beta.self, scope: .scoped) { r in Beta(alpha: try await r.resolve()) }
      Registration(Leaf.self) { _ in Leaf() }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Leaf.self)) }
    }
  }

  /// The numbers link beginnings to ends, and builds to the builds that request them, whether or not a build suspends.
  @Test func buildsAreNumberedAndKnowTheirRequesters() async throws {
    let app = Container(name: "app") {
      Registration(Alpha.self, scope: .singleton) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(Leaf.self) { _ in Leaf() }
      Registration(Polite.self, scope: .singleton) { r in
        _ = try r.resolve(Leaf.self)
        return Polite()
      }
      Registration(Beta.self, scope: .scoped) { r in
        _ = try await r.resolve(Polite.self)
        return Beta(alpha: try await r.resolve())
      }
      Registration(Completed.self) { r in Completed(leaf: try r.resolve()) }
      Registration(Gamma.self, scope: .singleton) { _ in throw Boom(number: 1) }
    }
    let stream = app.events()
    _ = try await app.withScope { try await ($0.resolve(Beta.self), $0.resolve(Completed.self)) }
    await #expect(throws: Boom.self) { try await app.resolve(Gamma.self) }
    let events = try await stream.allTaken(from: app)
    var (ids, parents): ([String: UInt64], [String: UInt64?]) = ([:], [:])
    for event in events where event.buildID != nil {
      let name = event.path.joined(separator: " ")
      let id = try #require(event.buildID)
      if case .building = event.kind {
        #expect(ids.updateValue(id, forKey: name) == nil, "\(event)")
        parents[name] = event.parentBuildID
      } else {
        #expect(ids[name] == id && parents[name] == event.parentBuildID, "\(event)")
      }
    }
    #expect(Set(ids.values).count == 7 && ids.count == 7, "\(ids)")
    for name in ids.keys {
      let parent = name.split(separator: " ").dropLast().joined(separator: " ")
      #expect(parents[name] == .some(ids[parent]), "\(name)")
    }
    #expect(events.allSatisfy { $0.buildID != nil || $0.service == nil })
  }

  /// A transient with an asynchronous hook.
  private struct Completed: PostInitialization {
    let leaf: Leaf
    func didInitialize() async throws { await Task.yield() }
  }

  @Test func aScopeReportsItsOpeningAndItsClosing() async throws {
    let observer = RecordingObserver()
    let app = app(observer)
    let stream = app.events()
    var ids: [UInt64] = []
    for number in 0..<3 {
      try? await app.withScope("request") { scope in
        ids.append(scope.id)
        _ = try await scope.resolve(Beta.self)
        if number == 1 { throw Boom(number: 1) }
        if number == 2 { throw CancellationError() }
      }
    }
    let events = try await stream.allTaken(from: app)
    let ofEach = [
      "opened request", "building Beta", "building Alpha", "created Alpha", "created Beta", "closed request",
    ]
    #expect(events.allSummaries == ofEach + ofEach + ofEach)
    #expect(events.map(\.containerID) == ids.flatMap { Array(repeating: $0, count: 6) } && Set(ids).count == 3)
    #expect(observer.events.entries.allSummaries.prefix(18) == events.allSummaries[...])
    let ends = events.filter { if case .closed = $0.kind { true } else { false } }
    #expect(ends.map { $0.error is Boom } == [false, true, false])
    #expect(ends.map { "\($0)".contains("closed, completed, in") } == [true, false, false])
    for end in ends { #expect(try #require(end.duration) > .zero && end.service == nil && end.path.isEmpty) }
    #expect(events[0].duration == nil && events[1].duration == nil && "\(events[0])" == "[request] opened")
    #expect(events[2].path == ["Beta", "Alpha"] && "\(events[2])".contains("building Alpha, scoped: Beta -> Alpha"))
  }

  @Test(arguments: [true, false], [true, false])
  func aStreamOfAScopeEndsAfterItsClosing(suspending isSuspending: Bool, withChild hasChild: Bool) async throws {
    let app = Container(name: "app") {
      if isSuspending {
        Registration(Alpha.self, scope: .scoped) { _ in Alpha() }.onDispose { _ async in await Task.yield() }
      } else {
        Registration(Alpha.self, scope: .scoped) { _ in Alpha() }.onDispose { _ in }
      }
    }
    let (stream, child) = try await app.withScope("request") { scope in
      let stream = scope.events()
      _ = try await scope.resolve(Alpha.self)
      return (stream, hasChild ? scope.makeChild(name: "child") : nil)
    }
    let events = await stream.reduce(into: []) { $0.append($1.summary) }
    #expect(events == ["building Alpha", "created Alpha", "disposed Alpha", "closed request"])
    withExtendedLifetime(child) {}
  }

  @Test func aStreamOfAScopeEndsWithAShutdownDuringItsOperation() async throws {
    let app = Container(name: "app") { Registration(Alpha.self, scope: .scoped) { _ in Alpha() }.onDispose { _ in } }
    let events = try await app.withScope("request") { scope in
      let stream = scope.events()
      _ = try await scope.resolve(Alpha.self)
      try await scope.shutdown()
      return await stream.reduce(into: []) { $0.append($1.summary) }
    }
    #expect(events == ["building Alpha", "created Alpha", "disposed Alpha"])
  }

  /// An application whose scopes note the outcomes that their disposers get.
  private func app(noting outcomes: Journal<String>, _ observer: RecordingObserver, _ clock: ManualClock) -> Container {
    Container(name: "app", configuration: .init(observer: observer, clock: clock)) {
      Registration(Alpha.self, scope: .scoped) { _ in Alpha() }.onDispose { _, outcome in outcomes.note(outcome.name) }
    }
  }

  /// Shuts a container down, and lets the time for the operations run out.
  private func shutDown(_ app: Container, runningOut clock: ManualClock) async throws {
    let closing = Task { try await app.shutdown(timeout: .seconds(10)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await #expect(throws: ShutdownError.self) { try await closing.value }
  }

  // A regression: the event had the outcome of the operation, in this test and the next two.
  @Test func aScopeThatAShutdownClosesDuringItsOperationReportsTheOutcomeOfItsDisposers() async throws {
    let (outcomes, observer, clock) = (Journal<String>(), RecordingObserver(), ManualClock())
    let app = app(noting: outcomes, observer, clock)
    let (isOpen, mayEnd) = (Gate(), Gate())
    let operation = Task {
      try await app.withScope("request") { scope in
        _ = try await scope.resolve(Alpha.self)
        isOpen.open()
        await mayEnd.wait()
      }
    }
    try await isOpen.passed()
    try await shutDown(app, runningOut: clock)
    #expect(outcomes.entries == ["shut down"] && observer.outcomes.isEmpty)
    mayEnd.open()
    try await operation.value
    #expect(observer.outcomes == ["shut down"])
  }

  @Test func aScopeThatAShutdownClosesDuringItsExtensionReportsTheOutcomeOfItsDisposers() async throws {
    let (outcomes, observer, clock) = (Journal<String>(), RecordingObserver(), ManualClock())
    let app = app(noting: outcomes, observer, clock)
    let lease = try await app.withScope("request") { scope in
      _ = try await scope.resolve(Alpha.self)
      return try scope.extendScope()
    }
    try await shutDown(app, runningOut: clock)
    #expect(outcomes.entries == ["shut down"] && observer.outcomes.isEmpty)
    try await lease.end(after: .failed(Boom()))
    #expect(observer.outcomes == ["shut down"])
  }

  @Test(arguments: [false, true])
  func aScopeThatItsOperationShutsDownReportsTheOutcomeOfItsDisposers(throwing isThrowing: Bool) async throws {
    let (outcomes, observer) = (Journal<String>(), RecordingObserver())
    let app = app(noting: outcomes, observer, ManualClock())
    try? await app.withScope("request") { scope in
      _ = try await scope.resolve(Alpha.self)
      try await scope.shutdown()
      if isThrowing { throw Boom() }
    }
    #expect(outcomes.entries == ["shut down"] && observer.outcomes == ["shut down"])
  }

  @Test func eventsAndErrorsHavePathsAsValues() async throws {
    let container = Container {
      Registration(Root.self) { r in Root(try r.resolve(Leaf.self, key: 7)) }
      Registration(Leaf.self) { (_: Resolver) throws -> Leaf in throw Boom() }.key(7)
    }
    let stream = container.events()
    await #expect(throws: Boom.self) { try await container.resolve(Root.self) }
    let steps = try #require(try await stream.taken(from: container).first).steps
    #expect(steps.map { ObjectIdentifier($0.service) } == [ObjectIdentifier(Root.self), ObjectIdentifier(Leaf.self)])
    #expect(steps.map { $0.key as? Int } == [nil, 7] && steps.map(\.description) == ["Root", "Leaf[Int(7)]"])
    #expect(steps.allSatisfy { $0.arguments.isEmpty })
    let error = try await asyncResolutionError { try await Container().resolve(Stem.self, key: "k") }
    #expect(error.steps.map(\.description) == error.path && error.steps.last?.key as? String == "k")
  }

  /// Each beginning has an end and each end a beginning, even in case of failure.
  @Test func everyReportedBeginningHasAnEnd() async throws {
    let observer = RecordingObserver()
    let builds = Counter()
    let app = Container(configuration: .init(observer: observer)) {
      Registration(PostInitialized.self, scope: .singleton) { _ in PostInitialized() }
      Registration((any Noted).self, scope: .singleton) { _ -> any Noted in PostInitialized() }
      Registration(Stem.self, scope: .graph) { r in
        if builds.increment() % 3 == 0 { throw Boom() }
        return Stem(try await r.resolve((any Noted).self))
      }
      Registration(Root.self) { r in Root(try await r.resolve(Stem.self)) }
      Registration(PostInitialized.self) { _ in PostInitialized() }.key("transient")
    }
    _ = try await app.resolve(PostInitialized.self, key: "transient")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await app.resolve(Root.self) } }
    }
    var open: [String: Int] = [:]
    for event in observer.events.entries {
      let name = "\(String(describing: event.service))"
      switch event.kind {
      case .building: open[name, default: 0] += 1
      case .created, .failed: open[name, default: 0] -= 1
      default: break
      }
      #expect(open.values.allSatisfy { $0 >= 0 })
    }
    #expect(open.values.allSatisfy { $0 == 0 } && observer.events.entries.count > 40)
  }

  @Test func theContainerNotifiesSeveralObserversInOrder() async throws {
    let notified = Journal<Int>()
    struct Numbered: ContainerObserver {
      let number: Int
      let notified: Journal<Int>
      func container(_ container: Container, didEmit event: ContainerEvent) { notified.note(number) }
      func container(_ container: Container, didRegister registration: RegistrationInfo) { notified.note(number) }
      func container(_ container: Container, didUnregister registration: RegistrationInfo) { notified.note(-number) }
    }
    var configuration = Container.Configuration(
      observer: Numbered(number: 1, notified: notified),
      observers: [Numbered(number: 2, notified: notified), Numbered(number: 3, notified: notified)])
    #expect(configuration.observers.count == 3 && (configuration.observer as? Numbered)?.number == 1)
    let app = Container(configuration: configuration) { Registration(Leaf.self) { _ in Leaf() } }
    _ = try sync { try app.makeChild().resolve(Leaf.self) }
    await app.unregister(Leaf.self)
    #expect(notified.entries == [1, 2, 3, 1, 2, 3, 1, 2, 3, -1, -2, -3])
    configuration.observer = nil
    #expect(configuration.observers.isEmpty && configuration.observer == nil)
    configuration.observer = Numbered(number: 4, notified: notified)
    #expect(configuration.observers.count == 1)
  }

  @Test func streamsEndAtTheShutdown() async throws {
    let app = app()
    let child = app.makeChild(name: "child")
    let (events, changes, ofChild) = (app.events(), app.changes, child.events())
    try await app.register(Stem.self) { _ in Stem() }
    _ = try await child.resolve(Root.self)
    _ = try await child.resolve(Alpha.self)
    try await app.shutdown()
    let all = await events.reduce(into: []) { $0.append($1) }
    #expect(all.summaries == ["registered Stem", "created Leaf", "created Root", "created Alpha"])
    #expect(await changes.reduce(0) { count, _ in count + 1 } == 1)
    #expect(await ofChild.reduce(into: []) { $0.append($1) }.summaries == ["created Alpha"])
    for await _ in app.events() { Issue.record("The stream of a closed container has an element") }
    for await _ in app.changes { Issue.record("The stream of a closed container has an element") }
  }

  @Test func aStreamReportsDisposalsBeforeItEnds() async throws {
    for suspends in [false, true] {
      let app = Container {
        Registration(Root.self, scope: .singleton) { _ in Root() }
          .onDispose { _ in if suspends { await Task.yield() } }
      }
      _ = try await app.resolve(Root.self)
      let events = app.events()
      try await app.shutdown()
      #expect(await events.reduce(into: []) { $0.append($1) }.summaries == ["disposed Root"])
    }
  }

  @Test func anEndedScopeEndsItsStreams() async throws {
    let app = app()
    let (scope, events) = try await app.withScope { scope in (scope, scope.events()) }
    for await _ in events {}
    withExtendedLifetime(scope) {}
  }

  // MARK: Lists of instances

  @Test func aContainerListsItsInstancesAndOpenScopes() async throws {
    let observer = RecordingObserver()
    let period = ManagedScope("p")
    let app = Container(name: "app", configuration: .init(observer: observer)) {
      Registration((any Greeter).self, scope: .singleton) { _ -> any Greeter in Polite() }.key("k")
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.implements((any Sendable).self) { $0 }
      Registration(Setting.self, scope: .managed(by: period)) { (_, number: Int) in Setting(number: number) }
        .perArguments()
      Registration(Root.self, scope: .shared) { _ in Root() }
      Registration(Leaf.self) { _ in Leaf() }
    }
    #expect(app.instances.isEmpty)
    let began = ContinuousClock.now
    let root = try await app.resolve(Root.self)
    _ = try await (app.resolve((any Greeter).self, key: "k"), app.resolve(Leaf.self))
    for number in 1...2 { _ = try await app.resolve(Setting.self, arguments: number) }
    try await app.withScope("request") { scope in
      _ = try await scope.resolve(Probe.self)
      #expect(scope.instances.map { ObjectIdentifier($0.service) } == [ObjectIdentifier(Probe.self)])
      #expect(app.openScopes.map(\.id) == [scope.id])
      try await scope.withScope("inner") { inner in
        #expect(app.openScopes.map(\.name) == ["request", "inner"] && scope.openScopes.map(\.id) == [inner.id])
        #expect(app.openScopes.map(\.container) == ["app", "request"])
      }
    }
    let instances = app.instances
    #expect(instances.map { "\($0.service)" } == ["Greeter", "Setting", "Setting", "Root"])
    #expect(instances[0].type == Polite.self && instances[0].key as? String == "k" && instances[0].scope == .singleton)
    #expect(instances[1].arguments.map { "\($0)" } == ["Int"])
    for instance in instances {
      #expect(try #require(instance.createdAt) >= began && #require(instance.buildDuration) >= .zero)
    }
    await period.invalidate()
    #expect(app.instances.count == 2)
    withExtendedLifetime(root) {}
    await app.reset(.singleton)
    #expect(app.instances.count <= 1 && app.openScopes.isEmpty)
  }

  @Test func withoutAnObserverInstancesHaveNoTimes() async throws {
    let app = app()
    _ = try await app.resolve(Root.self)
    _ = try sync { try app.resolve(Root.self) }
    let root = try #require(app.instances.first)
    #expect(root.type == Root.self && root.createdAt == nil && root.buildDuration == nil)
    #expect("\(root)" == "Root, singleton: Root")
  }
}
