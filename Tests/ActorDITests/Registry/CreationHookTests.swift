import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Window: @unchecked Sendable {
  // `@unchecked Sendable` because each test uses it from one task at a time.
  var title = ""
  var greeter: any Greeter = Casual()
  var maybe: Setting?
  var missing: Probe?
  var all: [Setting] = []
  weak var parent: Window?
  var lazy: Lazy<Setting>?
}

private protocol Assembly: Sendable {}

/// A value with two references.
private struct Parts: Assembly {
  let first: DeinitCounter
  let second: DeinitCounter
  init(_ freed: Counter) {
    first = DeinitCounter(freed)
    second = DeinitCounter(freed)
  }
}

/// The hooks that run after a factory.
struct CreationHookTests {
  @Test func hooksRunInTheOrderAdded() async throws {
    let journal = Journal<Int>()
    let container = Container {
      Registration(Probe.self) { _ in
        journal.note(0)
        return Probe()
      }
      .onCreated { _, _ in journal.note(1) }
      .onCreated { _, _ in journal.note(2) }
      .onCreated { _, _ in journal.note(3) }
    }
    _ = try await container.resolve(Probe.self)
    _ = try sync { try container.resolve(Probe.self) }
    #expect(journal.entries == [0, 1, 2, 3, 0, 1, 2, 3])
  }

  @Test func asynchronousHooksRunInTheOrderAdded() async throws {
    let journal = Journal<Int>()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onCreated { _, _ in journal.note(1) }
        .onCreated { _, r in
          await Task.yield()
          _ = try await r.resolve(Setting.self)
          journal.note(2)
        }
        .onCreated { _, _ in journal.note(3) }
      Setting()
    }
    let error = try resolutionError { try container.resolve(Probe.self) }
    #expect(error.code == .asyncRequired)
    #expect(journal.entries == [])
    let probe = try await container.resolve(Probe.self)
    #expect(try sync { try container.resolve(Probe.self) } === probe)
    #expect(journal.entries == [1, 2, 3])
  }

  @MainActor private final class Panel {
    var title = ""
    var setting: Setting?
  }

  private static let panel = Registration(Panel.self) { @MainActor _ in Panel() }
    .onCreated { @MainActor panel, _ in panel.title = "first" }
    .onCreated { @MainActor panel, r in
      MainActor.assertIsolated()
      panel.title += ", second"
      panel.setting = try r.resolve()
    }

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton])
  func hooksCanRunOnTheMainActor(scope: Scope) async throws {
    let container = Container {
      Self.panel.scope(scope)
      Setting(number: 3)
    }
    // Off the main thread, a synchronous caller cannot build a main-actor service.
    let error = try resolutionError { try container.resolve(Panel.self) }
    #expect(error.code == .asyncRequired)
    let panel = try await container.resolve(Panel.self)
    try await MainActor.run {
      #expect(panel.title == "first, second" && panel.setting?.number == 3)
      let another = try container.resolve(Panel.self)
      #expect(another.title == "first, second")
      #expect((another === panel) == (scope == .shared || scope == .singleton))
    }
  }

  @Test func aMainActorHookIsolatesTheBuildToTheMainActor() async throws {
    let ran = Counter()
    let container = Container {
      Registration(Probe.self) { _ in Probe() }
        .onCreated { @MainActor _, _ in
          MainActor.assertIsolated()
          ran.increment()
        }
        .implements((any Sendable).self) { $0 }
      Registration(autowired: Root.self) { (probe: Probe) in Root(probe) }
    }
    for error in [
      try resolutionError { try container.resolve(Probe.self) },
      try resolutionError { try container.resolve((any Sendable).self) },
      try resolutionError { try container.resolve(Root.self) },
    ] {
      #expect(error.code == .asyncRequired)
    }
    _ = try await container.resolve(Root.self)
    _ = try await container.resolve((any Sendable).self)
    try await MainActor.run { _ = try container.resolve(Root.self) }
    #expect(ran.count == 3)
  }

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton])
  func hooksRunOncePerInstance(scope: Scope) async throws {
    let hooks = Counter()
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in Probe() }
        .onCreated { _, _ in hooks.increment() }
    }
    let first = try await container.resolve(Probe.self)
    let second = try await container.resolve(Probe.self)
    #expect(hooks.count == (first === second ? 1 : 2))
    await container.reset()
    let third = try await container.resolve(Probe.self)
    #expect(third !== second)
    #expect(hooks.count == (first === second ? 2 : 3))
  }

  @Test func aThrowingHookFailsTheResolveAndKeepsNoInstance() async throws {
    let mayPass = Shelf(false)
    let hooks = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onCreated { _, _ in if !mayPass.value { throw Boom(number: 4) } }
        .onCreated { _, _ in hooks.increment() }
    }
    await #expect(throws: Boom(number: 4)) { try await container.resolve(Probe.self) }
    #expect(throws: Boom(number: 4)) { try sync { try container.resolve(Probe.self) } }
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(hooks.count == 0)
    mayPass.value = true
    _ = try await container.resolve(Probe.self)
    #expect(hooks.count == 1)
  }

  // A transient is made in the memory of its caller, and its hooks run there.
  @Test func aTransientWhoseHookThrowsIsReleasedOnce() throws {
    let freed = Counter()
    let container = Container {
      Registration(Parts.self, scope: .transient) { _ in Parts(freed) }
        .onCreated { _, _ in throw Boom(number: 5) }
      Registration((any Assembly).self, scope: .transient) { _ in Parts(freed) }
        .onCreated { _, _ in throw Boom(number: 5) }
    }
    for round in 1...3 {
      #expect(throws: Boom(number: 5)) { try container.resolve(Parts.self) }
      #expect(throws: Boom(number: 5)) { try container.resolve(Parts?.self) }
      #expect(throws: Boom(number: 5)) { try container.resolve((any Assembly).self) }
      #expect(throws: Boom(number: 5)) { try container.resolve([any Assembly].self) }
      #expect(freed.count == round * 8)
    }
  }

  @Test func aTransientWhoseHookThrowsIsDisposedOfAndReleasedOnce() async throws {
    let freed = Counter()
    let disposals = Counter()
    let container = Container {
      Registration(Parts.self, scope: .transient) { _ in Parts(freed) }
        .onCreated { _, _ in throw Boom(number: 5) }
        .onDispose { _ in disposals.increment() }
    }
    #expect(throws: Boom(number: 5)) { try sync { try container.resolve(Parts.self) } }
    try await container.shutdown()
    #expect(disposals.count == 1)
    #expect(freed.count == 2)
  }

  @Test func aHookGetsTheInstanceAndAResolver() async throws {
    let container = Container {
      Setting(number: 6)
      Registration(Window.self, scope: .singleton) { _ in Window() }
        .onCreated { window, r in window.title = "\(try r.resolve(Setting.self).number)" }
    }
    #expect(try await container.resolve(Window.self).title == "6")
  }

  @Test func aHookCanSetAWeakBackReference() async throws {
    let container = Container {
      Registration(Window.self, scope: .shared) { _ in Window() }.key("child")
        .onCreated { child, r in child.parent = try r.resolve(Window.self) }
      Registration(Window.self, scope: .shared) { _ in Window() }
        .onCreated { parent, r in
          _ = try r.resolve(Window.self, key: "child")
          parent.title = "parent"
        }
    }
    let parent = try await container.resolve(Window.self)
    let child = try await container.resolve(Window.self, key: "child")
    #expect(child.parent === parent)
  }
}

