import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Synchronous callers", .timeLimit(.minutes(5)))
struct SynchronousCallerTests {
  @Test(arguments: [Scope.transient, .graph, .shared, .singleton, .automatic])
  func aSynchronousCallerCannotStartAnAsynchronousBuild(scope: Scope) throws {
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in
        await Task.yield()
        return Probe()
      }
    }
    let error = try resolutionError { try container.resolve(Probe.self) }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Probe.self)
    #expect(error.path == ["Probe"])
  }

  @Test func aSynchronousCallerDoesNotWaitForAnAsynchronousBuild() async throws {
    let (begun, gate) = (Gate(), Gate())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        begun.open()
        await gate.wait()
        return Probe()
      }
    }
    async let probe = container.resolve(Probe.self)
    try await begun.passed()
    let error = try sync { try resolutionError { try container.resolve(Probe.self) } }
    #expect(error.code == .asyncRequired)
    gate.open()
    let built = try await probe
    #expect(try sync { try container.resolve(Probe.self) } === built)
  }

  /// A regression: the text called the synchronous factory asynchronous, and did not say why.
  @Test @MainActor func theErrorSaysThatATaskBuildsTheService() async throws {
    let container = Container { Registration(Probe.self, scope: .singleton) { @MainActor _ in Probe() } }
    let caller = Task.detached { try await container.resolve(Probe.self) }
    // This thread occupies the main actor, so the factory cannot run.
    while container.lifecycle.activity.isIdle {}
    let error = try sync { try resolutionError { try container.resolve(Probe.self) } }
    #expect(error.code == .asyncRequired)
    #expect(error.description.contains("A task is building it for an asynchronous caller"))
    let probe = try await caller.value
    #expect(try sync { try container.resolve(Probe.self) } === probe)
  }

  @Test func theErrorNamesTheAsynchronousServiceOfTheChain() throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self, key: "far")) }
      Registration(Leaf.self, scope: .singleton) { _ in
        await Task.yield()
        return Leaf()
      }.key("far")
    }
    let error = try resolutionError { try container.resolve(Root.self) }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Leaf.self)
    #expect(error.key as? String == "far")
    #expect(error.path == ["Root", "Stem", "Leaf[\"far\"]"])
  }

  @Test func theErrorNamesTheAsynchronousParameterOfAnInitialiser() async throws {
    let container = Container {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Alpha.self, scope: .singleton) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    let error = try sync { try resolutionError { try container.resolve(Beta.self) } }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Alpha.self)
    #expect(error.path == ["Beta", "Alpha"])
    let beta = try await container.resolve(Beta.self)
    #expect(try sync { try container.resolve(Beta.self) } === beta)
  }

  @Test func aSynchronousCallerGetsABuiltAsynchronousService() async throws {
    for scope in [Scope.singleton, .shared, .automatic] {
      let container = Container {
        Registration(Polite.self, scope: scope) { _ in
          await Task.yield()
          return Polite()
        }
        .implements((any Greeter).self) { $0 }
      }
      let built = try await container.resolve(Polite.self)
      #expect(try sync { try container.resolve(Polite.self) } === built)
      let greeter = try sync { try container.resolve((any Greeter).self) }
      #expect(greeter as? Polite === built, "\(scope), through the alias")
    }
  }

  @Test func aSynchronousCallerBuildsAServiceWhoseAsynchronousDependencyExists() async throws {
    let container = Container {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Alpha.self, scope: .singleton) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    let alpha = try await container.resolve(Alpha.self)
    #expect(try sync { try container.resolve(Beta.self) }.alpha === alpha)
  }

  @Test func aCallerOffTheMainThreadCannotStartAMainActorBuild() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { @MainActor _ in Probe() }
    }
    let error = try await onThread { try resolutionError { try container.resolve(Probe.self) } }
    #expect(error.code == .asyncRequired)
    let built = try await container.resolve(Probe.self)
    #expect(try await onThread { try container.resolve(Probe.self) } === built)
  }

  @MainActor @Test func aSynchronousCallerOnTheMainThreadRunsAMainActorFactory() throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { @MainActor _ in
        MainActor.assertIsolated()
        builds.increment()
        return Probe()
      }
    }
    let probe = try container.resolve(Probe.self)
    #expect(try container.resolve(Probe.self) === probe)
    #expect(builds.count == 1)
  }
}

@Suite("Asynchronous callers", .timeLimit(.minutes(5)))
struct AsynchronousCallerTests {
  @Test func aResolveSurvivesTheReleaseOfAWeakDependencyDuringTheBuild() async throws {
    // Alpha exists when the build of Gamma is planned, and is released before the build needs it.
    let holder = Shelf<Alpha?>(nil)
    let container = Container {
      Registration(autowired: Gamma.self, scope: .singleton) { (beta: Setting, alpha: Alpha) in
        Gamma(beta: Beta(alpha: alpha), alpha: alpha)
      }
      Registration(Setting.self) { _ in
        holder.value = nil
        return Setting()
      }
      Registration(Alpha.self, scope: .shared) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    holder.value = try await container.resolve(Alpha.self)
    _ = try await container.resolve(Gamma.self)
    #expect(container.resolveIfReady(Gamma.self) != nil)
  }
}
