import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Request: Sendable {
  static let example = Request()
}
private final class Handler: Sendable { init(_ request: Request) {} }
private final class Basket: Sendable { init(_ handler: Handler) {} }
private final class Cashier: Sendable { init(_ basket: Basket) {} }

private func expected(_ container: Container) throws -> [String] {
  try container.validate().expectedFromScopes.map(\.description)
}

@Suite("Validation of scoped services")
struct ScopedValidationTests {
  private static let session = ManagedScope("session")

  /// The findings for a service of one scope that depends on one of another.
  private func finding(_ holder: Scope, _ held: Scope, in name: String = "unnamed") -> [String] {
    findings(
      Container(name: name) {
        Registration(Beta.self, scope: holder) { r in Beta(alpha: try r.resolve()) }.dependsOn(Alpha.self)
        Registration(Alpha.self, scope: held) { _ in Alpha() }
      })
  }

  // MARK: Captives

  @Test(arguments: [Scope.singleton, .managed(by: session), .pooled(max: 2), .shared, .automatic])
  func aHolderBuiltOutsideOfScopesCapturesScopedServices(holder: Scope) {
    let captive = ["captiveDependency: Beta -> Alpha"]
    for held in [Scope.scoped, .scoped("request"), .pooled(max: 2)] {
      #expect(finding(holder, held) == captive, "\(held)")
    }
    #expect(finding(holder, .singleton) == [])
  }

  @Test(arguments: [Scope.scoped, .scoped("request"), .transient, .graph])
  func aHolderThatEndsWithAScopeCapturesNothing(holder: Scope) {
    for held in [Scope.scoped, .scoped("request"), .scoped("job"), .pooled(max: 2), .singleton, .shared] {
      #expect(finding(holder, held) == [], "\(held)")
    }
  }

  @Test func aPooledServiceCapturesAManagedOne() {
    #expect(finding(.pooled(max: 1), .managed(by: Self.session)) == ["captiveDependency: Beta -> Alpha"])
  }

  @Test func aSingletonDoesNotCaptureServicesScopedToItsOwnContainer() async throws {
    #expect(finding(.singleton, .scoped("app"), in: "app") == [])
    #expect(finding(.singleton, .scoped("app"), in: "other") == ["captiveDependency: Beta -> Alpha"])
    let app = Container(name: "app") {
      Registration(Alpha.self, scope: .scoped("app")) { _ in Alpha() }
      Registration(Setting.self, scope: .scoped) { _ in Setting() }.dependsOn()
    }
    let child = app.makeChild(name: "child") {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    }
    #expect(findings(child) == [])
    // A singleton registered in the scope ends with the scope.
    try await app.withScope {
      Registration(autowired: Root.self, scope: .singleton) { (_: Setting) in Root() }
    } operation: { scope in
      #expect(findings(scope) == [])
    }
  }

  @Test(arguments: [Scope.transient, .graph])
  func validationFindsCaptivesThroughUnkeptServices(scope: Scope) throws {
    let container = Container {
      Registration(autowired: Root.self, scope: .singleton) { (_: Stem) in Root() }
      Registration(autowired: Stem.self, scope: scope) { (_: Leaf) in Stem() }
      Registration(autowired: Leaf.self, scope: scope) { (_: Alpha) in Leaf() }
      Registration(Alpha.self, scope: .scoped("request")) { _ in Alpha() }
      Registration(autowired: Probe.self, scope: .singleton) { (_: Provider<Alpha>) in Probe() }
    }
    #expect(findings(container) == ["captiveDependency: Root -> Stem -> Leaf -> Alpha"])
    let problem = try #require(problems(of: container).first)
    #expect(problem.description.contains("Alpha (scoped(\"request\")) beyond its end"))
    #expect(problem.description.contains("or resolve Alpha in its scope and pass it as an argument."))
  }

  @Test func onlyTheHolderNearestToTheCaptiveIsAProblem() {
    let container = Container {
      Registration(autowired: Root.self, scope: .singleton) { (_: Stem) in Root() }
      Registration(autowired: Stem.self, scope: .shared) { (_: Leaf) in Stem() }
      Registration(autowired: Leaf.self) { (_: Alpha) in Leaf() }
      Registration(Alpha.self, scope: .scoped("request")) { _ in Alpha() }
    }
    #expect(findings(container) == ["captiveDependency: Stem -> Leaf -> Alpha"])
  }

  // MARK: Registrations in scopes

  private let app = Container(name: "app") {
    Registration(autowired: Basket.self, scope: .scoped("request"), initializer: Basket.init)
    Registration(autowired: Handler.self, initializer: Handler.init)
    Registration(autowired: Stem.self) { (_: Basket, _: Request) in Stem() }
    Registration(autowired: Leaf.self, scope: .scoped) { (_: Lazy<Request>, _: Setting?) in Leaf() }
  }

  @Test func aServiceExpectedFromScopesIsNotMissing() async throws {
    #expect(try expected(app) == ["Request"])
    try await app.register(Registration(autowired: Cashier.self, initializer: Cashier.init))
    #expect(try expected(app) == ["Request"])
    // `Alpha` is not expected from scopes, since no service that lives in a scope needs it. So it is missing.
    try await app.register(Registration(autowired: Root.self) { (_: Request, _: Alpha) in Root() })
    #expect(findings(app) == ["missingDependency: Root -> Alpha"])
    let container = app
    let error = await #expect(throws: ValidationError.self) { try await container.validate() }
    #expect(error?.expectedFromScopes.map(\.description) == ["Request"])
  }