/// Properties that hooks set from the container.
struct PropertyInjectionTests {
  @Test(arguments: [Scope.transient, .singleton])
  func injectResolvesByTypeKeyAndRelationship(scope: Scope) async throws {
    let container = Container {
      Registration(Window.self, scope: scope) { _ in Window() }
        .inject(\.title)
        .inject(\.greeter, key: "polite")
        .inject(\.maybe)
        .inject(\.missing)
        .inject(\.all)
        .inject(\.lazy)
      Registration(String.self) { _ in "injected" }
      Registration((any Greeter).self) { _ in Polite() }.key("polite")
      Setting(number: 3)
      Registration(Setting.self) { _ in Setting(number: 4) }.key("other")
    }
    for window in [
      try await container.resolve(Window.self), try sync { try container.resolve(Window.self) },
    ] {
      #expect(window.title == "injected")
      #expect(window.greeter.greet() == "Good day")
      #expect(window.maybe?.number == 3)
      #expect(window.missing == nil)
      #expect(window.all.map(\.number) == [3, 4])
      #expect(try sync { try window.lazy?.synchronously().number } == 3)
    }
  }

  @Test func anOptionalPropertyCanHaveAKey() async throws {
    let container = Container {
      Registration(Window.self) { _ in Window() }.inject(\.maybe, key: "k").key(1)
      Registration(Window.self) { _ in Window() }.inject(\.maybe, key: "none").key(2)
      Setting(number: 3)
      Registration(Setting.self) { _ in Setting(number: 4) }.key("k")
    }
    #expect(try await container.resolve(Window.self, key: 1).maybe?.number == 4)
    #expect(try await container.resolve(Window.self, key: 2).maybe == nil)
  }

  @Test func aMissingServiceOfAPropertyThrowsWithItsPath() async throws {
    let container = Container {
      Registration(Window.self, scope: .singleton) { _ in Window() }.inject(\.title)
    }
    let error = try await asyncResolutionError { try await container.resolve(Window.self) }
    #expect((error.code, error.path) == (.notRegistered, ["Window", "String"]))
    #expect(container.resolveIfReady(Window.self) == nil)
  }

  @Test func injectAwaitsAnAsynchronousService() async throws {
    let container = Container {
      Registration(Window.self, scope: .singleton) { _ in Window() }.inject(\.title)
      Registration(String.self) { _ in
        await Task.yield()
        return "late"
      }
    }
    #expect(try await container.resolve(Window.self).title == "late")
  }
}
