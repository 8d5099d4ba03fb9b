import ActorDI
import ActorDITestSupport
import Testing

/// The stream of a registry's changes.
@Suite("Changes of a registry", .timeLimit(.minutes(5)))
struct ChangesTests {
  private func probe(_ name: String, _ key: Int) -> Registration<Probe> {
    Registration(Probe.self) { _ in Probe(name) }.key(key)
  }

  private func keys(_ registrations: [RegistrationInfo]) -> [Int] {
    registrations.map { $0.key as? Int ?? -1 }
  }

  @Test func eachBatchIsOneElement() async throws {
    let container = Container { probe("before", 0) }
    var changes = container.changes.makeAsyncIterator()
    try await container.register {
      probe("a", 1)
      probe("b", 2)
    }
    try await container.register { probe("c", 3) }
    await container.unregister(Probe.self, key: 2)
    let first = try #require(await changes.next())
    #expect(keys(first.added) == [1, 2] && first.removed.isEmpty)
    #expect(first.added.allSatisfy { $0.service == Probe.self && $0.scope == .transient })
    let second = try #require(await changes.next())
    #expect(keys(second.added) == [3] && second.removed.isEmpty)
    let third = try #require(await changes.next())
    #expect(third.added.isEmpty && keys(third.removed) == [2])
    #expect(third.description.hasPrefix("- Probe[Int(2)], transient, at "))
  }

  @Test func aReplacementListsOldAndNewRegistrations() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
    }
    var changes = container.changes.makeAsyncIterator()
    try await container.register { Registration(Polite.self) { _ in Polite() } }
    let change = try #require(await changes.next())
    #expect(change.added.map { "\($0.service) \($0.scope)" } == ["Polite transient"])
    #expect(
      Set(change.removed.map { "\($0.service) \($0.scope)" })
        == ["Polite singleton", "Greeter singleton"])
  }

  @Test func aBatchDoesNotListRegistrationsThatItReplacesItself() async throws {
    let container = Container { Setting(number: 0) }
    var changes = container.changes.makeAsyncIterator()
    let old = try #require(container.registrations.first?.source.line)
    try await container.register {
      Setting(number: 1)
      Setting(number: 2)
    }
    let change = try #require(await changes.next())
    #expect(change.added.count == 1 && change.removed.map(\.source.line) == [old])
    #expect(change.added.map(\.source.line) == container.registrations.map(\.source.line))
  }

  @Test func aRebuildListsRemovedRegistrationsInTheirOrder() async throws {
    let isEmpty = Shelf(false)
    let container = Container {
      if !isEmpty.value { for key in 0..<12 { probe("initial", key) } }
    }
    var changes = container.changes.makeAsyncIterator()
    isEmpty.value = true
    try await container.rebuild()
    let change = try #require(await changes.next())
    #expect(change.added.isEmpty && keys(change.removed) == Array(0..<12))
  }

  @Test func callsThatChangeNothingEmitNothing() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Alpha.self) { _ in Alpha() }.key("token")
    }
    var changes = container.changes.makeAsyncIterator()
    // The container caches the token's address, which publishes a snapshot but is not a change.
    _ = try await container.resolve(ServiceKey<Alpha>("token"))
    try await container.register {}
    await container.unregister(Probe.self)
    await #expect(throws: ResolutionError.self) {
      try await container.register {
        Setting()
        Registration(Alpha.self) { _ in Alpha() }.key("token")
      }
    }
    await container.reset()
    try await container.register { Root() }
    let change = try #require(await changes.next())
    #expect(change.added.map { "\($0.service)" } == ["Root"] && change.removed.isEmpty)
  }

  @Test func eachAccessSubscribesAnew() async throws {
    let container = Container()
    var first = container.changes.makeAsyncIterator()
    try await container.register { probe("a", 1) }
    var second = container.changes.makeAsyncIterator()
    try await container.register { probe("b", 2) }
    #expect(await first.next().map { keys($0.added) } == [1])
    #expect(await first.next().map { keys($0.added) } == [2])
    #expect(await second.next().map { keys($0.added) } == [2])
  }

  @Test func aStreamEndsWithItsContainer() async throws {
    var container: Container? = Container()
    var changes = try #require(container).changes.makeAsyncIterator()
    try await container?.register { probe("a", 1) }
    weak let weakly = container
    container = nil
    #expect(weakly == nil)
    #expect(await changes.next().map { keys($0.added) } == [1])
    #expect(await changes.next() == nil)
  }

  @Test func aFreedStreamReleasesItsBuffer() async throws {
    let lifetime = ObjectLifetime()
    let container = Container()
    do {
      let stream = container.changes
      try await container.register {
        Registration(Probe.self) { _ in Probe() }.key(Tagged(token: lifetime.token()))
      }
      await container.unregister(Probe.self, key: Tagged(token: nil))
      _ = stream
    }
    // The buffer of untaken changes has been released.
    await lifetime.ended.wait()
    try await container.register { probe("b", 2) }
    #expect(container.registrationCount == 1)
  }

  /// A key that is equal to all others. It may hold a token.
  private struct Tagged: Hashable, Sendable {
    let token: ObjectLifetime.Token?
    static func == (left: Tagged, right: Tagged) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  @Test func aCancelledIterationEndsItsSubscription() async throws {
    let container = Container()
    let seen = Counter()
    let changes = container.changes
    let task = Task {
      for await _ in changes { seen.increment() }
    }
    try await container.register { probe("a", 1) }
    await seen.wait(for: 1)
    task.cancel()
    await task.value
    try await container.register { probe("b", 2) }
    #expect(seen.count == 1)
  }

  @Test func changesArriveInOrderOfPublication() async throws {
    let container = Container()
    let changes = container.changes
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            try? await container.register { probe("", 1000 * writer + number) }
          }
        }
      }
    }
    var seen: [Int] = []
    for await change in changes {
      seen += keys(change.added)
      if seen.count == 400 { break }
    }
    #expect(seen == keys(container.registrations))
  }

  @Test func popAndRebuildEmitOneElementEach() async throws {
    let isOn = Shelf(true)
    let container = Container {
      if isOn.value { probe("old", 1) } else { probe("new", 2) }
      probe("both", 3)
    }
    var changes = container.changes.makeAsyncIterator()
    isOn.value = false
    try await container.rebuild()
    try await container.rebuild()
    let rebuilt = try #require(await changes.next())
    #expect(keys(rebuilt.added) == [2] && keys(rebuilt.removed) == [1])
    await container.push()
    try await container.register {
      probe("", 2)
      probe("", 4)
    }
    let registered = try #require(await changes.next())
    #expect(keys(registered.added) == [2, 4] && keys(registered.removed) == [2])
    await container.pop()
    let restored = try #require(await changes.next())
    #expect(keys(restored.added) == [2] && Set(keys(restored.removed)) == [2, 4])
  }

  @Test func decoratingEmitsAReplacement() async throws {
    let container = Container { probe("inner", 1) }
    var changes = container.changes.makeAsyncIterator()
    let injected = Injected<Probe>(key: 1, from: container)
    injected.autoreload()
    #expect(try await injected().name == "inner")
    try await container.decorate(Probe.self) { _, inner in Probe("outer \(inner.name)") }
    let change = try #require(await changes.next())
    #expect(keys(change.added) == [1] && keys(change.removed) == [1])
    #expect(injected.wrappedValue.name == "outer inner")
  }
}
