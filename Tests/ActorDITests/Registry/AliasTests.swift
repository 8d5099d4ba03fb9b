import ActorDITestSupport
import Testing

@testable import ActorDI

/// Several registrations that are aliased to one type by `implements`.
@Suite("Aliases of one type", .timeLimit(.minutes(5)))
struct AliasTests {
  /// A `ValueGreeter` that is also registered as `any Greeter`.
  private static func greeter(_ words: String) -> Registration<ValueGreeter> {
    Registration(ValueGreeter.self, scope: .singleton) { _ in ValueGreeter(words: words) }
      .key(words).implements((any Greeter).self) { $0 }
  }

  private static var polite: Registration<Polite> {
    Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
  }

  private static var casual: Registration<Casual> {
    Registration(Casual.self, scope: .singleton) { _ in Casual() }.implements((any Greeter).self) { $0 }
  }

  private func all(_ container: Container, key: String? = nil) async throws -> [String] {
    let asynchronous =
      if let key {
        try await container.resolve([any Greeter].self, key: key)
      } else {
        try await container.resolve([any Greeter].self)
      }
    let synchronous = try sync {
      if let key { return try container.resolve([any Greeter].self, key: key) }
      return try container.resolve([any Greeter].self)
    }
    #expect(asynchronous.map { $0.greet() } == synchronous.map { $0.greet() })
    return synchronous.map { $0.greet() }
  }

  private func last(_ container: Container) async throws -> String {
    let word = try await container.resolve((any Greeter).self).greet()
    #expect(try sync { try container.resolve((any Greeter).self) }.greet() == word)
    return word
  }

