import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Start", .timeLimit(.minutes(5)))
struct StartTests {
  @Test func startBuildsEagerServicesOnly() async throws {
    let built = Journal<String>()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        built.note("eager")
        return Probe()
      }.eager()
      Registration(Alpha.self, scope: .singleton) { _ in
        built.note("lazy")
        return Alpha()
      }
      Registration(Setting.self, scope: .singleton) { _ async in
        built.note("async")
        return Setting()
      }.key(1).eager()
    }
    #expect(built.entries.isEmpty)
    try await container.start()
    #expect(built.entries.sorted() == ["async", "eager"])
    #expect(container.resolveIfReady(Probe.self) != nil && container.resolveIfReady(Alpha.self) == nil)
    try await container.start()
    #expect(built.entries.count == 2, "A second start builds nothing again")
    #expect(container.registrations.map(\.isEager) == [true, false, true])
  }

  @Test func startSucceedsWithoutEagerServices() async throws {
    try await Container().start()
    try await Container { Alpha() }.start()
  }

  @Test func startBuildsDependenciesFirstAndOnce() async throws {
    let built = Journal<String>()
    let container = Container {
      Registration(Gamma.self, scope: .singleton) { r in
        let gamma = Gamma(beta: try await r.resolve(), alpha: try await r.resolve())
        built.note("gamma")
        return gamma
      }.eager()
      Registration(Beta.self, scope: .singleton) { r in
        let beta = Beta(alpha: try await r.resolve())
        built.note("beta")
        return beta
      }.eager()
      Registration(Alpha.self, scope: .singleton) { _ in
        built.note("alpha")
        return Alpha()
      }
    }
    try await container.start()
    #expect(built.entries == ["alpha", "beta", "gamma"])
  }

  @Test func startBuildsIndependentServicesInParallel() async throws {
    let (first, second) = (Gate(), Gate())
    let container = Container {
      // Each factory waits until the other one has begun.
      Registration(Alpha.self, scope: .singleton) { _ in
        first.open()
        try await second.passed()
        return Alpha()
      }.eager()
      Registration(Probe.self, scope: .singleton) { _ in
        second.open()
        try await first.passed()
        return Probe()
      }.eager()
    }
    try await container.start()
    #expect(container.resolveIfReady(Alpha.self) != nil && container.resolveIfReady(Probe.self) != nil)
  }

  @Test func concurrentStartsBuildOnce() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        counter.increment()
        await Task.yield()
        return Probe()
      }.eager()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { try await container.start() } }
      try await group.waitForAll()
    }
    #expect(counter.count == 1)
  }

  @Test func startThrowsTheFirstErrorAfterTheOtherBuildsEnd() async throws {
    let started = Gate()
    let ended = Journal<String>()
    let fails = Shelf(true)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        guard fails.value else { return Probe() }
        // Waits until it is cancelled.
        await #expect(throws: CancellationError.self) { try await Gate().passed() }
        ended.note("cancelled")
        throw CancellationError()
      }.eager()
      Registration(Alpha.self, scope: .singleton) { _ in
        try await started.passed()
        if fails.value { throw Boom(number: 7) }
        return Alpha()
      }.eager()
    }
    await #expect(throws: Boom(number: 7)) { try await container.start() }
    #expect(container.resolveIfReady(Probe.self) == nil)
    fails.value = false
    try await container.start()
    #expect(ended.entries == ["cancelled"])
    #expect(container.resolveIfReady(Probe.self) != nil && container.resolveIfReady(Alpha.self) != nil)
  }

  @Test func cancellingItsTaskEndsAStart() async throws {
    let started = Gate()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        try await Gate().passed()
        return Probe()
      }.eager()
    }
    let task = Task { try await container.start() }
    try await started.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func startBuildsMainActorServices() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { @MainActor _ in Probe() }.eager()
      Registration(autowired: Leaf.self, scope: .singleton) { (probe: Probe) in Leaf(probe) }.eager()
    }
    try await container.start()
    #expect(container.resolveIfReady(Leaf.self)?.next as? Probe === container.resolveIfReady(Probe.self))
  }

  @Test func startBuildsAnAliasedServiceOnce() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in
        counter.increment()
        return Polite()
      }.implements((any Greeter).self) { $0 }.eager()
    }
    try await container.start()
    #expect(counter.count == 1 && container.registrations.map(\.isEager) == [true, true])
    #expect(container.resolveIfReady((any Greeter).self) != nil)
  }

  @Test func startDoesNotBuildTheParentsServices() async throws {
    let counter = Counter()
    let eager = Registrations {
      Registration(Probe.self, scope: .singleton) { _ in
        counter.increment()
        return Probe()
      }.eager()
    }
    let parent = Container { eager }
    let child = parent.makeChild()
    try await child.start()
    #expect(counter.count == 0)
    try await parent.start()
    #expect(counter.count == 1)
  }

  @Test func anEagerSharedServiceLivesAsLongAsItsHolder() async throws {
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in Probe() }.eager()
      Registration(autowired: Leaf.self, scope: .singleton) { (probe: Probe) in Leaf(probe) }.eager()
    }
    try await container.start()
    #expect(container.resolveIfReady(Leaf.self)?.next as? Probe === container.resolveIfReady(Probe.self))
    #expect(container.resolveIfReady(Probe.self) != nil)
  }

  @Test func startBuildsTheDecoratorsOfEagerServices() async throws {
    let wrapped = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("inner") }.eager()
    }
    try await container.decorate(Probe.self) { _, inner in
      wrapped.increment()
      return Probe("around " + inner.name)
    }
    await container.freeze()
    try await container.start()
    #expect(wrapped.count == 1 && container.registrations.map(\.isEager) == [true])
    #expect(container.resolveIfReady(Probe.self)?.name == "around inner")
  }

  @Test func startBuildsTheChosenAlternative() async throws {
    let container = Container {
      Alpha()
      Registration(autowired: Leaf.self, scope: .singleton) { (alpha: Alpha) in Leaf(alpha) }.eager()
      Registration(autowired: Leaf.self, scope: .singleton) { (beta: Beta, alpha: Alpha) in Leaf(beta) }.alternative()
    }
    try await container.start()
    #expect(container.registrations.map(\.isEager) == [false, true])
    #expect(container.resolveIfReady(Leaf.self)?.next is Alpha)
  }

  // MARK: Modules

  private struct LateModule: Module {
    let gate: Gate
    let journal: Journal<String>
    var registrations: Registrations {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.eager()
    }
    func didLoad(_ container: Container) async throws {
      await gate.wait()
      try await container.register(
        Registration(Probe.self, scope: .singleton) { _ in
          journal.note("late")
          return Probe()
        }.eager())
    }
  }

  @Test func startWaitsForModulesToLoad() async throws {
    let (gate, journal) = (Gate(), Journal<String>())
    let container = Container { LateModule(gate: gate, journal: journal) }
    async let start: Void = container.start()
    gate.open()
    try await start
    #expect(journal.entries == ["late"])
    #expect(container.resolveIfReady(Alpha.self) != nil)
  }

  private struct StartingModule: Module {
    let done: Gate
    var registrations: Registrations {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.eager()
    }
    func didLoad(_ container: Container) async throws {
      try await container.waitUntilLoaded()
      try await container.start()
      try await Task { try await container.start() }.value
      done.open()
    }
  }

  @Test func aModuleCanStartItsContainer() async throws {
    let done = Gate()
    let container = Container { StartingModule(done: done) }
    try await done.passed()
    try await container.start()
    #expect(container.resolveIfReady(Alpha.self) != nil)
  }

  private struct FailingModule: Module {
    var registrations: Registrations { Alpha() }
    func didLoad(_ container: Container) async throws { throw Boom(number: 3) }
  }

  @Test func startThrowsAModulesError() async throws {
    await #expect(throws: Boom(number: 3)) { try await Container { FailingModule() }.start() }
  }

  // MARK: Errors and overrides

  @Test func aFactoryThatStartsItsContainerThrowsCycle() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        try await r.container.start()
        return Probe()
      }.eager()
    }
    let error = try await asyncResolutionError { try await container.start() }
    #expect(error.code == .cycle && error.path == ["Probe", "Probe"])
  }

  @Test func registeringAnEagerServiceThatCannotBeKeptThrows() async throws {
    let container = Container()
    let transient = try await asyncResolutionError {
      try await container.register(Registration(Probe.self) { _ in Probe() }.eager())
    }
    #expect(transient.code == .invalidRegistration)
    #expect(
      transient.description.contains("The registration of Probe is invalid")
        && transient.description.contains("transient"))
    #expect(transient.description.contains("StartTests.swift"))
    let graph = try await asyncResolutionError {
      try await container.register { Registration(Probe.self, scope: .graph) { _ in Probe() }.key(1).eager() }
    }
    #expect(graph.code == .invalidRegistration && graph.key as? Int == 1)
    let given = try await asyncResolutionError {
      try await container.register(Registration(Probe.self, scope: .singleton) { (_, _: Int) in Probe() }.eager())
    }
    #expect(given.code == .invalidRegistration && given.description.contains("run-time arguments"))
    #expect(container.registrationCount == 0)
  }

  @Test func anEagerServiceCanGetItsScopeFromTheDefaultOrAGroup() async throws {
    let container = Container(configuration: .init(defaultScope: .singleton)) {
      Registration(Probe.self) { _ in Probe() }.eager()
    }
    try await container.start()
    #expect(container.resolveIfReady(Probe.self) != nil)
    let grouped = Container {
      RegistrationGroup(scope: .singleton) { Registration(Probe.self) { _ in Probe() }.eager() }
    }
    try await grouped.start()
    #expect(grouped.resolveIfReady(Probe.self) != nil)
  }

  @Test func startThrowsTheErrorOfAnInvalidInitialRegistration() async throws {
    for container in [
      Container { Registration(Probe.self) { _ in Probe() }.eager() },
      Container { Registration(Probe.self, scope: .singleton) { (_, _: Int) in Probe() }.eager() },
    ] {
      let error = try await asyncResolutionError { try await container.start() }
      #expect(error.code == .invalidRegistration)
    }
  }

  @Test func startBuildsEagerOverrides() async throws {
    let built = Journal<String>()
    @Sendable func registration(_ name: String, key: Int) -> Registration<Probe> {
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        built.note(name)
        return Probe(name)
      }.key(key).eager()
    }
    let parent = Container { registration("parent's", key: 0) }
    let container = parent.makeChild {
      registration("real", key: 1)
      registration("untouched", key: 2)
    }
    try await parent.withOverrides {
      registration("parent's override", key: 5)
    } operation: {
      try await container.withOverrides {
        registration("outer", key: 1)
        registration("hidden", key: 3)
      } operation: {
        try await container.withOverrides {
          registration("inner", key: 3)
          registration("alone", key: 4)
        } operation: { () async throws in
          try await container.start()
          #expect(built.entries.filter { $0 != "untouched" }.sorted() == ["alone", "inner", "outer"])
          #expect(container.resolveIfReady(Probe.self, key: 4)?.name == "alone")
          try await container.start()
          #expect(built.entries.count == 4, "A second start builds nothing again")
        }
      }
    }
    #expect(container.resolveIfReady(Probe.self, key: 4) == nil)
    try await container.start()
    #expect(Set(built.entries.dropFirst(4)).isSubset(of: ["real", "untouched"]) && built.entries.contains("real"))
  }

  @Test func concurrentStartsBuildTheOverridesOfTheirOwnTasks() async throws {
    let container = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await container.withOverrides {
            Registration(Probe.self, scope: .singleton) { _ in Probe("\(number)") }.eager()
          } operation: { () async throws in
            try await container.start()
            #expect(container.resolveIfReady(Probe.self)?.name == "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(container.resolveIfReady(Probe.self) == nil)
  }
}
