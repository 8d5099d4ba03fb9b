import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Store: Sendable {}
private struct StoreBox: Store {}
private struct Databases: Sendable {}
private struct Database: Sendable {}
private enum Other {
  struct Database: Sendable {}
}

/// The alternatives that an error suggests.
@Suite("Suggestions")
struct SuggestionTests {
  private func suggestions<Service>(
    _ service: Service.Type, in container: Container
  ) throws -> [String] {
    try resolutionError { try sync { _ = try container.resolve(service) } }.suggestions
  }

  @Test func suggestionsBeginWithTheNearestSpellingOfAKey() throws {
    let container = Container {
      Registration(Setting.self) { _ in Setting() }.key("primary")
      Registration(Setting.self) { _ in Setting() }.key("replica")
      Registration(Setting.self) { _ in Setting() }.key("replicas")
      Registration(Alpha.self) { _ in Alpha() }.key("repilca")
    }
    let error = try resolutionError { try container.resolve(Setting.self, key: "replca") }
    #expect(error.code == .notRegistered)
    #expect(
      error.suggestions == [
        "Setting[\"replica\"]", "Setting[\"replicas\"]", "Setting[\"primary\"]",
      ])
    #expect(error.description.contains("Setting[\"replica\"]"))
  }

  @Test func suggestionsListTheRegistrationsOfTheType() throws {
    let container = Container {
      Registration(Setting.self) { _ in Setting() }.key(1)
      Registration(Setting.self) { _ in Setting() }.key("name")
    }
    #expect(try suggestions(Setting.self, in: container) == ["Setting[Int(1)]", "Setting[\"name\"]"])
    let keyed = Container { Registration(Setting.self) { _ in Setting() } }
    let error = try resolutionError { try keyed.resolve(Setting.self, key: "k") }
    #expect(error.suggestions == ["Setting"])
  }

  @Test func suggestionsIncludeParents() throws {
    let parent = Container { Registration(Setting.self) { _ in Setting() }.key("replica") }
    let child = Container(parent: parent)
    let error = try resolutionError { try child.resolve(Setting.self, key: "repica") }
    #expect(error.suggestions == ["Setting[\"replica\"]"])
  }

  @Test func equallyGoodSuggestionsAreInTheOrderOfTheSearch() throws {
    let parent = Container { Registration(Setting.self) { _ in Setting() }.key(1) }
    let child = Container(parent: parent) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Setting.self) { _ in Setting() }.key(2)
    }
    #expect(try suggestions(Setting.self, in: child) == ["Setting[Int(2)]", "Setting[Int(1)]"])
  }

  @Test func suggestionsAreLimited() throws {
    let container = Container {
      for number in 0..<100 { Registration(Setting.self) { _ in Setting() }.key(number) }
    }
    let count = try suggestions(Setting.self, in: container).count
    #expect((1...20).contains(count))
  }

  @Test func suggestionsExcludeTypesOfOtherNames() throws {
    let container = Container { Registration((any Store).self) { _ in StoreBox() } }
    #expect(try suggestions(Databases.self, in: container).isEmpty)
    #expect(try suggestions((any Store).self, in: Container()).isEmpty)
  }

  @Test func suggestionsIncludeTypesOfSimilarNames() throws {
    let container = Container {
      Registration(Databases.self) { _ in Databases() }
      Registration(Other.Database.self) { _ in Other.Database() }
      Registration(Alpha.self) { _ in Alpha() }
    }
    let found = try suggestions(Database.self, in: container)
    #expect(found.contains { $0.hasSuffix("Databases") })
    #expect(found.contains { $0.hasSuffix("Other.Database") })
    #expect(!found.contains { $0.contains("Alpha") })
  }

  @Test func suggestionsMatchAnExistentialWithAConcreteTypeOfItsName() throws {
    enum Inner {
      struct Greeter: Sendable {}
    }
    let concrete = Container { Registration(Inner.Greeter.self) { _ in Inner.Greeter() } }
    #expect(!(try suggestions((any Greeter).self, in: concrete)).isEmpty)
    let existential = Container { Registration((any Greeter).self) { _ in Polite() } }
    let found = try suggestions(Inner.Greeter.self, in: existential)
    #expect(found.count == 1)
    #expect(found.contains { $0.hasPrefix("any ") && $0.hasSuffix("Greeter") }, "\(found)")
  }

  @Test func suggestionsIncludeTypesWhoseNamesContainTheWords() throws {
    struct LiveGreeter: Sendable {}
    struct GreeterImpl: Sendable {}
    struct Greeterless: Sendable {}
    let container = Container {
      Registration(GreeterImpl.self) { _ in GreeterImpl() }
      Registration(LiveGreeter.self) { _ in LiveGreeter() }
      Registration(Greeterless.self) { _ in Greeterless() }
      Registration([LiveGreeter].self) { _ in [] }
      Registration([Polite].self) { _ in [] }
    }
    let found = try suggestions((any Greeter).self, in: container)
    #expect(found.map { $0.split(separator: ".").last } == ["GreeterImpl", "LiveGreeter"])
  }

  // MARK: Advice

  private func text<Service>(_ service: Service.Type, in container: Container) throws -> String {
    try resolutionError { try sync { _ = try container.resolve(service) } }.description
  }

  @Test func aMissingProtocolExplainsHowAConformingTypeCounts() throws {
    let advice =
      "A registration of a conforming type does not count: name (any Greeter).self in it, or add "
      + ".implements((any Greeter).self) { $0 }."
    #expect(try text((any Greeter).self, in: Container { Polite() }).contains(advice))
    #expect(try !text((any Greeter).self, in: Container()).contains("conforming"))
    #expect(try !text(Polite.self, in: Container { Casual() }).contains("conforming"))
    let keyed = Container { Registration((any Greeter).self) { _ in Polite() }.key("k") }
    #expect(try !text((any Greeter).self, in: keyed).contains("conforming"))
  }

  @Test func aParameterOfWhichOnlyKeysExistNamesTheWayToPassOne() throws {
    let advice = "A parameter is resolved without a key. Resolve it by its key in a factory closure."
    func container(_ hasKey: Bool, isAutowired: Bool) -> Container {
      Container {
        if hasKey { Registration(Alpha.self) { _ in Alpha() }.key("k") }
        if isAutowired {
          Registration(initializer: Beta.init)
        } else {
          Registration(Beta.self) { r in Beta(alpha: try r.resolve()) }
        }
      }
    }
    #expect(try text(Beta.self, in: container(true, isAutowired: true)).contains(advice))
    #expect(try !text(Beta.self, in: container(true, isAutowired: false)).contains(advice))
    #expect(try !text(Beta.self, in: container(false, isAutowired: true)).contains(advice))
  }

  // MARK: When they are looked up

  /// A key that counts its descriptions and comparisons.
  private struct CountingKey: Hashable, CustomStringConvertible {
    let number: Int
    let uses: Counter

    var description: String {
      uses.increment()
      return "\(number)"
    }
    static func == (left: Self, right: Self) -> Bool {
      left.uses.increment()
      return left.number == right.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test(arguments: [10, 1_000])
  func throwingTheErrorCostsNoSearch(count: Int) async throws {
    let uses = Counter()
    let parent = Container {
      for number in 0..<count {
        Registration(Setting.self) { _ in Setting() }.key(CountingKey(number: number, uses: uses))
      }
      Registration(initializer: Beta.init)
    }
    let child = parent.makeChild()
    let before = uses.count
    let errors = [
      try resolutionError { try child.resolve(Setting.self) },
      try resolutionError { try child.resolve(Setting.self, key: CountingKey(number: -1, uses: uses)) },
      try await asyncResolutionError { try await child.resolve(Setting.self, key: "k") },
      try resolutionError { try child.resolve(Beta.self) },
    ]
    #expect(uses.count == before)
    #expect(errors.map(\.code) == Array(repeating: .notRegistered, count: 4))
    #expect(errors[0].description.contains("Setting[CountingKey(0)]"))
    #expect(uses.count > before)
    // The text describes the registrations of its time.
    try await parent.register(Registration(Setting.self) { _ in Setting() }.key("kk"))
    #expect(errors[2].suggestions.first == "Setting[\"kk\"]")
  }

  @Test func anErrorThatOutlivesItsContainerStillSuggests() async throws {
    func error(isShutDown: Bool) async throws -> (ResolutionError, () -> Container?) {
      let container = Container(name: "gone") {
        Registration(Setting.self) { _ in Setting() }.key("replica")
        Registration(Probe.self) { _ in Probe() }
      }
      let child = container.makeChild()
      let error = try resolutionError { try child.resolve(Setting.self, key: "repica") }
      if isShutDown { try await container.shutdown() }
      return (error, { [weak container] in container })
    }
    for isShutDown in [false, true] {
      let (error, container) = try await error(isShutDown: isShutDown)
      try await until { container() == nil }
      #expect(error.suggestions == ["Setting[\"replica\"]"])
      #expect(error.description.contains("Setting[\"repica\"] is not registered in container \"child\"."))
    }
  }

  @Test func theAdviceIsLookedUpWhenTheTextIsRead() async throws {
    let autowiring = "If the parameter has a default value: autowiring ignores it."
    let container = Container { Registration(Beta.self) { r in Beta(alpha: try r.resolve()) } }
    let error = try resolutionError { try sync { try container.resolve(Beta.self) } }
    #expect(!error.description.contains(autowiring))
    try await container.register(Registration(initializer: Beta.init))
    #expect(error.description.contains(autowiring))
    // A container that has ended leaves what the text needs.
    let ofScope = try await asyncResolutionError {
      try await container.withScope {
        Registration(initializer: Gamma.init)
        Registration(initializer: Beta.init)
      } operation: { scope in
        _ = try await scope.resolve(Gamma.self)
      }
    }
    #expect(ofScope.description.contains("Register Beta with a factory closure"))
    try await container.shutdown()
    #expect(error.description.contains(autowiring))
  }

  @Test func aSuggestionAppearsOnce() throws {
    let parent = Container { Registration(Setting.self) { _ in Setting() }.key("a") }
    let child = Container(parent: parent) { Registration(Setting.self) { _ in Setting() }.key("a") }
    #expect(try resolutionError { try child.resolve(Setting.self, key: "b") }.suggestions == ["Setting[\"a\"]"])
    let aliases = Container {
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(Casual.self) { _ in Casual() }.implements((any Greeter).self) { $0 }
    }
    #expect(try resolutionError { try aliases.resolve((any Greeter).self, key: "b") }.suggestions == ["any Greeter"])
  }

  @Test func anErrorReleasesTheCapturesOfItsContainer() async throws {
    let lifetime = ObjectLifetime()
    func error() throws -> ResolutionError {
      let token = lifetime.token()
      let container = Container { Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in token } }
      _ = try container.resolve(ObjectLifetime.Token.self)
      return try resolutionError { try container.resolve(Setting.self) }
    }
    let held = try error()
    await lifetime.ended.wait()
    #expect(held.suggestions.isEmpty)
  }

  @Test func anOptionalOfTheTypeIsNamed() throws {
    let container = Container {
      Registration(Int?.self) { _ in 1 }
      Registration((any Greeter)?.self) { _ in Polite() }
    }
    let error = try resolutionError { try container.resolve(Int.self) }
    #expect(error.suggestions == ["Int?"])
    #expect(error.description.contains("Registered: Int?"))
    #expect(try suggestions((any Greeter).self, in: container) == ["(any Greeter)?"])
  }
}
