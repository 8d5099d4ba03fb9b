import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Missing dependencies")
struct MissingDependencyTests {
  @Test func aMissingDependencyHasSuggestionsAndASource() throws {
    let line: UInt32 = #line + 2
    let container = Container {
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Alpha.self, key: "mian")
      Registration(Alpha.self) { _ in Alpha() }.key("main").dependsOn()
    }
    let problem = try #require(problems(of: container).first)
    #expect(problem.kind == .missingDependency)
    #expect(ObjectIdentifier(problem.service) == ObjectIdentifier(Alpha.self))
    #expect(problem.key as? String == "mian")
    #expect(problem.suggestions == ["Alpha[\"main\"]"])
    #expect(problem.description.contains("Registered: Alpha[\"main\"]"))
    #expect(problem.source.line == line)
  }

  @Test func aMissingProtocolExplainsHowAConformingTypeCounts() throws {
    let container = Container {
      Registration(autowired: Leaf.self) { (_: any Greeter) in Leaf() }
      Registration(autowired: Stem.self) { (_: Provider<any Greeter>) in Stem() }
      Polite()
    }
    let found = problems(of: container)
    #expect(found.count == 2)
    for problem in found {
      #expect(
        problem.description.contains(
          "A registration of a conforming type does not count: name (any Greeter).self in it, or add "
            + ".implements((any Greeter).self) { $0 }."))
    }
  }

  /// A declared dependency states its key, so the advice is for parameters only.
  @Test func aParameterOfWhichOnlyKeysExistNamesTheWayToPassOne() throws {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }.key("main").dependsOn()
      Registration(initializer: Beta.init)
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Alpha.self)
    }
    let advice = "A parameter is resolved without a key. Resolve it by its key in a factory closure."
    let found = problems(of: container)
    #expect(found.map { $0.description.contains(advice) } == [true, false])
    #expect(found.map { $0.description.contains("Register it, or take it as an optional.") } == [false, true])
  }

  @Test func optionalsAndArraysAreNotMissing() {
    let container = Container {
      Registration(autowired: Leaf.self) { (_: Alpha?, _: [Beta], _: Owned<[Beta]>) in Leaf() }
      Registration(Root.self) { _ in Root() }.dependsOn(Alpha?.self, [Beta].self, Lazy<Alpha?>.self)
    }
    #expect(findings(container) == [])
  }

  @Test func lazyProviderAndOwnedDependenciesCanBeMissing() {
    let container = Container {
      Registration(autowired: Leaf.self) {
        (_: Lazy<Alpha>, _: Provider<Beta>, _: Provider<Owned<Gamma>>, _: Owned<Stem>) in Leaf()
      }
    }
    #expect(
      findings(container) == ["Alpha", "Beta", "Gamma", "Stem"].map { "missingDependency: Leaf -> \($0)" })
  }

  @Test func theContainerHasNoKey() {
    let container = Container {
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Container.self, key: 1).dependsOn(Lazy<Resolver>.self, key: 2)
    }
    #expect(
      findings(container) == [
        "missingDependency: Leaf -> Container[Int(1)]", "missingDependency: Leaf -> Resolver[Int(2)]",
      ])
  }

  @Test func onlyFactoriesAndProvidersCanPassRunTimeArguments() {
    let container = Container {
      Registration(Probe.self) { (_, name: String) in Probe(name) }.dependsOn()
      Registration(autowired: Leaf.self) { (_: Provider<Probe>) in Leaf() }
      Registration(Stem.self) { r in Stem(try r.resolve(Probe.self, arguments: "x")) }.dependsOn(Probe.self)
    }
    #expect(findings(container) == [])
    let other = Container {
      Registration(Probe.self) { (_, name: String) in Probe(name) }.dependsOn()
      Registration(autowired: Leaf.self) { (_: Probe) in Leaf() }
    }
    #expect(findings(other) == ["missingDependency: Leaf -> Probe"])
    #expect(problems(of: other).first?.suggestions == ["Probe(String)"])
  }

  @Test func onlyTheCallOfAProviderPassesRunTimeArguments() {
    func finding<Relationship>(_ type: Relationship.Type) -> [String] {
      findings(
        Container {
          Registration(Probe.self) { (_, name: String) in Probe(name) }.dependsOn()
          Registration(autowired: Leaf.self) { (_: Relationship) in Leaf() }
        })
    }
    let missing = ["missingDependency: Leaf -> Probe"]
    #expect(finding(Lazy<Probe>.self) == missing)
    #expect(finding(Owned<Probe>.self) == missing)
    #expect(finding(Lazy<Owned<Probe>>.self) == missing)
    #expect(finding(Lazy<Probe>?.self) == [])
    #expect(finding(Provider<Owned<Probe>>.self) == [])
    #expect(finding(Lazy<Provider<Probe>>.self) == [])
    #expect(finding(Provider<Lazy<Probe>>.self) == [])
  }

  @Test func anAutowiredServiceWithArgumentsLacksOnlyItsResolvedParameters() {
    let container = Container {
      Registration(autowired: String.self, arguments: Int.self) { (_: Alpha, number: Int) in "\(number)" }
    }
    #expect(findings(container) == ["missingDependency: String(Int) -> Alpha"])
  }

  @Test func containerAndResolverAreNotMissing() {
    let container = Container {
      Registration(autowired: Leaf.self) { (_: Container, _: Resolver, _: Lazy<Container>) in Leaf() }
    }
    #expect(findings(container) == [])
  }

  @Test func optionalInjectedPropertiesAreNotMissing() {
    final class Window: @unchecked Sendable {
      // `@unchecked Sendable` because the test makes no instance.
      var theme: Setting?
      var greeter: (any Greeter)!
    }
    let container = Container {
      Registration(Window.self, scope: .singleton) { _ in Window() }
        .inject(\Window.theme).inject(\Window.greeter, key: 1)
    }
    #expect(findings(container) == [])
  }

  @Test func validationListsEachConsumerOncePerMissingService() {
    let container = Container {
      Registration(autowired: Leaf.self) { (_: Alpha, _: Lazy<Alpha>) in Leaf() }.dependsOn(Alpha.self)
      Registration(autowired: Beta.self, initializer: Beta.init)
    }
    #expect(findings(container) == ["missingDependency: Leaf -> Alpha", "missingDependency: Beta -> Alpha"])
  }

  @Test func validationFollowsAnExplicitRegistrationOfARelationshipType() {
    let container = Container {
      Registration([Alpha].self) { _ in [] }.dependsOn(Beta.self)
      Registration(autowired: Leaf.self) { (_: [Alpha], _: Lazy<Setting>) in Leaf() }
      Registration(Lazy<Setting>.self) { r in try r.resolve() }.dependsOn(Leaf.self)
    }
    #expect(
      findings(container) == [
        "missingDependency: [Alpha] -> Beta", "cycle: Leaf -> Lazy<Setting> -> Leaf",
      ])
  }

  @Test func validationTriesInheritedKeysFirst() {
    let container = Container {
      Registration(autowired: Gamma.self, initializer: Gamma.init).key("k").inheritKey()
      Registration(autowired: Beta.self, initializer: Beta.init).inheritKey()
      Registration(Alpha.self) { _ in Alpha() }.key("k").dependsOn(Setting.self)
    }
    // Resolved without a key, Beta has no key to pass on.
    #expect(
      findings(container) == [
        "missingDependency: Beta -> Alpha", "missingDependency: Alpha[\"k\"] -> Setting",
      ])
  }

  @Test func theGraphPassesAnInheritedKeyThroughADecorator() {
    let container = Container {
      Registration(autowired: Gamma.self, initializer: Gamma.init).key("k").inheritKey()
      Registration(autowired: Beta.self, initializer: Beta.init).inheritKey()
      Decorator(Beta.self) { _, inner in inner }
      Registration(Alpha.self) { _ in Alpha() }.key("k").dependsOn(Setting.self)
    }
    let graph = container.dependencyGraph()
    #expect(
      graph.edges.contains { edge in
        let (from, to) = (graph.nodes[edge.from], graph.nodes[edge.to])
        return from.service == Beta.self && from.kind == .registration && to.key as? String == "k"
      })
  }
}
