import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Unsendable {
  let name: String
  init(_ name: String = "") { self.name = name }
}

private final class Window: @unchecked Sendable {
  // `@unchecked Sendable` because only one test at a time uses it.
  var probe = Probe("own")
  var maybe: Probe?
  var greeting: String?
}

extension ServiceKey where Service == Probe {
  fileprivate static var main: Self { .init("main") }
  fileprivate static var spare: Self { .init(2) }
}
extension ServiceKey where Service == any Greeter {
  fileprivate static var polite: Self { .init("polite") }
}
extension ServiceKey where Service == String {
  fileprivate static var missing: Self { .init("missing") }
}
extension ServiceKey where Service == Unsendable {
  fileprivate static var loose: Self { .init("loose") }
}

/// Typed tokens, wherever a key is accepted.
@Suite("Typed tokens")
struct TokenFormTests {
  private static func container() -> Container {
    Container {
      Registration(.main, scope: .singleton) { _ in Probe("main") }
      Registration(Probe.self, scope: .singleton) { _ in Probe("two") }.key(2)
    }
  }

  @Test func theContainersMethodsTakeTokens() async throws {
    let container = Self.container()
    #expect(container.contains(.main) && container.contains(.spare) && !container.contains(.polite))
    #expect(container.resolveIfReady(.main) == nil)
    let main = try await container.resolve(.main)
    #expect(container.resolveIfReady(.main) === main)
    #expect(try container.withResolved(.main) { $0.name } == "main")
    #expect(try container.withResolved(.spare) { $0.name } == "two")
    #expect(try await container.provider(for: .main)() === main)
    await container.reset(.main)
    #expect(container.resolveIfReady(.main) == nil)
    #expect(container.resolveIfReady(.spare) != nil, "The reset affects only the token's service")
    #expect(await container.unregister(.main))
    #expect(await container.unregister(.main) == false)
    #expect(!container.contains(.main) && container.contains(.spare))
    let error = try sync { try resolutionError { try container.withResolved(.main) { $0.name } } }
    #expect(error.code == .notRegistered && error.key as? String == "main")
  }

  @Test func withResolvedBuildsTheServiceOfAToken() throws {
    let container = Self.container()
    #expect(try container.withResolved(.main) { $0.name } == "main")
    #expect(try container.withResolved(.main) { $0.name } == "main")
    let child = container.makeChild()
    #expect(try child.withResolved(.main) { $0.name } == "main")
  }

  @Test func modifiersTakeTokens() async throws {
    let container = Container {
      Registration(autowired: Polite.self, scope: .singleton, initializer: Polite.init)
        .implements(.polite) { $0 }
      Registration(Probe.self, scope: .singleton) { _ in Probe("m") }.key(.main)
      Registration(Window.self, scope: .singleton) { _ in Window() }
        .inject(\.probe, .main).inject(\.maybe, .main).inject(\.greeting, .missing)
      Registration(Window.self) { _ in
        await Task.yield()
        return Window()
      }.key("async").inject(\.maybe, .main)
    }
    let greeter = try await container.resolve(.polite)
    #expect(try await container.resolve(Polite.self) === greeter as? Polite)
    let main = try await container.resolve(Probe.self, key: "main")
    let window = try sync { try container.resolve(Window.self) }
    #expect(window.probe === main && window.maybe === main && window.greeting == nil)
    #expect(try await container.resolve(Window.self, key: "async").maybe === main)
    let info = try #require(container.registrations.first { $0.service == Window.self })
    #expect(info.dependencies.map(\.description) == ["Probe[\"main\"]", "Probe[\"main\"]", "String[\"missing\"]"])
    #expect(info.dependencies.map(\.isRequired) == [true, false, false])
  }

  @Test func aMissingServiceOfAnInjectedPropertysTokenThrows() async throws {
    let container = Container { Registration(Window.self) { _ in Window() }.inject(\.probe, .main) }
    let error = try sync { try resolutionError { try container.resolve(Window.self) } }
    #expect(error.code == .notRegistered && error.path == ["Window", "Probe[\"main\"]"])
  }

