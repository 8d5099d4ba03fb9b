import ActorDITestSupport
import Testing

@testable import ActorDI

/// A service that records by which initialiser it was made.
private final class Made: Sendable {
  let by: String
  init() { by = "none" }
  init(_ alpha: Alpha) { by = "alpha" }
  init(_ alpha: Alpha, _ beta: Beta) { by = "alpha, beta" }
  init(_ number: Int) { by = "number" }
  init(_ alpha: Alpha, _ number: Int?) { by = number == nil ? "alpha, nil" : "alpha, number" }
}

private final class Voice: Greeter {
  let words: String
  init(_ words: String) { self.words = words }
  func greet() -> String { words }
}

@Suite("Several autowired initialisers of one service")
struct AlternativeTests {
  private static let alpha = Registration(Alpha.self) { _ in Alpha() }
  private static let beta = Registration(autowired: Beta.self, initializer: Beta.init)
  private static let none = Registration(autowired: Made.self) { () in Made() }.alternative()
  private static let one = Registration(autowired: Made.self) { (alpha: Alpha) in Made(alpha) }.alternative()
  private static let two = Registration(autowired: Made.self) { (alpha: Alpha, beta: Beta) in
    Made(alpha, beta)
  }.alternative()
  private static let number = Registration(autowired: Made.self) { (number: Int) in Made(number) }.alternative()

  @Test func theContainerChoosesTheLongestSatisfiableInitialiser() async throws {
    let container = Container {
      Self.one
      Self.two
      Self.none
      Self.alpha
    }
    #expect(try sync { try container.resolve(Made.self) }.by == "alpha")
    #expect(try sync { try container.resolve([Made].self) }.map(\.by) == ["alpha"])
    try await container.register(Self.beta)
    #expect(try sync { try container.resolve(Made.self) }.by == "alpha, beta")
    #expect(try await container.resolve(Made.self).by == "alpha, beta")
    await container.unregister(Alpha.self)
    #expect(try await container.resolve(Made.self).by == "none")
    #expect(container.registrationCount == 2)
  }

  @Test func equallyLongInitialisersAreAmbiguous() async throws {
    let container = Container {
      Self.one
      Self.number
      Self.alpha
      Registration(Int.self) { _ in 1 }
    }
    for error in [
      #expect(throws: ResolutionError.self) { try container.resolve(Made.self) },
      await #expect(throws: ResolutionError.self) { try await container.resolve(Made.self) },
    ] {
      #expect(error?.code == .ambiguous)
      #expect(error?.description.contains("(Alpha)") == true)
      #expect(error?.description.contains("(Int)") == true)
    }
    // The container recovers: one more parameter decides.
    try await container.register {
      Self.two
      Self.beta
    }
    #expect(try await container.resolve(Made.self).by == "alpha, beta")
  }

  @Test func anOptionalParameterCountsOnlyIfRegistered() async throws {
    let container = Container {
      Registration(autowired: Made.self) { (alpha: Alpha, number: Int?) in Made(alpha, number) }
      Self.two
      Self.alpha
    }
    #expect(try await container.resolve(Made.self).by == "alpha, nil")
    try await container.register(Self.beta)
    #expect(try await container.resolve(Made.self).by == "alpha, beta")
  }

  @Test func aCollectionCountsIfItHasElements() async throws {
    let container = Container {
      Registration(Made.self) { _ in Made() }
      Registration(autowired: Made.self) { (greeters: [String: any Greeter]) in Made(greeters.count) }.alternative()
      Registration((any Greeter).self) { _ in Polite() }.key(1)
    }
    #expect(try await asyncResolutionError { try await container.resolve(Made.self) }.code == .ambiguous)
    try await container.register((any Greeter).self, key: "a") { _ in Polite() }
    #expect(try await container.resolve(Made.self).by == "number")
    try await container.register(
      Registration(autowired: Made.self) { (_: [String: any Greeter], greeters: [any Greeter]) in Made(Alpha()) }
        .alternative())
    #expect(try await container.resolve(Made.self).by == "alpha", "All elements of the array have keys")
  }

  @Test func aContainerParameterIsAlwaysSatisfiable() throws {
    let container = Container {
      Registration(autowired: Made.self) { (_: Container) in Made() }
      Self.two
      Self.alpha
    }
    #expect(try container.resolve(Made.self).by == "none")
  }

