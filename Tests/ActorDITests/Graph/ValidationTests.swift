import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Holder: Sendable { init(_ helper: Helper) {} }
private final class Helper: Sendable { init(_ session: Session) {} }
private final class Session: Sendable {}

/// All checks of ``Container/validate()`` together.
@Suite("Validation")
struct ValidationTests {
  @Test func validationListsAllProblemsInOneErrorAndRunsNothing() async throws {
    let runs = Counter()
    let container = Container {
      Registration(autowired: Holder.self, scope: .singleton) { (helper: Helper) in
        runs.increment()
        return Holder(helper)
      }
      Registration(autowired: Helper.self) { (session: Session) in
        runs.increment()
        return Helper(session)
      }
      Registration(Session.self, scope: .managed(by: ManagedScope("login"))) { _ in
        runs.increment()
        return Session()
      }.onCreated { _, _ in runs.increment() }
      Registration(autowired: Beta.self) { (alpha: Alpha) in
        runs.increment()
        return Beta(alpha: alpha)
      }
      Registration(Gamma.self) { _ in
        runs.increment()
        throw Boom()
      }.dependsOn(Beta.self, Setting.self)
      Registration(autowired: Root.self) { (leaf: Leaf) in
        runs.increment()
        return Root(leaf)
      }
      Registration(autowired: Leaf.self) { (root: Root) in
        runs.increment()
        return Leaf(root)
      }
    }
    let error = try #require(
      await #expect(throws: ValidationError.self) { try await container.validate() })
    #expect(
      error.problems.map { "\($0.kind): \($0.path.joined(separator: " -> "))" } == [
        "captiveDependency: Holder -> Helper -> Session",
        "missingDependency: Beta -> Alpha",
        "missingDependency: Gamma -> Setting",
        "cycle: Root -> Leaf -> Root",
      ])
    for problem in error.problems {
      let text = problem.description
      #expect(!text.contains("\n"))
      #expect(text.contains("ValidationTests.swift:"))
      #expect(error.description.contains(text))
      #expect(error.description.contains(problem.path.joined(separator: " -> ")))
    }
    #expect(error.description.hasPrefix("4 problems in container \"unnamed\":\n"))
    #expect(runs.count == 0)
  }

  @Test func aSoundContainerPasses() async throws {
    let container = Container {
      Registration(autowired: Gamma.self, scope: .singleton) { (beta: Beta, alpha: Alpha) in
        Gamma(beta: beta, alpha: alpha)
      }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }
      Registration((any Greeter).self) { (_, _: String) in Polite() }
      Setting()
      Registration(instance: Polite())
    }
    let report = try await container.validate()
    #expect(report.opaque.map(\.description.prefixBeforeComma) == ["Alpha", "any Greeter(String)"])
    #expect(problems(of: container).isEmpty)
    #expect(problems(of: Container()).isEmpty)
  }

  @Test func factoriesWithDeclaredDependenciesAreNotOpaque() throws {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }.dependsOn()
      Registration(Root.self) { _ in Root() }.dependsOn(Alpha.self)
      Registration(Stem.self) { _ in Stem() }.implements((any Sendable).self) { $0 }
      Registration(Leaf.self) { _ in Leaf() }.dependsOn(Setting.self, key: 1)
    }
    let error = try #require(#expect(throws: ValidationError.self) { try container.validate() })
    #expect(error.opaque.map { ObjectIdentifier($0.service) } == [ObjectIdentifier(Stem.self)])
    #expect(error.problems.map(\.path) == [["Leaf", "Setting[Int(1)]"]])
    #expect(error.problems.first?.key as? Int == 1)
    #expect(error.description.hasPrefix("1 problem in"))
  }

  @Test func validationListsFaultyRegistrationsWithTheirErrors() throws {
    let container = Container {
      Registration(autowired: String.self, arguments: Int.self, Int.self) { (a: Int, _: Alpha) in "\(a)" }
      Registration(Alpha.self, scope: .transient) { _ in Alpha() }.eager()
      Registration(autowired: Beta.self, initializer: Beta.init)
    }
    let found = problems(of: container)
    #expect(found.map(\.kind) == [.faultyRegistration, .faultyRegistration])
    #expect(found.map(\.error?.code) == [.ambiguousArguments, .invalidRegistration])
    #expect(found.first?.description.contains("listed twice") == true)
  }

  @Test func validationListsRefusedDuplicates() {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Alpha.self) { _ in Alpha() }
    }
    #expect(problems(of: container).map(\.error?.code) == [.duplicate])
  }

  @Test func equallyGoodAlternativesAreAmbiguous() async throws {
    let container = Container {
      Registration(autowired: Root.self) { (alpha: Alpha) in Root(alpha) }
      Registration(autowired: Root.self) { (setting: Setting) in Root(setting) }.alternative()
      Registration(Alpha.self) { _ in Alpha() }
      Setting()
    }
    let found = problems(of: container)
    #expect(found.map(\.kind) == [.ambiguous])
    #expect(found.first?.error?.code == .ambiguous)
    #expect(found.first?.description.contains("(Alpha) at") == true)
    // One more parameter decides; the dependencies of the other alternatives do not matter.
    try await container.register {
      Registration(autowired: Root.self) { (alpha: Alpha, _: Beta) in Root(alpha) }.alternative()
      Registration(autowired: Root.self) { (_: Alpha, _: Stem, _: Leaf) in Root() }.alternative()
      Registration(autowired: Beta.self, initializer: Beta.init)
    }
    #expect(findings(container) == [])
    await container.unregister(Alpha.self)
    await container.unregister(Setting.self)
    #expect(
      findings(container) == [
        // The dependencies missing from the alternative with the most available parameters.
        "missingDependency: Root -> Alpha", "missingDependency: Beta -> Alpha",
      ])
  }

  @Test func asynchronousValidationWaitsForModules() async throws {
    struct Late: Module {
      let gate: Gate
      var registrations: Registrations {
        Registration(autowired: Beta.self, initializer: Beta.init)
      }
      func didLoad(_ container: Container) async throws {
        await gate.wait()
        try await container.register(Alpha.self) { _ in Alpha() }
        throw Boom()
      }
    }
    let gate = Gate()
    let container = Container { Late(gate: gate) }
    #expect(findings(container) == ["missingDependency: Beta -> Alpha"])
    gate.open()
    try await container.validate()
  }

  @Test func theDescriptionNamesProblemsAndRemedies() {
    let line: UInt32 = #line + 2
    let container = Container(name: "app") {
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Stem.self, scope: .singleton) { (leaf: Leaf) in Stem(leaf) }
      Registration(Leaf.self, scope: .singleton) { _ async in Leaf() }.timeToLive(.seconds(5))
      Registration(Root.self) { _ in Root() }.dependsOn(Stem.self)
    }
    let error = #expect(throws: ValidationError.self) { try container.validate() }
    let file = "ActorDIGraphTests/ValidationTests.swift"
    #expect(
      error?.description == """
        3 problems in container "app":
        - \(file):\(line): Alpha is not registered in container "app", but needed: Beta -> Alpha. \
        Register it, or take it as an optional.
        - \(file):\(line + 1): Captive dependency: Stem (singleton) would hold Leaf (singleton, time to live 5.0 seconds) \
        beyond its end: Stem -> Leaf. Give Stem a scope that ends no later, or inject a Provider instead.
        - \(file):\(line + 3): Root has a synchronous factory, but depends on a service that is built asynchronously: \
        Root -> Stem -> Leaf. Make the factory asynchronous, or autowire the initialiser.
        """)
  }

  @Test func aKindIsPrintedByItsName() {
    #expect("\(ValidationError.Kind.captiveDependency)" == "captiveDependency")
  }
}

