import ActorDITestSupport
import Testing

@testable import ActorDI

@MainActor private final class Screen {
  init() {}
}

@Suite("Synchronous factories with asynchronous dependencies")
struct AsynchronousDependencyTests {
  private static let slow = Registration(Alpha.self, scope: .singleton) { _ async in Alpha() }
  private static let sync = Registration(Leaf.self) { r in Leaf(try r.resolve(Beta.self)) }

  @Test func validationReportsThePathToTheAsynchronousService() throws {
    let line: UInt32 = #line - 3
    let container = Container {
      Self.slow
      Registration(autowired: Beta.self, initializer: Beta.init)
      Self.sync.dependsOn(Beta.self)
      Registration(autowired: Root.self) { (leaf: Leaf) in Root(leaf) }
    }
    #expect(findings(container) == ["asyncRequired: Leaf -> Beta -> Alpha"])
    #expect(try resolutionError { try container.resolve(Root.self) }.code == .asyncRequired)
    #expect(problems(of: container).first?.source.line == line)
  }

  @Test func validationAcceptsConsumersThatCanSuspend() {
    let container = Container {
      Self.slow
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(Leaf.self) { r in Leaf(try await r.resolve(Beta.self)) }.dependsOn(Beta.self)
      Registration(Stem.self) { _ in Stem() }.dependsOn(Lazy<Alpha>.self, Provider<Beta>.self)
      Registration(Root.self) { _ in Root() }.dependsOn(Beta.self)
        .onCreated { (_: Root, r: Resolver) async throws in _ = try await r.resolve(Beta.self) }
    }
    #expect(findings(container) == [])
  }

  @Test func validationReportsAsynchronousHooksAndPostInitialisations() {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }.onCreated { (_: Alpha, _: Resolver) async in }
      Registration(PostInitialized.self) { _ in PostInitialized() }.implements((any Noted).self) { $0 }
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Alpha?.self, [any Noted].self)
    }
    #expect(
      findings(container) == [
        "asyncRequired: Leaf -> Alpha", "asyncRequired: Leaf -> any Noted -> PostInitialized",
      ])
  }

  @Test func validationReportsAsynchronousInjectedProperties() {
    final class Window: @unchecked Sendable {
      // `@unchecked Sendable` because the test makes no instance.
      var alpha: Alpha?
    }
    let container = Container {
      Self.slow
      Registration(Window.self, scope: .singleton) { _ in Window() }.inject(\Window.alpha)
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Window.self)
    }
    #expect(findings(container) == ["asyncRequired: Leaf -> Window -> Alpha"])
  }

  @Test func validationAcceptsSynchronousMainActorFactories() {
    let container = Container {
      Registration(Screen.self) { @MainActor _ in Screen() }
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Screen.self)
    }
    #expect(findings(container) == [])
    let other = Container {
      Self.slow
      Registration(Screen.self) { @MainActor _ in Screen() }.dependsOn(Alpha.self)
      Registration(autowired: Stem.self) { @MainActor (alpha: Alpha) in Stem(alpha) }
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Stem.self)
    }
    #expect(
      findings(other) == ["asyncRequired: Screen -> Alpha", "asyncRequired: Leaf -> Stem -> Alpha"])
  }

  @Test func validationFollowsDecoratorsAndAlternatives() async throws {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(autowired: Root.self) { (_: Alpha) in Root() }
      Registration(autowired: Root.self) { (_: Alpha, _: Beta) in Root() }.alternative()
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Root.self)
    }
    #expect(findings(container) == [])
    try await container.decorate(Alpha.self) { (_: Resolver, inner: Alpha) async in inner }
    #expect(findings(container) == ["asyncRequired: Leaf -> Root -> Alpha"])
  }

  @Test func validationAcceptsEagerAsynchronousSingletons() async throws {
    let container = Container {
      Self.slow.eager().implements((any Sendable).self) { $0 }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Self.sync.dependsOn(Beta.self, (any Sendable).self)
    }
    try await container.validate()
    try await container.start()
    #expect(try await container.resolve(Leaf.self).next is Beta)
  }

  // A regression: hooks were not considered.
  @Test func validationReportsSynchronousHooksOfAutowiredServices() async throws {
    let hooked = Registration(autowired: Root.self) { Root() }.dependsOn(Alpha.self)
      .onCreated { _, r in _ = try { try r.resolve(Alpha.self) }() }
    let container = Container {
      Self.slow
      hooked
    }
    #expect(findings(container) == ["asyncRequired: Root -> Alpha"])
    #expect(problems(of: container).first?.description.contains("has a synchronous hook") == true)
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .asyncRequired)
    let suspending = Container {
      Self.slow
      Registration(autowired: Root.self) { Root() }.dependsOn(Alpha.self)
        .onCreated { _, r in _ = try await r.resolve(Alpha.self) }
    }
    #expect(findings(suspending) == [])
    _ = try await suspending.resolve(Root.self)
  }
}
