import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// The end of a container while overrides keep instances in its place: these end before the container, whichever task ends it.
@Suite("Ends of containers under overrides", .timeLimit(.minutes(5)))
struct OwnerEndTests {
  private let journal = Journal<String>()

  /// A container whose beta needs an alpha, to be overridden, and a setting of the container's own.
  private func makeContainer(_ name: String = "app", betaIn scope: Scope = .singleton) -> Container {
    Container(name: name) { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Probe.self, scope: scope) { Probe() }.onDispose { _ in journal.note("probe") }
      Registration(autowired: Beta.self, scope: scope) { (alpha: Alpha, _: Probe) in Beta(alpha: alpha) }
        .onDispose { _ in journal.note("beta") }
    }
  }

  private func withFakeAlpha(of container: Container, _ operation: () async throws -> Void) async throws {
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: {
      try await operation()
    }
  }

  // MARK: Scopes

  @Test func aDisposerCanNeitherExtendNorUseTheEndingScope() async throws {
    let (scopes, refusals) = (Shelf<[Container]>([]), Journal<ResolutionError.Code?>())
    let app = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, scope: .scoped, initializer: Beta.init)
        .onDispose { _ async in
          guard let scope = scopes.value.first else { return }
          refusals.note((try? resolutionError { try scope.extendScope() })?.code)
          refusals.note((try? await asyncResolutionError { try await scope.resolve(Beta.self) })?.code)
        }
    }
    let events = app.events(bufferingNewest: .max)
    try await withFakeAlpha(of: app) {
      try await app.withScope { scope in
        scopes.value = [scope]
        _ = try await scope.resolve(Beta.self)
      }
    }
    #expect(refusals.entries == [.closed, .closed])
    let closed = try await events.allTaken(from: app).filter { $0.summary == "closed scope" }
    #expect(closed.count == 1)
  }

  @Test func anExtensionThatAnotherTaskEndsDisposesOfTheLayersInstancesFirst() async throws {
    let app = makeContainer(betaIn: .scoped)
    try await withFakeAlpha(of: app) {
      let lease = try await app.withScope { scope in
        _ = try await scope.resolve(Beta.self)
        return try scope.extendScope()
      }
      #expect(journal.entries.isEmpty)
      try await Task.detached { try await lease.end() }.value
      #expect(journal.entries == ["beta", "probe"])
    }
    #expect(journal.entries == ["beta", "probe"])
  }

  @Test func anIdleScopeOfAKeyDisposesOfTheLayersInstancesFirst() async throws {
    let clock = ManualClock()
    let app = Container(configuration: .init(clock: clock)) { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Probe.self, scope: .scoped) { Probe() }.onDispose { _ in journal.note("probe") }
      Registration(autowired: Beta.self, scope: .scoped) { (alpha: Alpha, _: Probe) in Beta(alpha: alpha) }
        .onDispose { _ in journal.note("beta") }
    }
    let tenants = app.keyedScopes("tenant", idleFor: .seconds(1)) { (_: Int) in Registrations() }
    try await withFakeAlpha(of: app) {
      try await tenants.withScope(1) { scope in _ = try await scope.resolve(Beta.self) }
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      // The scope leaves the table before its disposals.
      try await until { journal.entries.count == 2 }
      #expect(journal.entries == ["beta", "probe"])
    }
  }

  @Test func aLayerReleasesTheScopesThatEndInItsOperation() async throws {
    let app = makeContainer(betaIn: .scoped)
    try await withFakeAlpha(of: app) {
      for service in [Probe.self, Beta.self] as [any Sendable.Type] {
        weak var ended: Container?
        try await app.withScope { scope in
          ended = scope
          if service == Probe.self {
            _ = try await scope.resolve(Probe.self)
          } else {
            _ = try await scope.resolve(Beta.self)
          }
        }
        try await until { ended == nil }
      }
    }
  }

  @Test func aScopeInNestedOperationsDisposesOfInstancesInReverseOrder() async throws {
    let app = Container { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.dependsOn()
      Registration(autowired: Beta.self, scope: .scoped, initializer: Beta.init).onDispose { _ in journal.note("beta") }
      Registration(autowired: Root.self, scope: .scoped) { (probe: Probe, beta: Beta) in
        Root([probe, beta] as [any Sendable])
      }
      .onDispose { _ in journal.note("root") }
    }
    try await withFakeAlpha(of: app) {
      try await app.withOverrides {
        Registration(Probe.self, scope: .singleton) { _ in Probe() }
      } operation: { () async throws in
        // The inner operation keeps the root, and the outer one the beta.
        try await app.withScope { scope in _ = try await scope.resolve(Root.self) }
        #expect(journal.entries == ["root", "beta"])
      }
    }
  }

  // MARK: Owned services

  @Test func ownedServicesEndOutsideOfTheOperation() async throws {
    let app = Container { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, initializer: Beta.init).onDispose { _ in journal.note("beta") }
    }
    // In another task.
    try await withFakeAlpha(of: app) {
      let owned = try await app.resolve(Owned<Beta>.self)
      await Task.detached { await owned.dispose() }.value
      #expect(journal.entries == ["beta"])
    }
    // After the operation.
    let provider = Shelf<Provider<Owned<Beta>>?>(nil)
    try await withFakeAlpha(of: app) { provider.value = try await app.resolve(Provider<Owned<Beta>>.self) }
    let make = try #require(provider.value)
    try await make().dispose()
    #expect(journal.entries == ["beta", "beta"])
  }

  // MARK: Shutdown

  @Test func aShutdownInTheOperationDisposesOfTheLayersInstancesFirst() async throws {
    let app = makeContainer()
    try await withFakeAlpha(of: app) {
      _ = try await app.resolve(Beta.self)
      try await app.shutdown()
      #expect(journal.entries == ["beta", "probe"])
    }
  }

  @Test func aShutdownBesideTheOperationDisposesOfTheLayersInstancesFirst() async throws {
    let app = makeContainer()
    try await withFakeAlpha(of: app) {
      _ = try await app.resolve(Beta.self)
      try await Task.detached { try await app.shutdown() }.value
      #expect(journal.entries == ["beta", "probe"])
    }
  }

  @Test func aShutdownDisposesOfTheLayersInstancesOfContainersBelow() async throws {
    let app = makeContainer()
    let feature = app.makeChild { [journal] in
      Registration(autowired: Stem.self, scope: .singleton) { Stem() }.onDispose { _ in journal.note("stem") }
    }
    let screen = feature.makeChild { [journal] in
      Registration(autowired: Root.self, scope: .singleton) { (alpha: Alpha, stem: Stem) in
        Root([alpha, stem] as [any Sendable])
      }
      .onDispose { _ in journal.note("root") }
    }
    try await withFakeAlpha(of: app) {
      _ = try await screen.resolve(Root.self)
      try await feature.shutdown()
      #expect(journal.entries == ["root", "stem"])
    }
  }

  @Test(arguments: [false, true])
  func theTimeoutOfAShutdownIncludesTheLayersInstances(ofChild: Bool) async throws {
    let (clock, gate) = (ManualClock(), Gate())
    let app = Container(configuration: .init(clock: clock)) {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
    }
    let child = app.makeChild()
    let owner = ofChild ? child : app
    try await owner.register {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
        .onDispose { _ async in await gate.wait() }
    }
    try await withFakeAlpha(of: app) {
      _ = try await child.resolve(Beta.self)
      let shutdown = Task { try await owner.shutdown(timeout: .seconds(1)) }
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      await #expect(throws: ShutdownError.self) { try await shutdown.value }
      gate.open()
    }
  }

  // MARK: The end of the operation

  private func makeFamily() -> (app: Container, screen: Container) {
    let app = Container { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn().onDispose { _ in journal.note("real") }
    }
    let feature = app.makeChild { [journal] in
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init).onDispose { _ in
        journal.note("beta")
      }
    }
    let screen = feature.makeChild { [journal] in
      Registration(autowired: Gamma.self, scope: .singleton, initializer: Gamma.init)
        .onDispose { _ in journal.note("gamma") }
    }
    return (app, screen)
  }

  @Test func anOperationDisposesOfChildrensInstancesBeforeThoseOfTheirParents() async throws {
    let (app, screen) = makeFamily()
    try await app.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { [journal] _ in journal.note("alpha") }
    } operation: { () async throws in
      _ = try await screen.resolve(Gamma.self)
    }
    #expect(journal.entries == ["gamma", "beta", "alpha"])
  }

  @Test func aSynchronousOperationDisposesOfChildrensInstancesBeforeThoseOfTheirParents() throws {
    let (app, screen) = makeFamily()
    try app.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { [journal] _ in journal.note("alpha") }
    } operation: {
      _ = try screen.resolve(Gamma.self)
    }
    #expect(journal.entries == ["gamma", "beta", "alpha"])
  }

  @Test func anOperationDisposesOfInstancesOfLinkingContainersBeforeThoseOfTheLinked() async throws {
    let library = makeFamily().app
    let app = Container { [journal] in
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init).onDispose { _ in
        journal.note("beta")
      }
    }
    app.link(library)
    try await library.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { [journal] _ in journal.note("alpha") }
    } operation: { () async throws in
      _ = try await app.resolve(Beta.self)
    }
    #expect(journal.entries == ["beta", "alpha"])
  }

  @Test func anOperationInADrainedScopeWaitsForItsDisposals() async throws {
    let (begun, draining) = (Gate(), Gate())
    let app = makeContainer()
    let operation = Task {
      try await app.withScope { _ in
        try await app.withOverrides {
          Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
            .onDispose { [journal] _ async in
              await Task.yield()
              journal.note("alpha")
            }
        } operation: { () async throws in
          _ = try await app.resolve(Alpha.self)
          begun.open()
          await draining.wait()
        }
        journal.note("operation")
      }
    }
    await begun.wait()
    let shutdown = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    draining.open()
    try await operation.value
    try await shutdown.value
    #expect(journal.entries == ["alpha", "operation"])
  }

  @Test func aTaskThatOutlivesTheOperationGetsTheContainersInstance() async throws {
    let (entered, ended) = (Gate(), Gate())
    // Blocks the search for overrides in the graph of the service.
    let token = ServiceKey<Probe>("late") {
      entered.open()
      ended.block()
      return Registration { _ in Probe() }
    }
    let app = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn() }
    let child = app.makeChild { [journal] in
      Registration(Beta.self, scope: .singleton) { r in Beta(alpha: try r.resolve()) }.dependsOn(token).dependsOn(
        Alpha.self
      )
      .onDispose { _ in journal.note("beta") }
    }
    let late = Shelf<Task<Beta, any Error>?>(nil)
    try await withFakeAlpha(of: app) {
      let layer = try #require(OverrideLayer.active)
      late.value = Task {
        try await onThread { try OverrideLayer.$current.withValue(layer) { try child.resolve(Beta.self) } }
      }
      await entered.wait()
    }
    ended.open()
    let beta = try await late.value?.value
    #expect(try await child.resolve(Beta.self) === beta)
    try await child.shutdown()
    #expect(journal.entries == ["beta"])
  }
}
