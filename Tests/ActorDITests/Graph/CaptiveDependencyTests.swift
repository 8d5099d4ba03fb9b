import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Captive dependencies")
struct CaptiveDependencyTests {
  private static let session = ManagedScope("session")
  private static let other = ManagedScope("other")

  /// The findings for a service of one scope that depends on one of another.
  private func finding(_ holder: Registration<Beta>, _ held: Registration<Alpha>) -> [String] {
    findings(
      Container {
        holder.dependsOn(Alpha.self)
        held
      })
  }

  private func beta(_ scope: Scope) -> Registration<Beta> {
    Registration(Beta.self, scope: scope) { r in Beta(alpha: try r.resolve()) }
  }
  private func alpha(_ scope: Scope) -> Registration<Alpha> {
    Registration(Alpha.self, scope: scope) { _ in Alpha() }
  }

  @Test func aLongerLivedServiceCapturesAShorterLivedOne() {
    let captive = ["captiveDependency: Beta -> Alpha"]
    let managed = Scope.managed(by: Self.session)
    #expect(finding(beta(.singleton), alpha(managed)) == captive)
    #expect(finding(beta(.singleton), alpha(.singleton).timeToLive(.seconds(1))) == captive)
    #expect(finding(beta(.singleton), alpha(.shared).timeToLive(.seconds(1))) == captive)
    #expect(finding(beta(managed), alpha(managed).timeToLive(.seconds(1))) == captive)
    #expect(finding(beta(managed), alpha(.singleton).timeToLive(.seconds(1))) == captive)
    #expect(finding(beta(.singleton).timeToLive(.seconds(1)), alpha(managed)) == captive)
    #expect(
      finding(
        beta(.singleton).timeToLive(.seconds(2)), alpha(.singleton).timeToLive(.seconds(1)))
        == captive)
  }

  @Test func aDependencyThatEndsWithItsHolderIsNotCaptive() {
    let managed = Scope.managed(by: Self.session)
    for scope in [Scope.transient, .graph, .shared, .automatic, .singleton] {
      #expect(finding(beta(.singleton), alpha(scope)) == [], "\(scope)")
      #expect(finding(beta(managed), alpha(scope)) == [], "\(scope)")
    }
    for scope in [Scope.transient, .graph, .shared, .automatic] {
      #expect(finding(beta(scope), alpha(managed)) == [], "\(scope)")
    }
    #expect(finding(beta(managed), alpha(managed)) == [])
    // It is not known which of the periods is longer.
    #expect(finding(beta(managed), alpha(.managed(by: Self.other))) == [])
    #expect(finding(beta(managed).timeToLive(.seconds(1)), alpha(managed)) == [])
    #expect(
      finding(
        beta(.singleton).timeToLive(.seconds(1)), alpha(.singleton).timeToLive(.seconds(1))) == [])
  }

  @Test(arguments: [Scope.transient, .graph, .shared, .automatic])
  func validationFindsACaptiveThroughUnkeptServices(scope: Scope) throws {
    let container = Container {
      alpha(.managed(by: Self.session))
      beta(scope).dependsOn(Alpha.self)
      Registration(autowired: Stem.self, scope: scope) { (beta: Beta) in Stem(beta) }
      Registration(autowired: Root.self, scope: .singleton) { (stem: Stem) in Root(stem) }
      Registration(autowired: Leaf.self, scope: .singleton) { (root: Root) in Leaf(root) }
    }
    #expect(findings(container) == ["captiveDependency: Root -> Stem -> Beta -> Alpha"])
    let problem = try #require(problems(of: container).first)
    #expect(ObjectIdentifier(problem.service) == ObjectIdentifier(Alpha.self))
    #expect(problem.description.contains("Root (singleton)"))
    #expect(problem.description.contains("Alpha (managed(\"session\"))"))
  }

  @Test func lazyAndProviderDependenciesAreNotCaptive() {
    let container = Container {
      alpha(.managed(by: Self.session))
      Registration(autowired: Stem.self) { (alpha: Lazy<Alpha>) in Stem() }
      Registration(autowired: Root.self, scope: .singleton) { (_: Stem, _: Provider<Alpha>) in Root() }
    }
    #expect(findings(container) == [])
  }

  @Test func validationListsEachCaptiveOnce() {
    let container = Container {
      Registration(autowired: Gamma.self, scope: .singleton, initializer: Gamma.init)
      Registration(autowired: Beta.self, scope: .managed(by: Self.session), initializer: Beta.init)
      alpha(.managed(by: Self.session))
      Registration(autowired: Leaf.self) { (_: Alpha) in Leaf() }
      Registration(autowired: Root.self, scope: .singleton) { (_: Leaf, _: Alpha, _: Beta?, _: [Probe]) in Root() }
      Registration(Probe.self, scope: .shared) { _ in Probe() }.timeToLive(.seconds(5)).key(1)
    }
    #expect(
      findings(container) == [
        "captiveDependency: Gamma -> Beta", "captiveDependency: Gamma -> Alpha",
        "captiveDependency: Root -> Alpha", "captiveDependency: Root -> Beta",
        "captiveDependency: Root -> Probe[Int(1)]",
      ])
  }

  @Test func validationFindsCaptivesThroughPropertiesAliasesAndDecorators() async throws {
    final class Window: @unchecked Sendable {
      // `@unchecked Sendable` because the test makes no instance.
      var greeter: (any Greeter)?
    }
    let container = Container {
      Registration(Window.self, scope: .singleton) { _ in Window() }.inject(\Window.greeter)
      Registration(Polite.self, scope: .managed(by: Self.session)) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
    }
    let expected = ["captiveDependency: Window -> any Greeter -> Polite"]
    #expect(findings(container) == expected)
    try await container.decorate((any Greeter).self) { _, inner in inner }
    #expect(findings(container) == ["captiveDependency: Window -> any Greeter"])
    try await container.decorate(Window.self) { _, inner in inner }
    #expect(findings(container) == ["captiveDependency: Window -> any Greeter"])
  }

  @Test(arguments: [Scope.scoped, .pooled(max: 2)])
  func aServiceInTheScopeOfAnOwnedIsNotCaptive(held: Scope) {
    let container = Container {
      alpha(held)
      beta(.transient).dependsOn(Alpha.self)
      Registration(autowired: Root.self, scope: .singleton) { (_: Owned<Alpha>, _: Owned<Beta>) in Root() }
      Registration(autowired: Leaf.self, scope: .managed(by: Self.session)) { (_: Owned<Alpha>) in Leaf() }
    }
    #expect(findings(container) == [])
    // The shared service is built by its own container, outside of the scope of the Owned.
    let outside = Container {
      alpha(held)
      beta(.shared).dependsOn(Alpha.self)
      Registration(autowired: Root.self, scope: .singleton) { (_: Owned<Beta>) in Root() }
    }
    #expect(findings(outside) == ["captiveDependency: Beta -> Alpha"])
  }

  // A regression: a service that the scope of an `Owned` keeps was taken for the holder, which captures nothing itself.
  @Test func validationFindsACaptiveThroughTheScopeOfAnOwned() throws {
    func container(_ held: Registration<Alpha>) -> Container {
      Container {
        held
        beta(.scoped).dependsOn(Alpha.self)
        Registration(autowired: Root.self, scope: .singleton) { (_: Owned<Beta>) in Root() }
      }
    }
    for held in [alpha(.scoped("request")), alpha(.managed(by: Self.session))] {
      #expect(findings(container(held)) == ["captiveDependency: Root -> Beta -> Alpha"])
    }
    #expect(findings(container(alpha(.scoped))) == [])
    #expect(findings(container(alpha(.shared).timeToLive(.seconds(1)))) == ["captiveDependency: Beta -> Alpha"])
    let error = try resolutionError { try sync { try container(alpha(.scoped("request"))).resolve(Root.self) } }
    #expect((error.code, error.path) == (.scopeNotFound, ["Root", "Beta", "Alpha"]))
  }

  @Test func whatEndsBeforeTheScopeOfAnOwnedIsCaptive() {
    let registrations = [
      alpha(.managed(by: Self.session)), alpha(.scoped("request")), alpha(.scoped).timeToLive(.seconds(1)),
      alpha(.singleton).timeToLive(.seconds(1)),
    ]
    for registration in registrations {
      let container = Container {
        registration
        Registration(autowired: Root.self, scope: .singleton) { (_: Owned<Alpha>) in Root() }
      }
      #expect(findings(container) == ["captiveDependency: Root -> Alpha"])
    }
  }

  @Test func anExplicitRegistrationOfAnOwnedHasNoScopeOfItsOwn() {
    let container = Container {
      alpha(.scoped)
      Registration(Owned<Alpha>.self) { r in try r.resolve(Owned<Alpha>.self, key: "other") }.dependsOn(Alpha.self)
      Registration(autowired: Root.self, scope: .singleton) { (_: Owned<Alpha>) in Root() }
    }
    #expect(findings(container) == ["captiveDependency: Root -> Owned<Alpha> -> Alpha"])
  }
}
