import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Parent: @unchecked Sendable {
  // `@unchecked Sendable` because only a hook sets it, before the instance is visible elsewhere.
  var child: Child?
  var same: Child!
}
private final class Child: @unchecked Sendable {
  weak var parent: Parent?
  var owner: Parent!
}

private protocol Part: Sendable {}
extension Leaf: Part {}

@Suite("Cycles found by validation")
struct ValidatedCycleTests {
  private func findings(@RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations) -> [String] {
    ActorDITestSupport.findings(Container(registrations))
  }

  @Test func aCycleIsClosedAndBeginsWithItsFirstMember() {
    #expect(
      findings {
        Registration.node(9, takes: 3)
        Registration.node(1, takes: 2)
        Registration.node(2, takes: 3)
        Registration.node(3, takes: 1)
      } == ["cycle: Int[Int(1)] -> Int[Int(2)] -> Int[Int(3)] -> Int[Int(1)]"])
  }

  @Test func validationFindsACycleOfOneService() {
    #expect(findings { Registration.node(1, takes: 1) } == ["cycle: Int[Int(1)] -> Int[Int(1)]"])
  }

  @Test func validationListsAllCyclesThatShareMembers() {
    #expect(
      findings {
        Registration.node(1, takes: 2, 3)
        Registration.node(2, takes: 3, 1)
        Registration.node(3, takes: 1)
      } == [
        "cycle: Int[Int(1)] -> Int[Int(2)] -> Int[Int(1)]", "cycle: Int[Int(1)] -> Int[Int(3)] -> Int[Int(1)]",
        "cycle: Int[Int(1)] -> Int[Int(2)] -> Int[Int(3)] -> Int[Int(1)]",
      ])
  }

  @Test func aDiamondIsNoCycle() {
    #expect(
      findings {
        Registration.node(1, takes: 2, 3)
        Registration.node(2, takes: 4)
        Registration.node(3, takes: 4)
        Registration.node(4)
      } == [])
  }

  @Test func lazyAndProviderDependenciesBreakCycles() {
    #expect(
      findings {
        Registration(autowired: Root.self) { (_: Lazy<Leaf>, _: Provider<Stem>, _: Provider<Owned<Stem>>) in Root() }
        Registration(autowired: Leaf.self) { (root: Root) in Leaf(root) }
        Registration(autowired: Stem.self) { (root: Root) in Stem(root) }
      } == [])
  }

  @Test func optionalsArraysAndOwnedDoNotBreakCycles() {
    #expect(
      findings {
        Registration(autowired: Root.self) { (_: Leaf?) in Root() }
        Registration(autowired: Leaf.self) { (_: [Stem]) in Leaf() }
        Registration(autowired: Stem.self) { (_: Owned<Root>) in Stem() }
      } == ["cycle: Root -> Leaf -> Stem -> Root"])
  }

  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic, .managed(by: ManagedScope())])
  func hooksOfKeptServicesBreakCycles(scope: Scope) throws {
    let container = Container {
      Registration(Parent.self, scope: scope) { _ in Parent() }.inject(\Parent.child).dependsOn()
      Registration(Child.self, scope: scope) { _ in Child() }.inject(\Child.parent).dependsOn()
    }
    try container.validate()
    #expect(try container.resolve(Parent.self).child != nil)
    // One of the two may depend on the other for its creation.
    #expect(
      findings {
        Registration(Parent.self, scope: scope) { _ in Parent() }.inject(\Parent.child)
        Registration(Child.self, scope: scope) { _ in Child() }.dependsOn(Parent.self)
      } == [])
  }

  @Test func hooksOfTransientServicesDoNotBreakCycles() throws {
    let container = Container {
      Registration(Parent.self) { _ in Parent() }.inject(\Parent.child)
      Registration(Child.self) { _ in Child() }.inject(\Child.parent)
    }
    #expect(try resolutionError { try container.resolve(Parent.self) }.path == ["Parent", "Child", "Parent"])
    #expect(ActorDITestSupport.findings(container) == ["cycle: Parent -> Child -> Parent"])
  }

  @Test func recursionWithRunTimeArgumentsIsNoCycle() {
    #expect(
      findings {
        Registration(Root.self) { (r: Resolver, depth: Int) in
          depth == 0 ? Root() : Root(try r.resolve(Leaf.self, arguments: depth - 1))
        }.dependsOn(Leaf.self)
        Registration(Leaf.self) { (r: Resolver, depth: Int) in
          Leaf(try r.resolve(Root.self, arguments: depth))
        }.dependsOn(Root.self)
      } == [])
  }

  @Test func validationFindsCyclesThroughAliasesDecoratorsAndAlternatives() async throws {
    let container = Container {
      Registration(autowired: Root.self) { (_: any Part) in Root() }
      Registration(autowired: Leaf.self) { (_: Root) in Leaf() }
      Registration(autowired: Leaf.self) { (_: Root, _: Alpha) in Leaf() }
        .alternative().implements((any Part).self) { $0 }
      Registration(Alpha.self) { _ in Alpha() }
    }
    try await container.decorate(Root.self) { _, inner in inner }
    try await container.decorate(Root.self) { _, inner in inner }
    let expected = ["Root", "any Part", "Leaf", "Root"]
    #expect(ActorDITestSupport.findings(container) == ["cycle: " + expected.joined(separator: " -> ")])
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .cycle)
    #expect(error.path == expected)
  }

  @Test func aDecoratedServiceThatTakesItselfIsACycle() async throws {
    let container = Container { Registration.node(1, takes: 1) }
    try await container.decorate(Int.self) { _, inner in inner }
    #expect(ActorDITestSupport.findings(container) == ["cycle: Int[Int(1)] -> Int[Int(1)]"])
  }
}