  @Test func anArrayHoldsAllAliasesAndAResolveReturnsTheLast() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    #expect(try await all(container) == ["Good day", "Hi"])
    #expect(try await last(container) == "Hi")
    #expect(container.registrationCount == 4)
    #expect(
      try await container.resolve([any Greeter].self)[0] as? Polite === sync { try container.resolve(Polite.self) })
    #expect(try await container.resolve((any Greeter).self) as? Casual === sync { try container.resolve(Casual.self) })
  }

  @Test func aliasesCanShareAKey() async throws {
    let container = Container {
      Self.polite.key("k")
      Self.casual.key("k")
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self, key: "k") { $0 }
      Self.greeter("Hey")
    }
    #expect(try await all(container, key: "k") == ["Good day", "Hi", "Hello"])
    #expect(try await all(container) == ["Good day", "Hi", "Hello", "Hey"])
    #expect(try await container.resolve((any Greeter).self, key: "k").greet() == "Hello")
    await container.unregister(ValueGreeter.self)
    #expect(try await container.resolve((any Greeter).self, key: "k").greet() == "Hi")
  }

  @Test func unregisteringTheLastAliasRestoresTheOneBefore() async throws {
    let container = Container {
      Self.polite
      Self.casual
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 }
    }
    #expect(try await last(container) == "Hello")
    #expect(await container.unregister(ValueGreeter.self))
    #expect(try await last(container) == "Hi")
    await container.unregister(Casual.self)
    #expect(try await last(container) == "Good day")
    #expect(try await all(container) == ["Good day"])
    await container.unregister(Polite.self)
    #expect(!container.contains((any Greeter).self))
    #expect(try await all(container) == [])
    #expect(container.registrationCount == 0)
  }

  @Test func unregisteringAMiddleAliasKeepsTheOthers() async throws {
    let container = Container {
      Self.polite
      Self.casual
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 }
    }
    await container.unregister(Casual.self)
    #expect(try await all(container) == ["Good day", "Hello"])
    #expect(try await last(container) == "Hello")
    await container.unregister(ValueGreeter.self)
    #expect(try await last(container) == "Good day")
  }

  @Test func unregisteringTheTypeRemovesTheLastAlias() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    #expect(await container.unregister((any Greeter).self))
    #expect(try await last(container) == "Good day")
    #expect(try await container.resolve(Casual.self).greet() == "Hi")
    #expect(await container.unregister((any Greeter).self))
    #expect(await !container.unregister((any Greeter).self))
    #expect(try await all(container) == [])
    #expect(container.registrationCount == 2)
  }

  @Test func reregisteringATargetMovesItsAliasToTheEnd() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    try await container.register(
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 })
    #expect(try await all(container) == ["Hi", "Good day"])
    #expect(try await last(container) == "Good day")
    // A replacement removes the original with its aliases.
    try await container.register(Polite.self) { _ in Polite() }
    #expect(try await all(container) == ["Hi"])
    #expect(try await last(container) == "Hi")
  }

  @Test func aRegistrationOfTheTypeHidesEarlierAliases() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    try await container.register((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    #expect(try await all(container) == ["Fake"])
    #expect(try await container.resolve(Polite.self).greet() == "Good day")
    try await container.register(
      Registration(Probe.self) { _ in Probe() }.implements((any Greeter).self) { _ in ValueGreeter(words: "Later") })
    #expect(try await all(container) == ["Fake", "Later"])
    #expect(try await last(container) == "Later")
    await container.unregister(Probe.self)
    #expect(try await last(container) == "Fake")
    try await container.register((any Greeter).self) { _ in ValueGreeter(words: "Second") }
    #expect(try await all(container) == ["Second"])
    #expect(await container.unregister((any Greeter).self))
    #expect(try await all(container) == ["Good day", "Hi"])
    #expect(try await last(container) == "Hi")
    try await container.register((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    await container.unregister(Casual.self)
    await container.unregister((any Greeter).self)
    #expect(try await last(container) == "Good day", "Unregistering a service removes its hidden alias")
  }

  /// An alias without a key has the key of its registration, also one that a modifier or a group adds later.
  @Test func anAliasThatIsTheRegistrationItselfIsRefused() async throws {
    let polite = Registration((any Greeter).self) { _ in Polite() }
    let faulty: [Registrations] = [
      Registrations { polite.implements((any Greeter).self) { $0 } },
      Registrations { polite.key("k").implements((any Greeter).self) { $0 } },
      Registrations { polite.implements((any Greeter).self) { $0 }.key("k") },
      Registrations { RegistrationGroup(key: "k") { polite.implements((any Greeter).self, key: "k") { $0 } } },
    ]
    for (index, registrations) in faulty.enumerated() {
      let container = Container()
      let error = try await asyncResolutionError { try await container.register { registrations } }
      #expect(error.code == .invalidRegistration)
      let name = index == 0 ? "any Greeter" : "any Greeter[\"k\"]"
      #expect(error.description.contains("The alias \(name) is the registration itself."))
      #expect(container.registrationCount == 0)
      let initial = Container { registrations }
      #expect(initial.registrationCount == 1)
      #expect(problems(of: initial).map(\.kind) == [.faultyRegistration])
    }
    let other = Container { polite.implements((any Greeter).self, key: "k") { $0 } }
    #expect(try await all(other) == ["Good day", "Good day"])
    #expect(problems(of: other).isEmpty)
  }

  /// A long list compares its elements in another way.
  @Test(arguments: [1, 3, 16, 17, 40])
  func anArrayHoldsTheAliasesOfAnyNumberOfServices(count: Int) async throws {
    let words = (0..<count).map { "\($0)" }
    let container = Container { for word in words { Self.greeter(word) } }
    let child = container.makeChild { Registration(Int.self) { _ in 1 } }
    for container in [container, child] {
      for word in words { #expect(try await all(container, key: word) == [word]) }
      #expect(try await all(container) == words)
    }
    // A second alias of one registration under one key is hidden by the later one.
    try await container.register { Self.casual.implements((any Greeter).self) { _ in ValueGreeter(words: "second") } }
    #expect(try await all(container) == words + ["second"])
    #expect(try await all(child) == words + ["second"])
    // So is an alias of a registration that a child replaces.
    let other = container.makeChild { Self.greeter("0") }
    #expect(try await all(other) == words.dropFirst() + ["second", "0"])
  }

  // A regression: an asynchronous caller tried the target without suspending, and then made it again.
  @Test(arguments: [Scope.transient, .graph, .shared])
  func anAliasWhoseTargetNeedsMoreThanItsFactoryIsMadeOnce(scope: Scope) async throws {
    let runs = Counter()
    let container = Container {
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(Polite.self, scope: scope) { _ in
        runs.increment()
        return Polite()
      }
      .onCreated { _, r in _ = try r.resolve(Alpha.self) }
      .implements((any Greeter).self) { $0 }
    }
    for run in 1...3 {
      let error = try await asyncResolutionError { try await container.resolve((any Greeter).self) }
      #expect(error.code == .asyncRequired)
      #expect(runs.count == run)
    }
  }

  // A regression: an asynchronous resolve by the alias ran the factory twice.
  @Test(arguments: [Scope.transient, .singleton, .scoped, .graph])
  func aFactoryThatNeedsAnAsynchronousServiceRunsOnce(scope: Scope) async throws {
    let runs = Counter()
    let container = Container {
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(Polite.self, scope: scope) { r in
        runs.increment()
        _ = try r.resolve(Alpha.self)
        return Polite()
      }
      .implements((any Greeter).self) { $0 }
    }
    for run in 1...3 {
      let error = try await asyncResolutionError { try await container.resolve((any Greeter).self) }
      #expect(error.code == .asyncRequired && error.service == Alpha.self)
      #expect(error.path.map(\.description) == ["any Greeter", "Polite", "Alpha"])
      #expect(runs.count == run)
    }
  }

  @Test func aProviderFollowsTheLastAlias() async throws {
    let container = Container { Self.polite }
    let provider = container.provider(for: (any Greeter).self)
    #expect(try provider.synchronously().greet() == "Good day")
    try await container.register(Self.casual)
    #expect(try provider.synchronously().greet() == "Hi")
    await container.unregister(Casual.self)
    #expect(try provider.synchronously().greet() == "Good day")
    #expect(container.resolveIfReady((any Greeter).self)?.greet() == "Good day")
  }

  @Test func aResolveByALiteralKeyFollowsTheLastAlias() async throws {
    let container = Container { Self.polite.key("k") }
    func resolve() throws -> String { try container.resolve((any Greeter).self, key: "k").greet() }
    #expect(try sync { try resolve() } == "Good day")
    try await container.register(Self.casual.key("k"))
    #expect(try sync { try resolve() } == "Hi")
    await container.unregister(Casual.self, key: "k")
    #expect(try sync { try resolve() } == "Good day")
    await container.unregister(Polite.self, key: "k")
    #expect(throws: ResolutionError.self) { try sync { try resolve() } }
  }

  @Test func aliasesWithArgumentsAreSeparate() async throws {
    let container = Container {
      Registration(Polite.self) { (_, _: Int) in Polite() }.implements((any Greeter).self) { $0 }
      Registration(ValueGreeter.self) { (_, number: Int) in ValueGreeter(words: "\(number)") }
        .implements((any Greeter).self) { $0 }
      Self.casual
    }
    #expect(
      try await container.resolve([any Greeter].self, arguments: 4).map { $0.greet() } == ["Good day", "4"])
    #expect(try await all(container) == ["Hi"])
    #expect(await container.unregister((any Greeter).self), "Unregistering ignores arguments")
    #expect(try await container.resolve([any Greeter].self, arguments: 4).map { $0.greet() } == ["Good day"])
  }

  @Test func anArrayIncludesAliasesOfParentsAndLinks() async throws {
    let parent = Container { Self.polite }
    let linked = Container {
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 }
    }
    let container = Container(parent: parent) { Self.casual }
    let link = container.link(linked)
    #expect(try await all(container) == ["Good day", "Hello", "Hi"])
    #expect(try await last(container) == "Hi")
    // The nearer registration with the same alias replaces the farther one.
    try await container.register(
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { _ in Casual() })
    #expect(try await all(container) == ["Hello", "Hi", "Hi"])
    // A registration hides farther ones, but not those registered later.
    try await container.register((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    try await container.register(Self.casual)
    #expect(try await all(container) == ["Fake", "Hi"])
    link.cancel()
  }

  @Test func anOverrideReplacesTheAliasOfItsService() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    try await container.withOverrides {
      Registration(Casual.self) { _ in Casual() }.implements((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    } operation: {
      let (words, word) = (try await all(container), try await last(container))
      #expect(words == ["Good day", "Fake"] && word == "Fake")
    }
    try await container.withOverrides {
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    } operation: {
      let words = try await all(container)
      #expect(words == ["Fake"])
    }
    #expect(try await all(container) == ["Good day", "Hi"])
  }

  @Test func aDecoratorWrapsEachAlias() async throws {
    let container = Container { Self.polite }
    try await container.register(Self.casual)
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    try await container.register(
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 })
    #expect(try await all(container) == ["Good day!", "Hi!", "Hello!"])
    await container.unregister(ValueGreeter.self)
    #expect(try await last(container) == "Hi!")
    await container.unregister(Polite.self)
    #expect(try await all(container) == ["Hi!"])
    try await container.register(Self.polite)
    try await container.register(Self.casual)
    #expect(try await all(container) == ["Good day!", "Hi!"])
    await container.unregister(Casual.self)
    #expect(try await last(container) == "Good day!")
  }

  @Test func popRestoresTheOrderOfAliases() async throws {
    let container = Container {
      Self.polite
      Self.casual
    }
    let before = container.registrations.map(\.description)
    await container.push()
    await container.unregister(Casual.self)
    try await container.register(
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 })
    try await container.register(Self.casual)
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    #expect(try await all(container) == ["Good day!", "Hello!", "Hi!"])
    #expect(await container.pop())
    #expect(try await all(container) == ["Good day", "Hi"])
    #expect(try await last(container) == "Hi")
    #expect(container.registrations.map(\.description) == before)
    await container.push()
    await container.unregister(Polite.self)
    #expect(await container.pop())
    #expect(try await last(container) == "Hi")
    await container.push()
    try await container.register((any Greeter).self) { _ in ValueGreeter(words: "Fake") }
    #expect(await container.pop())
    #expect(try await all(container) == ["Good day", "Hi"])
  }

  @Test func rebuildingKeepsTheBuildersOrderOfAliases() async throws {
    let names = Lock<Set<String>>(["polite", "casual"])
    let container = Container {
      if names.withLock({ $0.contains("polite") }) { Self.polite }
      if names.withLock({ $0.contains("value") }) {
        Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self) { $0 }
      }
      if names.withLock({ $0.contains("casual") }) { Self.casual }
    }
    func rebuild(_ new: Set<String>) async throws -> [String] {
      names.withLock { $0 = new }
      try await container.rebuild()
      let words = try await all(container)
      if let found = words.last { #expect(try await last(container) == found) }
      return words
    }
    #expect(try await rebuild(["polite", "value", "casual"]) == ["Good day", "Hello", "Hi"])
    #expect(try await rebuild(["polite", "value"]) == ["Good day", "Hello"])
    #expect(try await rebuild(["casual", "value"]) == ["Hello", "Hi"])
    #expect(try await rebuild(["casual"]) == ["Hi"])
    #expect(try await rebuild([]) == [])
    #expect(try await rebuild(["polite", "casual"]) == ["Good day", "Hi"])
    #expect(container.registrationCount == 4)
  }

  @Test func rebuildingRemovesAnAlias() async throws {
    let isSaid = Lock(true)
    let container = Container {
      Self.polite
      if isSaid.withLock({ $0 }) { Self.casual } else { Registration(Casual.self) { _ in Casual() } }
    }
    isSaid.withLock { $0 = false }
    try await container.rebuild()
    #expect(try await all(container) == ["Good day"])
    #expect(try await last(container) == "Good day")
  }

  @Test func aRegistrationBesideAnAliasIsADuplicateButASecondAliasIsNot() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Self.polite
      Self.casual
    }
    #expect(try await all(container) == ["Good day", "Hi"])
    let error = try await asyncResolutionError {
      try await container.register((any Greeter).self) { _ in ValueGreeter() }
    }
    #expect(error.code == .duplicate)
    let twice = try await asyncResolutionError {
      try await container.register(
        Registration(ValueGreeter.self) { _ in ValueGreeter() }
          .implements((any Greeter).self) { $0 }.implements((any Greeter).self) { $0 })
    }
    #expect(twice.code == .duplicate)
    #expect(container.registrationCount == 4)
  }

  @Test func ifNotRegisteredAddsAnAliasOfANewService() async throws {
    let container = Container {
      Self.polite
      Registration((any Greeter).self) { _ in ValueGreeter() }.ifNotRegistered()
      Self.casual.ifNotRegistered()
      Self.polite.ifNotRegistered()
    }
    #expect(try await all(container) == ["Good day", "Hi"])
  }

  @Test func ifNotRegisteredIgnoresTheAliasOfARegistrationThatTheBatchReplaces() async throws {
    let container = Container { Self.polite }
    try await container.register {
      Registration(Polite.self) { _ in Polite() }
      Registration((any Greeter).self) { _ in ValueGreeter() }.ifNotRegistered()
    }
    #expect(try await container.resolve((any Greeter).self) is ValueGreeter)
    #expect(container.registrationCount == 2)
  }

  @Test func resettingTheTypeDropsOnlyTheLastAliasesInstance() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Self.casual
    }
    let polite = try await container.resolve(Polite.self)
    let casual = try await container.resolve(Casual.self)
    await container.reset((any Greeter).self)
    #expect(try await container.resolve(Polite.self) === polite)
    #expect(try await container.resolve(Casual.self) !== casual)
    await container.reset()
    let elements = try await container.resolve([any Greeter].self)
    #expect(elements[0] as? Polite !== polite)
    #expect(try await elements[0] as? Polite === container.resolve(Polite.self))
    await container.unregister(Casual.self)
    #expect(try await container.resolve((any Greeter).self) as? Polite === elements[0] as? Polite)
  }

  @Test func theDependencyGraphShowsAllAliases() async throws {
    let container = Container {
      Self.polite
      Self.casual
      Registration(autowired: Int.self) { (all: [any Greeter]) in all.count }
    }
    try await container.validate()
    let graph = container.dependencyGraph()
    let aliases = graph.nodes.filter { $0.kind == .alias }
    #expect(aliases.count == 2)
    let counter = try #require(graph.nodes.first { $0.service == Int.self })
    #expect(graph.edges.filter { $0.from == counter.id }.map(\.to) == aliases.map(\.id))
    #expect(try await container.resolve(Int.self) == 2)
  }

  @Test func concurrentResolvesFindAnAliasDuringChanges() async throws {
    let container = Container { Self.polite }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<200 {
          try await container.register(Self.casual)
          await container.unregister(Casual.self)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<400 {
            let all = try await container.resolve([any Greeter].self).map { $0.greet() }
            #expect(all.first == "Good day" && all.count <= 2)
            let found = try sync { try container.resolve((any Greeter).self) }.greet()
            #expect(found == "Good day" || found == "Hi")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await last(container) == "Good day")
  }
}