extension String {
  fileprivate var prefixBeforeComma: String { String(prefix { $0 != "," }) }

  // MARK: Replaced registrations

  private func replaced(_ report: ValidationReport) -> [String] {
    report.replaced.map { "\($0.replaced.source.line) -> \($0.standing.source.line)" }
  }

  @Test func theReportListsRegistrationsReplacedInTheirBatch() async throws {
    struct Names: Module {
      var registrations: Registrations { Registration(String.self) { _ in "module" } }
    }
    let first = UInt32(#line) + 2
    let container = Container {
      Registration(Probe.self) { _ in Probe("a") }
      RegistrationGroup { Registration(Probe.self, scope: .singleton) { _ in Probe("b") } }
      Registration(autowired: Probe.self) { (_: Alpha) in Probe("c") }
      Registration(String.self) { _ in "builder" }
      Names()
      Registration(Alpha.self) { _ in Alpha() }
      // None of these is replaced.
      Registration(autowired: Probe.self) { (_: Alpha, _: Setting) in Probe("d") }.alternative()
      Registration(Probe.self) { _ in Probe() }.key("k")
      Registration(Probe.self) { (_, name: String) in Probe(name) }
      Registration(Setting.self) { _ in Setting() }
      Registration(Setting.self) { _ in Setting() }.ifNotRegistered()
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration((any Greeter).self) { _ in Casual() }
    }
    let report = try await container.validate()
    #expect(
      Set(replaced(report)) == [
        "\(first) -> \(first + 2)", "\(first + 1) -> \(first + 2)", "\(first + 3) -> \(first - 4)",
      ])
    #expect(report.replaced.allSatisfy { $0.replaced.service == $0.standing.service })
    #expect(report.replaced.contains { "\($0)".contains("ValidationTests.swift:\(first), is replaced at ") })
    // A child's report includes the containers that it searches.
    #expect(try await container.makeChild().validate().replaced.count == 3)
  }

