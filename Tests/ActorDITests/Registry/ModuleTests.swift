import ActorDITestSupport
import Testing

@testable import ActorDI

/// A module whose `didLoad` uses a registration of another module.
private struct Loader: Module {
  let name: String
  let loaded: Journal<String>

  var registrations: Registrations {
    Registration(Probe.self, scope: .singleton) { _ in Probe(name) }.key(name)
  }

  func didLoad(_ container: Container) async throws {
    var seen: [String] = []
    for key in ["a", "b", "c"] where container.contains(Probe.self, key: key) {
      seen.append(try await container.resolve(Probe.self, key: key).name)
    }
    loaded.note("\(name) sees \(seen.joined())")
  }
}

private struct Broken: Module {
  var registrations: Registrations { Registration(Leaf.self) { _ in Leaf() } }
  func didLoad(_ container: Container) async throws { throw Boom(number: 9) }
}

/// A module whose `didLoad` registers more services.
private struct Growing: Module {
  var registrations: Registrations { Registration(Root.self) { _ in Root() } }
  func didLoad(_ container: Container) async throws {
    try await container.register(Stem.self) { _ in Stem() }
  }
}

/// A module that loads until the gate is open or its task is cancelled.
private struct Slow: Module {
  var begun = Gate()
  var gate = Gate()

  var registrations: Registrations { Registration(Leaf.self) { _ in Leaf() } }

  func didLoad(_ container: Container) async throws {
    begun.open()
    try await gate.passed()
  }
}

@Suite("Modules", .timeLimit(.minutes(5)))
struct ModuleTests {
  @Test func didLoadRunsOnceTheWholeBatchIsRegistered() async throws {
    let loaded = Journal<String>()
    let container = Container()
    try await container.register {
      Loader(name: "a", loaded: loaded)
      RegistrationGroup { Loader(name: "b", loaded: loaded) }
      Registration(Probe.self) { _ in Probe("c") }.key("c")
    }
    #expect(loaded.entries == ["a sees abc", "b sees abc"])
    #expect(container.registrationCount == 3)
  }

  @Test func modulesLoadInOrder() async throws {
    let loaded = Journal<String>()
    let container = Container()
    try await container.register {
      Loader(name: "a", loaded: loaded)
      if true { Loader(name: "b", loaded: loaded) }
      Registrations { Loader(name: "c", loaded: loaded) }
    }
    #expect(loaded.entries == ["a sees abc", "b sees abc", "c sees abc"])
  }

  @Test func aDisabledGroupDoesNotLoadItsModules() async throws {
    let loaded = Journal<String>()
    let container = Container()
    try await container.register { RegistrationGroup(enabled: false) { Loader(name: "a", loaded: loaded) } }
    #expect(loaded.entries == [])
    #expect(container.registrationCount == 0)
  }

  @Test func theFirstBatchLoadsItsModules() async throws {
    let loaded = Journal<String>()
    let container = Container {
      Loader(name: "a", loaded: loaded)
      Loader(name: "b", loaded: loaded)
    }
    try await container.waitUntilLoaded()
    #expect(loaded.entries == ["a sees ab", "b sees ab"])
  }

  @Test func aThrowingDidLoadKeepsTheRegistrations() async throws {
    let container = Container()
    await #expect(throws: Boom(number: 9)) { try await container.register { Broken() } }
    #expect(container.contains(Leaf.self))
    let initial = Container { Broken() }
    await #expect(throws: Boom(number: 9)) { try await initial.waitUntilLoaded() }
    #expect(initial.contains(Leaf.self))
  }

  @Test func didLoadCanRegisterServices() async throws {
    let container = Container()
    try await container.register { Growing() }
    #expect(container.contains(Stem.self))
  }

  @Test func aModuleNeedsNoDidLoad() async throws {
    struct Plain: Module {
      var registrations: Registrations { Setting(number: 2) }
    }
    let container = Container { Plain() }
    try await container.waitUntilLoaded()
    #expect(try await container.resolve(Setting.self).number == 2)
  }

  // MARK: Cancellation

  @Test func aCancelledCallerDoesNotWaitForModules() async throws {
    let module = Slow()
    let container = Container { module }
    try await module.begun.passed()
    let calls: [@Sendable () async throws -> Void] = [
      { try await container.waitUntilLoaded() }, { try await container.start() },
    ]
    for call in calls {
      let left = Gate()
      let waiting = Task {
        defer { left.open() }
        try await call()
      }
      waiting.cancel()
      try await left.passed()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    // The modules run on, for other callers.
    module.gate.open()
    try await container.waitUntilLoaded()
  }

  @Test func shutdownCancelsTheModules() async throws {
    let module = Slow()
    let container = Container { module }
    let start = Task { try await container.start() }
    try await module.begun.passed()
    try await container.shutdown()
    let calls: [@Sendable () async throws -> Void] = [
      { try await start.value }, { try await container.start() }, { try await container.waitUntilLoaded() },
    ]
    // A regression: the error was the `CancellationError` of the module, although no caller was cancelled.
    for (number, call) in calls.enumerated() {
      #expect(try await asyncResolutionError { try await call() }.code == .closed, "call \(number)")
    }
  }

  @Test func theEndOfAScopeByKeyCancelsItsModules() async throws {
    let module = Slow()
    let kept = Shelf<Container?>(nil)
    let scopes = Container().keyedScopes("keyed") { (_: Int) in module }
    try await scopes.withScope(1) { scope in
      try await module.begun.passed()
      kept.value = scope
    }
    #expect(try await asyncResolutionError { try await kept.value?.waitUntilLoaded() }.code == .closed)
  }

  @Test func theModulesOfAContainerThatIsClosedFromTheBeginningAreCancelled() async throws {
    let module = Slow()
    let parent = Container()
    try await parent.shutdown()
    let container = Container(parent: parent) { module }
    #expect(try await asyncResolutionError { try await container.waitUntilLoaded() }.code == .closed)
  }
}