  @Test func aServiceBuiltOutsideScopesLacksTheScopesServices() async throws {
    try await app.register {
      Registration(autowired: Gamma.self, scope: .singleton) { (_: Request) in throw Boom() }
      Registration(autowired: Root.self, scope: .shared) { (_: Probe) in Root() }
      Registration(autowired: Probe.self) { (_: Handler) in Probe() }
      Registration(autowired: Alpha.self, scope: .singleton) { (_: Lazy<Probe>) in Alpha() }
    }
    #expect(
      findings(app) == [
        "missingDependency: Gamma -> Request", "missingDependency: Root -> Probe -> Handler -> Request",
      ])
    let problem = try #require(problems(of: app).last)
    #expect(problem.description.contains("Scopes may have it, but Root is built outside of them."))
    #expect(ObjectIdentifier(problem.service) == ObjectIdentifier(Request.self))
  }

  @Test func validatingAScopeReportsTheServicesThatItLacks() async throws {
    let report = try await app.withScope("request") {
      Registration(instance: Request.example)
    } operation: { scope in
      try await scope.validate()
    }
    #expect(report.expectedFromScopes.isEmpty)
    let found = try await app.withScope("request") { scope in findings(scope) }
    #expect(found == ["missingDependency: Handler -> Request", "missingDependency: Leaf -> Request"])
    // A scope of another name does not hold the `request` services.
    let others = try await app.withScope("job") { scope in findings(scope) }
    #expect(others == ["missingDependency: Leaf -> Request"])
    #expect(findings(app.makeChild(name: "child")) == [])
    #expect(findings(app.makeChild(name: "request")) == ["missingDependency: Handler -> Request"])
  }

  @Test func aScopesRegistrationHidesTheFaultyOneOfItsParent() async throws {
    let found = try await app.withScope("request") {
      Registration(Handler.self) { _ in Handler(Request()) }.dependsOn()
      Registration(Leaf.self) { _ in Leaf() }.dependsOn()
    } operation: { scope in
      findings(scope)
    }
    #expect(found == [])
  }

  @Test func theGraphDistinguishesExpectedFromMissingServices() async throws {
    let graph = app.dependencyGraph()
    #expect(
      graph.nodes.map(\.description) == [
        "Basket, scoped(\"request\")", "Handler, transient", "Stem, transient", "Leaf, scoped",
        "Request, from the scope",
      ])
    #expect(graph.nodes.map(\.kind).last == .expected)
    #expect(graph.nodes.filter(\.isMissing).isEmpty)
    #expect(graph.dot.contains("style=\"filled,dashed\", fillcolor=\"#ffffff\""))
    #expect(graph.mermaid.contains("class n4 expected"))
    try await app.register(Registration(autowired: Gamma.self, scope: .singleton) { (_: Request) in throw Boom() })
    #expect(app.dependencyGraph().nodes.map(\.kind).last == .missing)
    let nodes = try await app.withScope("request") {
      Registration(instance: Request.example)
    } operation: { scope in
      scope.dependencyGraph().nodes.map(\.description)
    }
    #expect(nodes == ["Request, singleton", "Basket, scoped(\"request\")", "Handler, transient", "Leaf, scoped"])
  }

  // MARK: Owned

  @Test func theScopeOfAnOwnedHasOnlyTheRegistrationsOfItsHolder() async throws {
    func container(holder: Scope) -> Container {
      Container {
        Registration(autowired: Handler.self, scope: .scoped, initializer: Handler.init)
        Registration(autowired: Root.self, scope: holder) { (_: Owned<Handler>) in Root() }
      }
    }
    #expect(findings(container(holder: .singleton)) == ["missingDependency: Root -> Handler -> Request"])
    let error = try resolutionError { try sync { try container(holder: .singleton).resolve(Root.self) } }
    #expect((error.code, error.path) == (.notRegistered, ["Root", "Handler", "Request"]))
    #expect(try expected(container(holder: .scoped)) == ["Request"])
    try await container(holder: .scoped).withScope {
      Registration(instance: Request.example)
    } operation: { scope in
      _ = try await scope.resolve(Root.self)
      try await scope.validate()
    }
  }

  // A regression: the scope that keeps the service was taken for one whose place among the others is unknown.
  @Test func aServiceOfAnOpenScopeCapturesOneOfANamedScopeThatIsNotAboveIt() async throws {
    let captive = ["captiveDependency: Beta -> Alpha"]
    #expect(finding(.scoped("app"), .scoped("request"), in: "app") == captive)
    #expect(finding(.scoped("app"), .scoped, in: "app") == [])
    #expect(finding(.scoped("session"), .scoped("request"), in: "app") == [])
    let app = Container(name: "app") {
      Registration(Beta.self, scope: .scoped("request")) { r in Beta(alpha: try r.resolve()) }.dependsOn(Alpha.self)
      Registration(Alpha.self, scope: .scoped("session")) { _ in Alpha() }
    }
    #expect(findings(app) == [])
    try await app.withScope("request") { request in
      #expect(findings(request) == captive)
      let advice = "or open container \"request\" within scoped(\"session\")."
      #expect(problems(of: request).first?.description.hasSuffix(advice) == true)
      let error = try await asyncResolutionError { try await request.resolve(Beta.self) }
      #expect(error.code == .scopeNotFound)
    }
    try await app.withScope("session") { session in
      try await session.withScope("request") { request in
        #expect(findings(request) == [])
        _ = try await request.resolve(Beta.self)
      }
    }
  }
}
