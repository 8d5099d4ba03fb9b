import ActorDITestSupport
import Testing

@testable import ActorDI

/// The instances that a scope keeps of its parents' registrations. After any change, a resolve finds the right registration.
@Suite("Instances kept by a scope", .timeLimit(.minutes(5)))
struct KeptByScopeTests {
  private static func app(_ configuration: Container.Configuration = .init()) -> Container {
    Container(name: "app", configuration: configuration) {
      Registration(Probe.self, scope: .scoped) { _ in Probe("app") }
      Registration(Probe.self, scope: .scoped) { _ in Probe("keyed") }.key("k")
      Registration(Polite.self, scope: .scoped) { _ in Polite() }.implements((any Greeter).self) { $0 }
    }
  }

  /// Resolves until the scope keeps the instances.
  private func keptProbe(_ scope: Container) async throws -> Probe {
    let probe = try await scope.resolve(Probe.self)
    for _ in 0..<3 {
      #expect(try await scope.resolve(Probe.self) === probe)
      #expect(try sync { try scope.resolve(Probe.self, key: "k") }.name == "keyed")
    }
    return probe
  }

  @Test func aScopeFollowsANewRegistrationOfItsParent() async throws {
    let journal = Journal<String>()
    let app = Container(name: "app") {
      Registration(Connection.self, scope: .scoped) { _ in Connection("old", journal) }
    }
    try await app.withScope { scope in
      let old = try await scope.resolve(Connection.self)
      for _ in 0..<3 { #expect(try await scope.resolve(Connection.self) === old) }
      try await app.register(Registration(Connection.self, scope: .scoped) { _ in Connection("new", journal) })
      let new = try sync { try scope.resolve(Connection.self) }
      #expect(new.name == "new")
      for _ in 0..<3 { #expect(try await scope.resolve(Connection.self) === new) }
      #expect(journal.entries.isEmpty)
    }
    #expect(journal.entries == ["new", "old"], "The end of the scope disposes of the old instance")
  }

  @Test func aScopeFollowsAnUnregistrationInItsParent() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      _ = try await keptProbe(scope)
      #expect(await app.unregister(Probe.self))
      let error = try sync { try resolutionError { try scope.resolve(Probe.self) } }
      #expect(error.code == .notRegistered && !scope.contains(Probe.self, key: 9))
      #expect(scope.resolveIfReady(Probe.self) == nil)
      #expect(try await scope.resolve(Probe.self, key: "k").name == "keyed")
    }
  }

