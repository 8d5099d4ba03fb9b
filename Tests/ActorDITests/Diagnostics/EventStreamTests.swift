import ActorDITestSupport
import Testing

@testable import ActorDI

/// The events that each stream gets, and for how long.
@Suite("Streams of events", .timeLimit(.minutes(5)))
struct EventStreamTests {
  @Test func aContainersStreamHasTheEventsOfItsDescendants() async throws {
    let app = Container(name: "app") {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Root.self, scope: .singleton) { _ in Root() }
      Registration(Stem.self, scope: .graph) { _ in Stem() }
    }
    let scope = app.makeChild(name: "scope") {
      Registration(Leaf.self) { _ in Leaf() }
    }
    let (ofApp, ofScope) = (app.events(), scope.events())
    let sibling = app.makeChild(name: "sibling") {
      Registration(Leaf.self) { _ in Leaf() }
    }
    try sync {
      _ = try scope.resolve(Alpha.self)
      _ = try scope.resolve(Root.self)
      _ = try scope.resolve(Stem.self)
      _ = try scope.resolve(Leaf.self)
      _ = try sibling.resolve(Leaf.self)
    }
    await scope.reset()
    let all = try await ofApp.taken(from: app).map { "\($0.container): \($0.summary)" }
    #expect(
      all == [
        "sibling: registered Leaf", "scope: created Alpha", "app: created Root",
        "scope: created Stem", "scope: created Leaf", "sibling: created Leaf", "scope: reset",
      ])
    #expect(
      try await ofScope.taken(from: scope).summaries == [
        "created Alpha", "created Stem", "created Leaf", "reset",
      ])
  }

  @Test func theResetOfAClosedScopeIsNoEvent() async throws {
    let app = Container(name: "app")
    let events = app.events()
    let scope = try await app.withScope { scope in scope }
    await scope.reset()
    await scope.reset(.singleton)
    #expect(try await events.allTaken(from: app).allSummaries == ["opened scope", "closed scope"])
  }

  @Test func aScopesStreamHasTheTransientsOfItsParent() async throws {
    let app = Container { Registration(Alpha.self) { _ in Alpha() } }
    let scope = app.makeChild()
    let stream = scope.events()
    _ = try sync { try scope.resolve(Alpha.self) }
    _ = try sync { try app.resolve(Alpha.self) }
    #expect(try await stream.taken(from: scope).summaries == ["created Alpha"])
  }

  @Test func aContainersStreamHasTheTransientsOfLinkedContainers() async throws {
    let other = Container(name: "other") {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Root.self, scope: .singleton) { _ in Root() }
    }
    let container = Container()
    container.link(other)
    let stream = container.events()
    _ = try sync { try container.resolve(Alpha.self) }
    _ = try sync { try container.resolve(Root.self) }
    #expect(try await stream.taken(from: container).summaries == ["created Alpha"])
  }

  @Test func aStreamHasTheEventsSinceItsSubscription() async throws {
    let container = Container { Registration(Alpha.self) { _ in Alpha() } }
    let early = container.events()
    _ = try sync { try container.resolve(Alpha.self) }
    let late = container.events()
    _ = try sync { try container.resolve(Alpha.self) }
    #expect(try await late.taken(from: container).summaries == ["created Alpha"])
    #expect(
      try await early.taken(from: container).filter { $0.service == Alpha.self }.count == 2)
  }

  @Test(arguments: [-1, 0, 1, 3]) func aFullBufferDropsTheOldestEvents(_ limit: Int) async throws {
    let stream: AsyncStream<ContainerEvent>
    do {
      let container = Container {
        for number in 0..<10 { Registration(Setting.self) { _ in Setting() }.key(number) }
      }
      stream = container.events(bufferingNewest: limit)
      for number in 0..<10 { _ = try sync { try container.resolve(Setting.self, key: number) } }
    }
    let keys = await stream.reduce(into: []) { $0.append($1.key as? Int) }
    // Each build has two events: its beginning and the creation.
    #expect(keys == Array((0..<10).flatMap { [$0, $0] }.suffix(max(0, limit))))
  }

  @Test func aStreamEndsWithItsContainer() async throws {
    let lifetime = ObjectLifetime()
    let stream: AsyncStream<ContainerEvent>
    do {
      let token = lifetime.token()
      let container = Container {
        Registration(Root.self, scope: .singleton) { _ in Root(token) }
      }
      stream = container.events()
      _ = try sync { try container.resolve(Root.self) }
    }
    let events = await stream.reduce(into: []) { $0.append($1) }
    #expect(events.summaries == ["created Root"])
    Reclaimer.shared.collect()
    try await lifetime.ended.passed()
  }

  @Test func aSubscriberCanResolveTheReportedService() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { _ in Root() }
      Registration(Leaf.self) { _ in Leaf() }
    }
    let stream = container.events()
    let root = try await container.resolve(Root.self)
    var events: [ContainerEvent] = []
    for await event in stream {
      guard event.isResult else { continue }
      events.append(event)
      if events.count == 3 { break }
      #expect(try await container.resolve(Root.self) === root)
      _ = try await container.resolve(Leaf.self)
    }
    #expect(events.summaries == ["created Root", "created Leaf", "created Leaf"])
  }

  @Test func aSubscriberThatLeavesDoesNotAffectTheOthers() async throws {
    let container = Container { Registration(Alpha.self) { _ in Alpha() } }
    let whole = container.events()
    let tasks = (0..<8).map { _ in
      let stream = container.events()
      return Task {
        var count = 0
        for await _ in stream {
          count += 1
          if count == 3 { break }
        }
        return count
      }
    }
    for _ in 0..<20 { _ = try sync { try container.resolve(Alpha.self) } }
    for task in tasks { #expect(await task.value == 3) }
    #expect(try await whole.taken(from: container).count == 20)
  }

  // A regression: only the asking container's observers were considered.
  @Test func aLinkedContainersStreamHasTheEventsOfItsServices() async throws {
    let library = Container(name: "library") { Registration(Root.self, scope: .singleton) { _ in Root() } }
    let user = Container(name: "user")
    user.link(library)
    let events = library.events()
    _ = try sync { try user.resolve(Root.self) }
    #expect(try await events.taken(from: library).summaries == ["created Root"])
  }

  // A regression: only streams that were there at the shutdown ended.
  @Test func aStreamOfAClosedContainerEndsAtOnce() async throws {
    let app = Container()
    try await app.shutdown()
    for await _ in app.events() { Issue.record("an event after the end") }
    for await _ in app.changes { Issue.record("a change after the end") }
    #expect(!app.isObserved)
  }

  @Test func aStreamOfAScopeThatHasEndedEndsAtOnce() async throws {
    let app = Container()
    let scope = try await app.withScope { $0 }
    for await _ in scope.events() { Issue.record("an event after the end") }
    for await _ in scope.changes { Issue.record("a change after the end") }
  }
}
