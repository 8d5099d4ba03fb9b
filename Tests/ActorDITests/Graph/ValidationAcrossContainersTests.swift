import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Validation across containers")
struct ValidationAcrossContainersTests {
  private static let alpha = Registration(Alpha.self) { _ in Alpha() }.dependsOn()
  private static let beta = Registration(autowired: Beta.self, initializer: Beta.init)
  private static let leaf = Registration(autowired: Leaf.self) { (beta: Beta) in Leaf(beta) }

  @Test func servicesOfParentsAndLinksAreNotMissing() {
    let parent = Container { Self.alpha }
    let linked = Container(name: "linked") { Self.beta }
    let child = Container(name: "child", parent: parent) { Self.leaf }
    #expect(findings(child) == ["missingDependency: Leaf -> Beta"])
    let link = child.link(linked)
    linked.link(child)
    #expect(findings(child) == [])
    #expect(findings(linked) == [], "The linked container finds Alpha in the parent of the child that it links")
    link.cancel()
    #expect(findings(child) == ["missingDependency: Leaf -> Beta"])
  }

  @Test func validationChecksTheParentsServicesThatItReaches() throws {
    let parent = Container(name: "parent") {
      Self.beta
      Registration(autowired: Stem.self) { (_: Setting) in Stem() }
    }
    let child = Container(name: "child", parent: parent) { Self.leaf }
    #expect(findings(child) == ["missingDependency: Beta -> Alpha"])
    let problem = try #require(problems(of: child).first)
    #expect(problem.container == "parent")
    #expect(problem.description.contains("not registered in container \"child\""))
  }

  @Test func anUnkeptServiceUsesTheRegistrationsOfTheContainerAsked() async throws {
    let parent = Container { Self.beta }
    let child = Container(parent: parent) {
      Self.leaf
      Self.alpha
    }
    #expect(findings(parent) == ["missingDependency: Beta -> Alpha"])
    #expect(findings(child) == [])
    try await parent.register(Self.beta.scope(.singleton))
    #expect(findings(child) == ["missingDependency: Beta -> Alpha"])
    let error = try await asyncResolutionError { try await child.resolve(Leaf.self) }
    #expect(error.path == ["Leaf", "Beta", "Alpha"])
  }

  @Test func validationFindsACycleAcrossContainersOnce() {
    let parent = Container { Registration.node(2, takes: 1) }
    let child = Container(parent: parent) {
      Registration.node(1, takes: 2)
      Registration.node(3, takes: 2)
    }
    #expect(findings(child) == ["cycle: Int[Int(1)] -> Int[Int(2)] -> Int[Int(1)]"])
    #expect(findings(parent) == ["missingDependency: Int[Int(2)] -> Int[Int(1)]"])
  }

  @Test func aParentsSingletonIsNotCaptiveThroughATransient() {
    let parent = Container { Self.alpha.scope(.singleton) }
    let child = Container(parent: parent) {
      Self.beta
      Self.leaf.scope(.singleton)
    }
    #expect(findings(child) == [])
  }

  @Test func aDecoratorOfAParentsEagerServiceIsNotBuiltAtStart() async throws {
    let parent = Container(name: "parent") {
      Registration(Alpha.self, scope: .singleton) { _ async in Alpha() }.dependsOn().eager()
    }
    let child = Container(name: "child", parent: parent) {
      Decorator(Alpha.self) { _, inner in inner }
      Registration(Beta.self) { r in Beta(alpha: try r.resolve()) }.dependsOn(Alpha.self)
    }
    #expect(findings(child) == ["asyncRequired: Beta -> Alpha"])
    #expect(
      child.dependencyGraph().nodes.map(\.description) == [
        "Beta, transient", "Alpha, decorator, singleton, async", "Alpha, singleton, eager, async",
      ])
    try await parent.start()
    try await child.start()
    let error = try resolutionError { try sync { try child.resolve(Beta.self) } }
    #expect((error.code, error.path) == (.asyncRequired, ["Beta", "Alpha"]))
  }
}