  @Test func theErrorNamesTheMissingDependencyOfTheLongestInitialiser() throws {
    let container = Container {
      Self.two
      Self.number
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Made.self) }
    #expect(error?.code == .notRegistered)
    #expect(error?.path == ["Made", "Alpha"])
  }

  @Test func anAlternativeReplacesOneWithTheSameParameters() throws {
    let container = Container {
      Self.one
      Registration(autowired: Made.self) { (_: Alpha) in Made() }.alternative()
      Self.alpha
    }
    #expect(try container.resolve(Made.self).by == "none")
  }

  @Test(arguments: [DuplicatePolicy.replace, .error])
  func alternativesWithOtherFormsOfTheSameParametersStandSideBySide(policy: DuplicatePolicy) async throws {
    let container = Container(configuration: .init(duplicates: policy))
    try await container.register {
      Self.one
      Registration(autowired: Made.self) { (_: Owned<Alpha>, _: Int) in Made(1) }.alternative()
      Registration(autowired: Made.self) { (_: Alpha, _: Int) in Made(2) }.alternative()
      Registration(autowired: Made.self) { (_: Lazy<Alpha>, _: Int, _: Beta) in Made(3) }.alternative()
      Registration(autowired: Made.self) { (_: Provider<Alpha>, _: Int, _: Beta) in Made(4) }.alternative()
      Self.alpha
    }
    let binding = try #require(container.locate(ServiceIdentity(Made.self))).binding
    #expect(binding.candidates?.count == 5)
    #expect(try await container.resolve(Made.self).by == "alpha")
  }

  /// A fake replaces the service however it was registered.
  @Test func aRegistrationThatIsNoAlternativeReplacesAllAlternatives() async throws {
    let container = Container {
      Self.one
      Self.two
      Self.alpha
      Self.beta
    }
    try await container.register(Made.self) { _ in Made() }
    #expect(try await container.resolve(Made.self).by == "none")
    #expect(try await container.resolve([Made].self).count == 1)
    try await container.register {
      Self.one
      Self.two
    }
    #expect(try await container.resolve(Made.self).by == "alpha, beta")
    try await container.register(Registration(autowired: Made.self) { () in Made() })
    #expect(try await container.resolve(Made.self).by == "none")
    #expect(container.registrations.filter { $0.service == Made.self }.count == 1)
    try await container.autoregister(Made.self, initializer: { (alpha: Alpha) in Made(alpha) })
    #expect(try await container.resolve(Made.self).by == "alpha")
    try await container.autoregister(Made.self, initializer: { (_: Alpha, _: Beta) in Made() })
    #expect(try await container.resolve(Made.self).by == "none")
    try await container.withOverrides {
      Registration(autowired: Made.self) { (number: Int) in Made(number) }
      Registration(Int.self) { _ in 3 }
    } operation: {
      let made = try await container.resolve(Made.self)
      #expect(made.by == "number")
    }
  }

  @Test func aSingleAlternativeIsRegistered() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Self.one
      Self.alpha
      Registration(Setting.self) { _ in Setting(number: 4) }.alternative()
    }
    #expect(try await container.resolve(Made.self).by == "alpha")
    #expect(try await container.resolve(Setting.self).number == 4)
    #expect(container.dependencyGraph().nodes.allSatisfy { $0.kind == .registration })
  }

  @Test func aFactoryCountsAsAnInitialiserWithoutParameters() async throws {
    let container = Container {
      Registration(Made.self) { _ in Made() }
      Self.one
    }
    #expect(try await container.resolve(Made.self).by == "none")
    #expect(try sync { try container.resolve(Made.self) }.by == "none")
    try await container.register(Self.alpha)
    #expect(try await container.resolve(Made.self).by == "alpha")
    try await container.register(
      Registration(Made.self) { _ in
        await Task.yield()
        return Made(1)
      }.alternative())
    #expect(try await container.resolve(Made.self).by == "alpha")
    await container.unregister(Alpha.self)
    #expect(
      try await container.resolve(Made.self).by == "number", "The new factory replaced the one without parameters")
    #expect(try sync { try resolutionError { try container.resolve(Made.self) } }.code == .asyncRequired)
  }

  @Test func aFactoryCanBeAnAlternative() async throws {
    let container = Container {
      Self.two
      Registration(Made.self, scope: .singleton) { _ in Made() }.alternative()
      Self.alpha
    }
    let small = try await container.resolve(Made.self)
    #expect(small.by == "none")
    #expect(try sync { try container.resolve(Made.self) } === small)
    try await container.register(Self.beta)
    #expect(try await container.resolve(Made.self).by == "alpha, beta")
    try await container.validate()
  }

  @Test func alternativesReplaceAliasesOfTheType() async throws {
    let container = Container {
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(autowired: (any Greeter).self) { (_: Alpha) in Casual() }.alternative()
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 }
      Registration(autowired: (any Greeter).self) { (words: String) in ValueGreeter(words: words) }.alternative()
      Registration(String.self) { _ in "Ho" }
    }
    #expect(try await container.resolve((any Greeter).self).greet() == "Ho")
    #expect(try await container.resolve([any Greeter].self).map { $0.greet() } == ["Ho"])
    await container.unregister((any Greeter).self)
    #expect(try await container.resolve([any Greeter].self).map { $0.greet() } == ["Good day", "Hello"])
  }

  @Test func eachAlternativeKeepsItsOwnInstance() async throws {
    let container = Container {
      Self.one.scope(.singleton)
      Self.two.scope(.singleton)
      Self.alpha
    }
    let small = try await container.resolve(Made.self)
    #expect(try sync { try container.resolve(Made.self) } === small)
    #expect(container.resolveIfReady(Made.self) === small)
    try await container.register(Self.beta)
    let large = try await container.resolve(Made.self)
    #expect(large.by == "alpha, beta")
    await container.unregister(Beta.self)
    #expect(try await container.resolve(Made.self) === small)
    await container.reset()
    #expect(container.resolveIfReady(Made.self) == nil)
    #expect(try await container.resolve(Made.self) !== small)
  }

  @Test func unregisteringRemovesAllAlternatives() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(autowired: ObjectLifetime.Token.self, scope: .singleton) { (_: Alpha) in lifetime.token() }
      Registration(autowired: ObjectLifetime.Token.self, scope: .singleton) { (_: Beta) in lifetime.token() }
        .alternative()
      Self.alpha
    }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    #expect(await container.unregister(ObjectLifetime.Token.self))
    await lifetime.ended.wait()
    #expect(!container.contains(ObjectLifetime.Token.self))
  }

  @Test func alternativesCanTakeArguments() async throws {
    let container = Container {
      Registration(autowired: String.self, arguments: Int.self) { (_: Alpha, number: Int) in
        "alpha \(number)"
      }
      Registration(autowired: String.self, arguments: Int.self) { (_: Alpha, _: Beta, number: Int) in
        "alpha, beta \(number)"
      }.alternative()
      Self.alpha
    }
    #expect(try sync { try container.resolve(String.self, arguments: 1) } == "alpha 1")
    try await container.register(Self.beta)
    #expect(try await container.resolve(String.self, arguments: 2) == "alpha, beta 2")
  }

  @Test func alternativesAreNoDuplicates() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Self.one
      Self.two
    }
    let implicit = try await asyncResolutionError {
      try await container.autoregister(Made.self, initializer: { (number: Int) in Made(number) })
    }
    #expect(implicit.code == .duplicate)
    let inBuilder = try await asyncResolutionError {
      try await container.register { Registration(autowired: Made.self) { (number: Int) in Made(number) } }
    }
    #expect(inBuilder.code == .duplicate)
    let error = await #expect(throws: ResolutionError.self) {
      try await container.register(Self.two)
    }
    #expect(error?.code == .duplicate)
    await #expect(throws: ResolutionError.self) {
      try await container.register(Made.self) { _ in Made() }
    }
    try await container.register(Self.number)
  }

  @Test func aCycleThroughAlternativesIsDetected() throws {
    let container = Container {
      Registration(autowired: Root.self) { (leaf: Leaf) in Root(leaf) }
      Registration(autowired: Root.self) { (leaf: Leaf, _: Alpha) in Root(leaf) }.alternative()
      Registration(autowired: Leaf.self) { (root: Root) in Leaf(root) }
      Self.alpha
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Root.self) }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["Root", "Leaf", "Root"])
  }

  // A regression: a registration with run-time arguments, which an initialiser cannot pass, counted as well.
  @Test func aParameterThatNeedsArgumentsIsNotSatisfied() throws {
    let container = Container {
      Registration(Setting.self) { (_: Resolver, number: Int) in Setting(number: number) }
      Registration(autowired: Root.self) { () in Root() }
      Registration(autowired: Root.self) { (setting: Setting) in Root(setting) }.alternative()
    }
    #expect(try container.resolve(Root.self).next == nil)
  }

  @Test func anExplicitRegistrationOfARelationshipSatisfiesItsParameter() throws {
    let container = Container {
      Registration([Setting].self) { _ in [Setting(number: 7)] }
      Registration(autowired: Root.self) { () in Root() }
      Registration(autowired: Root.self) { (settings: [Setting]) in Root(settings) }.alternative()
    }
    #expect(try container.resolve(Root.self).next as? [Setting] == [Setting(number: 7)])
  }

  @Test func aParameterUnderAnInheritedKeyIsSatisfied() async throws {
    let container = Container {
      Registration(Beta.self) { _ in Beta(alpha: Alpha()) }
      Registration(Alpha.self) { _ in Alpha() }.key("red")
      Registration(autowired: Made.self) { (_: Beta) in Made() }.key("red").inheritKey()
      Registration(autowired: Made.self) { (alpha: Alpha, beta: Beta) in Made(alpha, beta) }.key("red").inheritKey()
        .alternative()
      Registration(autowired: Made.self) { (_: Beta, _: Alpha?, _: Alpha) in Made(0) }.key("red").alternative()
    }
    // An alternative that inherits no key lacks the parameter.
    #expect(try sync { try container.resolve(Made.self, key: "red") }.by == "alpha, beta")
    #expect(try await container.resolve(Made.self, key: "red").by == "alpha, beta")
  }

  // MARK: Aliases

  private static let polite = Registration(autowired: Voice.self, scope: .singleton) { (_: Alpha) in Voice("polite") }
  private static let loud = Registration(autowired: Voice.self, scope: .singleton) { (_: Alpha, _: Beta) in
    Voice("loud")
  }
  .alternative()

  /// Whoever asks by an alias gets what asking for its target would give, whichever alternative states the alias.
  @Test(arguments: [DuplicatePolicy.replace, .error], [[true, true], [true, false], [false, true]])
  func anAliasResolvesThroughTheChoice(policy: DuplicatePolicy, isStated: [Bool]) async throws {
    let container = Container(configuration: .init(duplicates: policy))
    try await container.register {
      isStated[0] ? Self.polite.implements((any Greeter).self) { $0 } : Self.polite
      isStated[1] ? Self.loud.implements((any Greeter).self) { $0 } : Self.loud
      Self.alpha
    }
    for words in ["polite", "loud"] {
      #expect(try sync { try container.resolve(Voice.self) }.words == words)
      #expect(try sync { try container.resolve((any Greeter).self) }.greet() == words)
      let greeter = try await container.resolve((any Greeter).self)
      #expect(greeter as? Voice === container.resolveIfReady(Voice.self))
      #expect(try await container.resolve([any Greeter].self).map { $0.greet() } == [words])
      #expect(findings(container) == [])
      if words == "polite" { try await container.register(Self.beta) }
    }
    let graph = container.dependencyGraph()
    let alias = try #require(graph.edges.first { $0.kind == .aliases })
    #expect(graph.nodes[alias.to].kind == .choice)
    await container.reset((any Greeter).self)
    #expect(container.resolveIfReady(Voice.self) == nil)
    #expect(await container.unregister(Voice.self))
    #expect(!container.contains((any Greeter).self))
  }

  @Test func aRebuildKeepsTheAliasOfTheRemainingAlternative() async throws {
    let isOn = Shelf(false)
    let app = Container {
      Self.polite.implements((any Greeter).self) { $0 }
      Self.loud.implements((any Greeter).self) { $0 }.when { isOn.value }
      Self.alpha
      Self.beta
    }
    let child = app.makeChild {
      Decorator((any Greeter).self) { _, inner in Voice("decorated \(inner.greet())") }
    }
    let voice = try await app.resolve(Voice.self)
    for words in ["polite", "loud", "polite"] {
      isOn.value = words == "loud"
      try await app.rebuild()
      #expect(try await app.resolve((any Greeter).self).greet() == words)
      #expect(app.registrations.count { $0.is((any Greeter).self) } == 1)
      let greeter = try await child.resolve((any Greeter).self)
      #expect(greeter.greet() == "decorated \(words)")
      #expect(try await child.resolve((any Greeter).self) as? Voice === greeter as? Voice)
    }
    #expect(try await app.resolve((any Greeter).self) as? Voice === voice)
  }

  @Test func anAliasFollowsAnAlternativeThatIsReplaced() async throws {
    let container = Container {
      Self.polite.implements((any Greeter).self) { $0 }
      Self.loud
      Self.alpha
    }
    try await container.register {
      Registration(autowired: Voice.self) { (_: Alpha) in Voice("new") }.alternative()
    }
    #expect(try await container.resolve(Voice.self).words == "new")
    // Only the replaced alternative has stated the alias.
    #expect(!container.contains((any Greeter).self))
  }
}
