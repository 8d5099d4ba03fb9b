import ActorDITestSupport
import Testing

@testable import ActorDI

/// The events that a container reports about services.
@Suite("Events of a container", .timeLimit(.minutes(5)))
struct ContainerEventTests {
  @Test func aContainerReportsDependenciesBeforeTheirDependents() async throws {
    let container = Container(name: "app") {
      Registration(Gamma.self, scope: .singleton) { r in try Gamma(beta: r.resolve(), alpha: r.resolve()) }
      Registration(Beta.self) { r in try Beta(alpha: r.resolve()) }
      Registration(autowired: Alpha.self, scope: .graph, initializer: Alpha.init)
    }
    let stream = container.events()
    _ = try sync { try container.resolve(Gamma.self) }
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["created Alpha", "created Beta", "created Gamma"])
    #expect(
      events.map(\.path) == [["Gamma", "Beta", "Alpha"], ["Gamma", "Beta"], ["Gamma"]])
    #expect(events.map(\.scope) == [.graph, .transient, .singleton])
    #expect(events.allSatisfy { $0.container == "app" && $0.key == nil && $0.arguments.isEmpty })
    let durations = events.compactMap(\.duration)
    #expect(durations.count == 3)
    #expect(durations[0] <= durations[1] && durations[1] <= durations[2])
    _ = try sync { try container.resolve(Gamma.self) }
    #expect(try await stream.taken(from: container).isEmpty)
  }

  @Test func aContainerReportsAsynchronousFactoriesAlike() async throws {
    let container = Container {
      Registration(Gamma.self, scope: .singleton) { r in
        try await Gamma(beta: r.resolve(), alpha: r.resolve())
      }
      Registration(Beta.self) { r in
        await Task.yield()
        return try await Beta(alpha: r.resolve())
      }
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }
    }
    let stream = container.events()
    _ = try await container.resolve(Gamma.self)
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["created Alpha", "created Beta", "created Gamma"])
    #expect(
      events.map(\.path) == [["Gamma", "Beta", "Alpha"], ["Gamma", "Beta"], ["Gamma"]])
  }

  @Test func eachServiceOnThePathReportsAFailure() async throws {
    let container = Container {
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { _ in Leaf() }.onCreated { _, _ in throw Boom(number: 7) }
      Registration(Root.self, scope: .singleton) { r in
        Root(try await r.resolve(Stem.self))
      }
    }
    let stream = container.events()
    await #expect(throws: Boom.self) { try await container.resolve(Root.self) }
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["failed Leaf", "failed Stem", "failed Root"])
    #expect(events.map(\.path) == [["Root", "Stem", "Leaf"], ["Root", "Stem"], ["Root"]])
    #expect(events.allSatisfy { $0.error as? Boom == Boom(number: 7) && $0.duration != nil })
  }

  @Test func aContainerReportsRegistrationsAndResets() async throws {
    let container = Container()
    let stream = container.events()
    try await container.register {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self, key: 1) { $0 }
      Registration(Greeting.self) { (_, name: String) in Greeting(name: name) }.key("formal")
    }
    try await container.register(Polite.self) { _ in Polite() }
    await container.reset(Greeting.self, key: "formal")
    await container.reset(Alpha.self)
    await container.reset(.singleton)
    await container.reset()
    await container.unregister(Greeting.self, key: "formal")
    let events = try await stream.taken(from: container)
    #expect(
      events.summaries == [
        "registered Polite", "registered Greeter", "registered Greeting",
        "unregistered Polite", "unregistered Greeter", "registered Polite",
        "reset Greeting", "reset", "reset", "unregistered Greeting",
      ])
    #expect(events[1].key as? Int == 1 && events[1].scope == .singleton)
    #expect(events[2].key as? String == "formal")
    #expect(events[2].arguments.map { "\($0)" } == ["String"])
    #expect(events[6].scope == .transient && events[7].scope == .singleton && events[8].scope == nil)
    #expect(events.allSatisfy { $0.path.isEmpty && $0.duration == nil && $0.error == nil })
  }

  @Test func aContainerReportsEachWaiter() async throws {
    let gate = Gate()
    let stage = Stage()
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in
        await gate.wait()
        return Alpha()
      }
      Registration(Beta.self) { r in try await Beta(alpha: r.resolve()) }
    }
    let stream = container.events()
    let first = await stage.start { _ in try await container.resolve(Alpha.self) }
    let second = await stage.start { _ in try await container.resolve(Beta.self) }
    let third = await stage.start { _ in try await container.resolve(Alpha.self) }
    third.cancel()
    _ = await third.result
    gate.open()
    _ = try await (first.value, second.value)
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["waited Alpha", "created Alpha", "waited Alpha", "created Beta"])
    #expect(events.map(\.path) == [["Alpha"], ["Alpha"], ["Beta", "Alpha"], ["Beta"]])
    #expect(events[0].duration != nil && events[2].duration != nil)
  }

  @Test func aContainerReportsABlockedThreadAsAWaiter() async throws {
    let (gate, isBuilding) = (Gate(), Gate())
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in
        isBuilding.open()
        gate.block()
        return Alpha()
      }
    }
    let stream = container.events()
    async let first = onThread { try container.resolve(Alpha.self) }
    await isBuilding.wait()
    let isThere = Gate()
    async let second = onThread {
      isThere.open()
      return try container.resolve(Alpha.self)
    }
    await isThere.wait()
    // Opens the gate only once the waiter is in the cell's list.
    let binding = try #require(container.ownBinding(of: ServiceIdentity(Alpha.self)))
    while binding.existingCell?.state.withLock({ $0.waiters.isEmpty }) != false {
      await Task.yield()
    }
    gate.open()
    #expect(try await first === second)
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["created Alpha", "waited Alpha"])
  }

  @Test func aCycleReportsNoWaiter() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Root.self)) }
    }
    let stream = container.events()
    _ = try resolutionError { try container.resolve(Root.self) }
    #expect(try await stream.taken(from: container).summaries == ["failed Stem", "failed Root"])
  }

  @Test func aContainerReportsAnAliasedOrDecoratedInstanceOnce() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
      Registration(Setting.self, scope: .singleton) { _ in Setting(number: 1) }
      Registration(instance: Alpha())
      Registration(autowired: Beta.self, initializer: Beta.init)
    }
    try await container.decorate(Setting.self) { _, inner in Setting(number: inner.number + 1) }
    try await container.decorate(Setting.self) { _, inner in Setting(number: inner.number * 10) }
    let stream = container.events()
    _ = try sync { try container.resolve((any Greeter).self) }
    _ = try sync { try container.resolve(Beta.self) }
    #expect(try sync { try container.resolve(Setting.self).number } == 20)
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["created Polite", "created Beta", "created Setting"])
    #expect(events[0].path == ["any Greeter", "Polite"])
    try await container.decorate(Setting.self) { _, _ in throw Boom() }
    #expect(throws: Boom.self) { try sync { try container.resolve(Setting.self) } }
    let failures = try await stream.taken(from: container).filter { $0.error != nil }
    #expect(failures.summaries == ["failed Setting"])
  }

  @Test(arguments: [Scope.transient, .singleton])
  func theReportedCreationIncludesPostInitialisation(_ scope: Scope) async throws {
    let journal = Journal<String>()
    let failure = Shelf<Boom?>(Boom())
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("warm", journal, failure: failure) }
    }
    let stream = container.events()
    await #expect(throws: Boom.self) { try await container.resolve((any Noted).self) }
    #expect(try await stream.taken(from: container).summaries == ["failed Noted"])
    failure.value = nil
    _ = try await container.resolve((any Noted).self)
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["created Noted"])
    #expect(events[0].path == ["any Noted"])
  }

  @Test func theReportedDurationIncludesTheFactoryBeforeASuspension() async throws {
    let clock = ContinuousClock()
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { _ in
        let end = clock.now + .milliseconds(5)
        while clock.now < end {}
        return PostInitialized()
      }
    }
    let stream = container.events()
    _ = try await container.resolve((any Noted).self)
    let duration = try #require(try await stream.taken(from: container).first?.duration)
    #expect(duration >= .milliseconds(5))
  }

  @Test func anEventDescribesItselfInOneLine() async throws {
    let container = Container(name: "app") {
      Registration(Leaf.self, scope: .singleton) { _ in throw ResolutionError(.closed, for: nil) }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self, key: 1)) }
      Registration(Leaf.self) { _ in Leaf() }.key(1)
    }
    let stream = container.events()
    _ = try? sync { try container.resolve(Leaf.self) }
    _ = try sync { try container.resolve(Stem.self) }
    await container.reset(.singleton)
    await container.reset()
    let lines = try await stream.taken(from: container).map(\.description)
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("[app] failed Leaf, singleton, in "))
    #expect(lines[0].contains("s; The container is closed."))
    #expect(lines[1].hasPrefix("[app] created Leaf[Int(1)], transient, in "))
    #expect(lines[1].hasSuffix("s: Stem -> Leaf[Int(1)]"))
    #expect(lines[3...] == ["[app] reset singleton", "[app] reset"])
    #expect(lines.allSatisfy { !$0.contains("\n") })
  }
}

private struct Greeting: Sendable {
  let name: String
}