  @Test func unregisteringAScopesOwnRegistrationUncoversTheKeptInstance() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      let probe = try await keptProbe(scope)
      try await scope.register(Registration(Probe.self, scope: .singleton) { _ in Probe("own") })
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self).name == "own") }
      #expect(scope.registrationCount == 1)
      #expect(await scope.unregister(Probe.self))
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe, "The scope still keeps its instance") }
      #expect(await scope.unregister(Probe.self) == false, "The registration is the parent's")
      #expect(try await scope.resolve(Probe.self) === probe)
    }
  }

  @Test func aKeptInstanceIsNoDuplicateOfAScopesRegistration() async throws {
    let app = Self.app(.init(duplicates: .error))
    try await app.withScope { scope in
      _ = try await keptProbe(scope)
      try await scope.register(Registration(Probe.self, scope: .singleton) { _ in Probe("own") })
      #expect(try await scope.resolve(Probe.self).name == "own")
      try await scope.register { Registration(Polite.self, scope: .singleton) { _ in Polite() }.ifNotRegistered() }
      #expect(scope.registrationCount == 2)
    }
  }

  @Test func aScopeFollowsARegistrationInAContainerInBetween() async throws {
    let app = Self.app()
    let middle = app.makeChild(name: "middle")
    try await middle.withScope { scope in
      let probe = try await keptProbe(scope)
      #expect(try await middle.resolve(Probe.self) !== probe)
      for _ in 0..<3 { _ = try await middle.resolve(Probe.self) }
      try await middle.register(Registration(Probe.self, scope: .scoped) { _ in Probe("middle") })
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self).name == "middle") }
      #expect(await middle.unregister(Probe.self))
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe) }
    }
  }

  @Test func aLinkTakesPrecedenceOverAKeptInstance() async throws {
    let other = Container { Registration(Probe.self, scope: .singleton) { _ in Probe("linked") } }
    let app = Self.app()
    try await app.withScope { scope in
      let probe = try await keptProbe(scope)
      let link = scope.link(other)
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self).name == "linked") }
      link.cancel()
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe) }
    }
    let middle = app.makeChild()
    try await middle.withScope { scope in
      _ = try await keptProbe(scope)
      let link = middle.link(other)
      for _ in 0..<3 { #expect(try sync { try scope.resolve(Probe.self) }.name == "linked") }
      link.cancel()
    }
  }

  @Test func aResetDropsTheKeptInstanceAtOnce() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      var probe = try await keptProbe(scope)
      for reset: (Container) async -> Void in [
        { await $0.reset() }, { await $0.reset(.scoped) }, { await $0.reset(Probe.self) },
      ] {
        await reset(scope)
        #expect(scope.resolveIfReady(Probe.self) == nil)
        let next = try await scope.resolve(Probe.self)
        #expect(next !== probe)
        probe = try await keptProbe(scope)
        #expect(probe === next)
      }
      await scope.reset(.singleton)
      await scope.reset(Alpha.self)
      #expect(try await scope.resolve(Probe.self) === probe)
      await app.reset()
      #expect(try await scope.resolve(Probe.self) !== probe, "A parent's reset reaches the scope")
    }
  }

  @Test func freezingKeepsInstancesAndAllowsResets() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      await scope.freeze()
      await app.freeze()
      let probe = try await keptProbe(scope)
      #expect(try await scope.resolve(Probe.self) === probe)
      await scope.reset()
      #expect(try await scope.resolve(Probe.self) !== probe)
    }
  }

  @Test func popRestoresTheKeptInstance() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      let probe = try await keptProbe(scope)
      await app.push()
      #expect(try await scope.resolve(Probe.self) === probe)
      try await app.register(Registration(Probe.self, scope: .scoped) { _ in Probe("pushed") })
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self).name == "pushed") }
      await scope.reset(Alpha.self)
      await app.pop()
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe, "pop restores the instance, too") }
      await scope.push()
      try await scope.register(Registration(Probe.self, scope: .singleton) { _ in Probe("own") })
      #expect(try await scope.resolve(Probe.self).name == "own")
      await scope.pop()
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe) }
    }
  }

  @Test func aRebuildKeepsInstancesOfStandingRegistrationsOnly() async throws {
    let hasProbe = Shelf(true)
    let app = Container {
      if hasProbe.value { Registration(Probe.self, scope: .scoped) { _ in Probe("app") } }
      Registration(Probe.self, scope: .scoped) { _ in Probe("keyed") }.key("k")
    }
    try await app.withScope { scope in
      let probe = try await keptProbe(scope)
      try await app.rebuild()
      #expect(try await scope.resolve(Probe.self) === probe)
      hasProbe.value = false
      try await app.rebuild()
      #expect(try sync { try resolutionError { try scope.resolve(Probe.self) } }.code == .notRegistered)
      hasProbe.value = true
      try await app.rebuild()
      #expect(try await scope.resolve(Probe.self) !== probe, "The registration is a new one")
    }
  }

  @Test func aDecoratorInTheParentWrapsTheScopesInstance() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      let probe = try await keptProbe(scope)
      // The scope still keeps the decorated instance; the reset of another service must not affect it.
      await scope.reset(Alpha.self)
      try await app.decorate(Probe.self) { _, inner in Root.wrapped(inner) }
      let wrapped = try await scope.resolve(Probe.self)
      #expect(wrapped.name == "around app" && wrapped !== probe)
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === wrapped) }
    }
  }

  @Test func resettingAnotherServiceKeepsADecoratedInstance() async throws {
    let app = Self.app()
    try await app.decorate(Polite.self) { _, _ in Polite() }
    try await app.withScope { scope in
      let wrapped = try await scope.resolve(Polite.self)
      let inner = try await scope.resolve((any Greeter).self) as? Polite
      await scope.reset(Alpha.self)
      #expect(try await scope.resolve(Polite.self) === wrapped)
      #expect(try await scope.resolve((any Greeter).self) as? Polite === inner)
    }
  }

  @Test func aScopeDoesNotListItsKeptInstancesAsRegistrations() async throws {
    let app = Self.app()
    let changes = Journal<String>()
    let child = app.makeChild(configuration: .init(observer: RecordingObserver(journal: changes)))
    let feed = child.changes
    _ = try await keptProbe(child)
    for _ in 0..<3 { _ = try await child.resolve((any Greeter).self) }
    #expect(child.registrationCount == 0 && child.registrations.isEmpty && changes.entries.isEmpty)
    #expect(try await child.resolve([Probe].self).map(\.name) == ["app", "keyed"])
    #expect(
      try await child.resolve([Probe].self).map(ObjectIdentifier.init)
        == [child.resolve(Probe.self), child.resolve(Probe.self, key: "k")].map(ObjectIdentifier.init))
    #expect(app.totalRegistrationCount == app.registrationCount)
    try await child.register(Registration(Alpha.self) { _ in Alpha() })
    var iterator = feed.makeAsyncIterator()
    #expect(await iterator.next()?.added.map(\.description).count == 1, "The first change is the first registration")
    #expect(changes.entries.count == 1)
  }

  @Test func freeingAChildFreesItsKeptInstances() async throws {
    let lifetime = ObjectLifetime()
    let app = Container {
      Registration(Root.self, scope: .scoped) { _ in Root(lifetime.token()) }
    }
    weak var dropped: Container?
    do {
      let child = app.makeChild()
      for _ in 0..<4 { _ = try await child.resolve(Root.self) }
      dropped = child
    }
    try await until { dropped == nil }
    try await lifetime.ended.passed()
  }
}

extension Root {
  fileprivate static func wrapped(_ probe: Probe) -> Probe { Probe("around " + probe.name) }
}

private struct RecordingObserver: ContainerObserver {
  let journal: Journal<String>
  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    journal.note("+\(registration)")
  }
  func container(_ container: Container, didUnregister registration: RegistrationInfo) {
    journal.note("-\(registration)")
  }
}