  @Test func tokensCombineWithArguments() async throws {
    let container = Container {
      Registration(.main) { (_, name: String) in Probe("sync " + name) }
      Registration(.main) { (_, number: Int) in
        await Task.yield()
        return Probe("async \(number)")
      }
      Registration(.main) { @MainActor (_, flag: Bool) in Probe("main \(flag)") }
      Registration(.main, scope: .singleton) { (_, name: String, _: Int) in Probe("kept " + name) }
      Registration(.loose) { (_, name: String) in Unsendable(name) }
      Registration(.spare) { (_, name: String) in Probe(name) }
    }
    #expect(try sync { try container.resolve(.main, arguments: "a") }.name == "sync a")
    #expect(try await container.resolve(.main, arguments: "a").name == "sync a")
    #expect(try await container.resolve(.main, arguments: 1).name == "async 1")
    #expect(try await container.resolve(.main, arguments: true).name == "main true")
    let kept = try sync { try container.resolve(.main, arguments: "x", 1) }
    #expect(try await container.resolve(.main, arguments: "y", 2) === kept)
    #expect(try await container.resolve(Probe.self, key: "main", arguments: "y", 2) === kept)
    #expect(try sync { try container.resolve(.loose, arguments: "l") }.name == "l")
    #expect(try sync { try container.resolve(.spare, arguments: "s") }.name == "s")
    let error = try sync { try resolutionError { try container.resolve(.main, arguments: 1.5) } }
    #expect(error.code == .argumentMismatch && error.key as? String == "main")
  }

  @Test func registrationsOfInitialisersAndInstancesTakeTokens() async throws {
    let probe = Probe("instance")
    let container = Container {
      Registration(instance: probe).key(.main)
      Registration(autowired: ServiceKey<Leaf>("sync"), scope: .singleton) { (a: Alpha) in Leaf(a) }
      Registration(autowired: ServiceKey<Leaf>("async")) { (a: Alpha) in
        await Task.yield()
        return Leaf(a)
      }
      Registration(autowired: ServiceKey<Leaf>("main")) { @MainActor (a: Alpha) in Leaf(a) }
      Registration(autowired: ServiceKey<Leaf>("given"), arguments: String.self) { (a: Alpha, name: String) in
        Leaf(name)
      }
      Alpha()
    }
    #expect(try await container.resolve(.main) === probe)
    for name in ["sync", "async", "main"] {
      #expect(try await container.resolve(Leaf.self, key: name).next is Alpha)
    }
    #expect(container.resolveIfReady(ServiceKey<Leaf>("sync")) != nil)
    let given = try await container.resolve(ServiceKey<Leaf>("given"), arguments: "g")
    #expect(given.next as? String == "g")
  }

  @Test func batchesTakeRegistrationsWithTokens() async throws {
    let container = Container(configuration: .init(defaultScope: .singleton)) { Alpha() }
    try await container.register { Registration(.main) { _ in Probe("sync") } }
    #expect(try await container.resolve(.main).name == "sync")
    #expect(container.resolveIfReady(.main) != nil, "A Sendable service gets the default scope")
    try await container.register {
      Registration(.main, scope: .transient) { _ in
        await Task.yield()
        return Probe("async")
      }
    }
    #expect(try await container.resolve(.main).name == "async")
    #expect(container.resolveIfReady(.main) == nil)
    try await container.register { Registration(.main) { @MainActor _ in Probe("main") } }
    #expect(try await container.resolve(.main).name == "main")
    try await container.register { Registration(.loose) { _ in Unsendable("loose") } }
    let one = try await container.resolve(.loose)
    #expect(one.name == "loose")
    try await container.register { Registration(.loose) { (_, name: String) in Unsendable(name) } }
    #expect(try await container.resolve(.loose, arguments: "given").name == "given")
    try await container.register { Registration(.main) { (_, number: Int) in Probe("\(number)") } }
    #expect(try await container.resolve(.main, arguments: 3).name == "3")
    try await container.register {
      Registration(.main, scope: .transient) { (_, text: String) in
        await Task.yield()
        return Probe(text)
      }
    }
    #expect(try await container.resolve(.main, arguments: "t").name == "t")
    try await container.register {
      Registration(autowired: ServiceKey<Beta>("b"), scope: .singleton, initializer: Beta.init)
    }
    #expect(try await container.resolve(Beta.self, key: "b") === container.resolveIfReady(ServiceKey<Beta>("b")))
    try await container.register {
      Registration(autowired: ServiceKey<Beta>("b"), arguments: Alpha.self, initializer: Beta.init)
    }
    let alpha = Alpha()
    #expect(try await container.resolve(ServiceKey<Beta>("b"), arguments: alpha).alpha === alpha)
  }
}