  @Test func aReplacementByALaterCallIsNotListed() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe("initial") } }
    try await container.register { Registration(Probe.self) { _ in Probe("override") } }
    #expect(try await container.validate().replaced.isEmpty)
    try await container.register {
      Registration(Probe.self) { _ in Probe("one") }
      Registration(Probe.self) { _ in Probe("two") }
    }
    #expect(try await container.validate().replaced.count == 1)
    try await container.register(Probe.self) { _ in Probe("alone") }
    #expect(try await container.validate().replaced.isEmpty)
  }

  @Test func anErrorListsReplacedRegistrationsToo() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("one") }
      Registration(Probe.self) { _ in Probe("two") }
      Registration(Setting.self) { _ in Setting() }.eager()
    }
    let error = try #require(await #expect(throws: ValidationError.self) { try await container.validate() })
    #expect(error.problems.map(\.kind) == [.faultyRegistration] && error.replaced.count == 1)
    // A forbidden duplicate is a problem of its own.
    let strict = Container(configuration: .init(duplicates: .error)) {
      Registration(Probe.self) { _ in Probe("one") }
      Registration(Probe.self) { _ in Probe("two") }
    }
    let other = try #require(await #expect(throws: ValidationError.self) { try await strict.validate() })
    #expect(other.problems.map(\.kind) == [.faultyRegistration] && other.replaced.isEmpty)
  }

  @Test func rebuildingListsWhatTheClosureReplaces() async throws {
    let isTwice = Shelf(false)
    let container = Container {
      Registration(Probe.self) { _ in Probe("one") }
      if isTwice.value { Registration(Probe.self) { _ in Probe("two") } }
    }
    isTwice.value = true
    try await container.rebuild()
    #expect(try await container.validate().replaced.count == 1)
    isTwice.value = false
    try await container.rebuild()
    #expect(try await container.validate().replaced.isEmpty)
  }
}
