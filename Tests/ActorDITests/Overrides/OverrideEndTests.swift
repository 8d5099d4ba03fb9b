import ActorDITestSupport
import Testing

@testable import ActorDI

/// Instances built for an operation with overrides are disposed of when it ends; those of the container are not.
@Suite("End of overrides", .timeLimit(.minutes(5)))
struct OverrideEndTests {
  private final class Holder: Sendable {
    let probe: Probe
    init(probe: Probe) { self.probe = probe }
  }

  @Test func aSynchronousOperationDisposesOfTheInstancesOfAllContainersBeforeItReturns() throws {
    let journal = Journal<String>()
    let app = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let child = app.makeChild {
      Registration(autowired: Holder.self, scope: .singleton, initializer: Holder.init)
        .onDispose { _ in journal.note("holder") }
    }
    let probe = try app.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.onDispose { _ in journal.note("probe") }
    } operation: {
      try child.resolve(Holder.self).probe
    }
    #expect(journal.entries == ["holder", "probe"])
    #expect(try app.resolve(Probe.self) !== probe)
  }

  @Test func aSynchronousOperationDisposesOfTheInstanceOfANamedContainerBeforeItReturns() throws {
    let journal = Journal<String>()
    let app = Container(name: "app")
    let child = app.makeChild(name: "request")
    try app.withOverrides {
      Registration(Probe.self, scope: .scoped("request")) { _ in Probe() }.onDispose { _ in journal.note("probe") }
    } operation: {
      _ = try child.resolve(Probe.self)
    }
    #expect(journal.entries == ["probe"])
  }

  @Test func theEndDisposesOfWhatABuildMakesThatItsCallerHasLeft() async throws {
    let journal = Journal<String>()
    let (begun, gate) = (Gate(), Gate())
    let layer = Shelf<OverrideLayer?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Holder.self, scope: .singleton) { r in
        let probe = try await r.resolve(Probe.self)
        begun.open()
        await gate.wait()
        return Holder(probe: probe)
      }
      .onDispose { _ in
        for _ in 0..<100 { await Task.yield() }
        journal.note("holder")
      }
    }
    async let operation: Void = container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.onDispose { _ in journal.note("probe") }
    } operation: { () async throws in
      layer.value = OverrideLayer.current
      let caller = Task { try await container.resolve(Holder.self) }
      await begun.wait()
      caller.cancel()
      _ = await caller.result
    }
    try await until { layer.value?.hasEnded == true }
    gate.open()
    try await operation
    #expect(journal.entries == ["holder", "probe"])
    #expect(!container.lifecycle.hasDisposals)
  }

  private let journal = Journal<String>()

  private func makeContainer() -> Container {
    Container { [journal] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
        .onDispose { _ in journal.note("alpha") }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
        .onDispose { _ in journal.note("beta") }
      Registration(autowired: Gamma.self, scope: .scoped, initializer: Gamma.init)
        .onDispose { _ in journal.note("gamma") }
      Registration(Root.self, scope: .singleton) { _ in Root() }.dependsOn()
        .onDispose { _ in journal.note("root") }
      Registration(autowired: Stem.self, scope: .pooled(max: 2)) { (alpha: Alpha) in Stem(alpha) }
        .onDispose { _ in journal.note("stem") }
    }
  }

  @Test func theEndDisposesOfInstancesInReverseOrder() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
        .onDispose { [journal] _ in journal.note("fake alpha") }
    } operation: { () async throws in
      _ = try await container.resolve(Root.self)
      _ = try await container.resolve(Beta.self)
      #expect(journal.entries.isEmpty)
    }
    #expect(journal.entries == ["beta", "fake alpha"])
    try await container.shutdown()
    #expect(journal.entries == ["beta", "fake alpha", "root"])
  }

  // A regression: the operation kept such an override in a container of its own, and closed its containers in no certain order.
  @Test(arguments: 0..<20) func anOuterOverrideThatIsReachedIsDisposedOfAfterItsDependents(run: Int) async throws {
    let app = makeContainer()
    try await app.withOverrides {
      Registration(autowired: Alpha.self, scope: .singleton) { (_: Int) in Alpha() }
        .onDispose { [journal] _ in journal.note("alpha of the outer overrides") }
      Registration(instance: 1)
    } operation: { () async throws in
      try await app.withOverrides {
        Registration(instance: 2)
      } operation: { () async throws in
        _ = try await app.resolve(Beta.self)
      }
      #expect(journal.entries == ["beta", "alpha of the outer overrides"])
    }
  }

  // A regression: the reset did not find what an operation keeps of the overrides around it.
  @Test func aNestedOperationResetsAnOuterOverrideThatItReaches() async throws {
    let app = Container()
    try await app.withOverrides {
      Registration(autowired: Alpha.self, scope: .singleton) { (_: Int) in Alpha() }
      Registration(instance: 1)
    } operation: { () async throws in
      let outer = try await app.resolve(Alpha.self)
      try await app.withOverrides {
        Registration(instance: 2)
      } operation: { () async throws in
        let first = try await app.resolve(Alpha.self)
        await app.reset(Alpha.self)
        let second = try await app.resolve(Alpha.self)
        await app.reset()
        let third = try await app.resolve(Alpha.self)
        #expect(Set([outer, first, second, third].map(ObjectIdentifier.init)).count == 4)
      }
    }
  }

  @Test func theEndOfASynchronousOperationDisposesOfInstances() throws {
    let container = makeContainer()
    try container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
        .onDispose { [journal] _ in journal.note("fake alpha") }
    } operation: { () throws in
      _ = try container.resolve(Beta.self)
    }
    #expect(journal.entries == ["beta", "fake alpha"])
  }

  @Test func asynchronousDisposersOfASynchronousOperationRunInTheBackground() async throws {
    let container = Container()
    let disposed = Gate()
    try sync {
      try container.withOverrides {
        Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
          .onDispose { _ async in
            await Task.yield()
            disposed.open()
          }
      } operation: { () throws in
        _ = try container.resolve(Alpha.self)
      }
    }
    try await disposed.passed()
  }

  @Test func aSynchronousOperationThrowsTheFailuresOfTheContainersBeforeOneWhoseDisposerSuspends() async throws {
    let disposed = Gate()
    let app = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
    let child = app.makeChild {
      Registration(autowired: Holder.self, scope: .singleton, initializer: Holder.init)
        .onDispose { _ in throw Boom(number: 1) }
    }
    let error = sync {
      #expect(throws: ShutdownError.self) {
        try app.withOverrides {
          Registration(Probe.self, scope: .singleton) { _ in Probe() }
            .onDispose { _ async in
              await Task.yield()
              disposed.open()
            }
        } operation: { () throws in
          _ = try child.resolve(Holder.self)
        }
      }
    }
    #expect(error?.failures.map { $0.service == Holder.self } == [true])
    try await disposed.passed()
  }

  @Test func scopesInsideTheOperationHaveTheirOwnInstances() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
        .onDispose { [journal] _ in journal.note("fake alpha") }
    } operation: { () async throws in
      for _ in 1...2 {
        try await container.withScope { (scope) async throws in
          let gamma = try await scope.resolve(Gamma.self)
          #expect(try await scope.resolve(Gamma.self) === gamma)
          #expect(try await scope.resolve(Alpha.self) === gamma.alpha)
          #expect(try await scope.withScope { try await $0.resolve(Gamma.self) } !== gamma)
        }
      }
      // A scope's instances end with the scope.
      #expect(journal.entries == ["gamma", "gamma", "gamma", "gamma"])
    }
    #expect(journal.entries == ["gamma", "gamma", "gamma", "gamma", "beta", "fake alpha"])
  }

  @Test func aScopeAroundTheOperationGetsItsInstancesBack() async throws {
    let container = makeContainer()
    try await container.withScope { (scope) async throws in
      let gamma = try await scope.resolve(Gamma.self)
      try await container.withOverrides {
        Registration(Alpha.self, scope: .scoped) { _ in Alpha() }
      } operation: { () async throws in
        let fake = try await scope.resolve(Gamma.self)
        #expect(fake !== gamma && fake.alpha !== gamma.alpha)
        #expect(try await scope.resolve(Gamma.self) === fake)
        #expect(try await scope.resolve(Alpha.self) === fake.alpha)
      }
      #expect(journal.entries == ["gamma", "beta"])
      #expect(try await scope.resolve(Gamma.self) === gamma)
      #expect(try await scope.resolve(Alpha.self) === gamma.alpha)
    }
  }

  @Test func aPoolDoesNotTakeBackInstancesOfTheOperation() async throws {
    let container = makeContainer()
    let alpha = try await container.resolve(Alpha.self)
    try await container.withScope { scope in _ = try await scope.resolve(Stem.self) }
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () async throws in
      try await container.withScope { (scope) async throws in
        #expect(try await scope.resolve(Stem.self).next as? Alpha !== alpha)
      }
    }
    // The pool does not take back the instance built for the operation.
    #expect(journal.entries == ["stem"])
    try await container.withScope { (scope) async throws in
      #expect(try await scope.resolve(Stem.self).next as? Alpha === alpha)
    }
  }

  @Test func theEndDisposesOfTransients() async throws {
    let container = Container { [journal] in
      Registration(Alpha.self) { _ in Alpha() }.onDispose { _ in journal.note("alpha") }
    }
    try await container.withOverrides {
      Registration(Probe.self) { _ in Probe() }.onDispose { [journal] _ in journal.note("probe") }
    } operation: { () async throws in
      _ = try await container.resolve(Probe.self)
      _ = try await container.resolve(Alpha.self)
    }
    #expect(journal.entries == ["alpha", "probe"])
    try await container.shutdown()
    #expect(journal.entries == ["alpha", "probe"])
  }

  @Test func withOverridesThrowsFailuresOfDisposersUnlessTheOperationThrows() async throws {
    let container = Container()
    await #expect(throws: ShutdownError.self) {
      try await container.withOverrides {
        Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { _ in throw Boom() }
      } operation: {
        _ = try await container.resolve(Alpha.self)
      }
    }
    await #expect(throws: Boom.self) {
      try await container.withOverrides {
        Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
          .onDispose { _ in throw CancellationError() }
      } operation: {
        _ = try await container.resolve(Alpha.self)
        throw Boom()
      }
    }
  }

  @Test func aContainerClosedInTheOperationStaysClosed() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () async throws in
      _ = try await container.resolve(Beta.self)
      try await container.shutdown()
      let error = try await asyncResolutionError { try await container.resolve(Alpha.self) }
      #expect(error.code == .closed)
    }
    #expect(journal.entries == ["beta"])
  }
}
