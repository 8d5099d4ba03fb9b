import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private enum Tone: Hashable, Sendable { case low, high(Int) }

private struct Menu: Sendable {
  let greeters: [String: any Greeter]
  let byNumber: [Int: any Greeter]
}

private final class Switchboard: Greeter {
  private let lines: [String: any Greeter]
  init(lines: [String: any Greeter]) { self.lines = lines }
  func greet() -> String {
    lines.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.greet())" }.joined(separator: ", ")
  }
}

private struct FirstModule: Module {
  var registrations: Registrations {
    Registration((any Greeter).self) { _ in Polite() }.key("polite")
  }
}

private struct SecondModule: Module {
  var registrations: Registrations {
    RegistrationGroup(key: "casual") {
      Registration(Casual.self, scope: .singleton) { _ in Casual() }.implements((any Greeter).self) { $0 }
    }
  }
}

/// A key that counts how often it is hashed.
private struct CountedKey: Hashable, Sendable {
  static let hashes = Atomic<Int>(0)
  let number: Int
  func hash(into hasher: inout Hasher) {
    Self.hashes.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}

/// `[Key: T]` as a service: the registrations of `T` whose keys are of one type.
@Suite("Dictionaries of services", .timeLimit(.minutes(5)))
struct RelationshipDictionaryTests {
  private func both<Key: Hashable>(
    _ type: [Key: any Greeter].Type, in container: Container
  ) async throws -> [Key: String] {
    let asynchronous = try await container.resolve(type).mapValues { $0.greet() }
    let synchronous = try sync { try container.resolve(type) }.mapValues { $0.greet() }
    #expect(asynchronous == synchronous)
    return synchronous
  }

  @Test func aDictionaryWithoutRegistrationsIsEmpty() async throws {
    let container = Container { Registration((any Greeter).self) { _ in Polite() } }
    #expect(try await both([String: any Greeter].self, in: container).isEmpty)
    #expect(try await container.resolve([String: any Greeter].self, key: "k").isEmpty)
  }

  @Test func aDictionaryHoldsTheRegistrationsWithKeysOfItsType() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in Polite() }
      Registration((any Greeter).self) { _ in Polite() }.key("a")
      Registration((any Greeter).self) { _ in Casual() }.key(1)
      Registration(ValueGreeter.self) { _ in ValueGreeter() }.implements((any Greeter).self, key: "b") { $0 }
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Low") }.key(Tone.low)
      Registration((any Greeter).self) { _ in ValueGreeter(words: "High") }.key(Tone.high(2))
    }
    #expect(try await both([String: any Greeter].self, in: container) == ["a": "Good day", "b": "Hello"])
    #expect(try await both([Int: any Greeter].self, in: container) == [1: "Hi"])
    #expect(try await both([Tone: any Greeter].self, in: container) == [.low: "Low", .high(2): "High"])
    let all = try await container.resolve([AnyHashable: any Greeter].self)
    #expect(all.count == 5)
    #expect(all[Tone.high(2)]?.greet() == "High")
    #expect(try await container.resolve([String: any Greeter].self, key: "b").map(\.key) == ["b"])
  }

  @Test func aFurtherDictionaryHashesNoKey() async throws {
    let container = Container {
      for number in 0..<20 {
        Registration((any Greeter).self) { _ in ValueGreeter(words: "\(number)") }.key(CountedKey(number: number))
      }
    }
    _ = try await container.resolve([CountedKey: any Greeter].self)
    let hashes = CountedKey.hashes.load(ordering: .relaxed)
    let dictionary = try sync { try container.resolve([CountedKey: any Greeter].self) }
    let later = try await container.resolve([CountedKey: any Greeter].self)
    #expect(CountedKey.hashes.load(ordering: .relaxed) == hashes)
    for number in 0..<20 {
      #expect(dictionary[CountedKey(number: number)]?.greet() == "\(number)")
      #expect(later[CountedKey(number: number)]?.greet() == "\(number)")
    }
    #expect(dictionary.count == 20 && later.count == 20)
  }

  @Test func theLaterOfTwoKeysThatAreEqualInTheDictionaryWins() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Int") }.key(1)
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Int8") }.key(Int8(1))
    }
    for _ in 1...2 {
      let all = try await both([AnyHashable: any Greeter].self, in: container)
      #expect(all == [1: "Int8"])
    }
  }

  @Test func modulesLinksAndParentsAddElements() async throws {
    let parent = Container { Registration((any Greeter).self) { _ in ValueGreeter(words: "Parent") }.key("parent") }
    let linked = Container { Registration((any Greeter).self) { _ in ValueGreeter(words: "Linked") }.key("linked") }
    let container = Container(parent: parent) {
      FirstModule()
      SecondModule()
    }
    container.link(linked)
    #expect(
      try await both([String: any Greeter].self, in: container)
        == ["parent": "Parent", "linked": "Linked", "polite": "Good day", "casual": "Hi"])
  }

  @Test func eachElementIsTheServiceThatAResolveByItsKeyReturns() async throws {
    @Sendable func greeter(_ words: String) -> Registration<ValueGreeter> {
      Registration(ValueGreeter.self) { _ in ValueGreeter(words: words) }.key(words).implements(
        (any Greeter).self, key: "k"
      ) { $0 }
    }
    let parent = Container { greeter("parent") }
    let (first, second) = (Container { greeter("first") }, Container { greeter("second") })
    let container = Container(parent: parent)
    func check(_ words: String) async throws {
      #expect(try await both([String: any Greeter].self, in: container)["k"] == words)
      #expect(try await container.resolve((any Greeter).self, key: "k").greet() == words)
    }
    try await check("parent")
    container.link(first)
    container.link(second)
    try await check("first")
    try await container.register {
      greeter("one")
      greeter("two")
    }
    try await check("two")
    #expect(try await container.resolve([any Greeter].self, key: "k").count == 5)
    await container.unregister(ValueGreeter.self, key: "two")
    try await check("one")
    try await container.withOverrides {
      Registration((any Greeter).self) { _ in ValueGreeter(words: "fake") }.key("k")
    } operation: {
      try await check("fake")
    }
    try await check("one")
  }

  @Test func decoratorsAndConditionsApplyToElements() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in Polite() }.key("a")
      Registration((any Greeter).self) { _ in Casual() }.key("b").when { false }
    }
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    #expect(try await both([String: any Greeter].self, in: container) == ["a": "Good day!"])
  }

  @Test func aDictionaryCanBeAParameter() async throws {
    let container = Container {
      Registration(autowired: Menu.self, initializer: Menu.init)
      Registration((any Greeter).self) { _ in Polite() }.key("a")
      Registration((any Greeter).self) { _ in Casual() }.key(7)
      Registration((any Greeter).self) { _ in
        await Task.yield()
        return ValueGreeter()
      }.key(8)
    }
    let menu = try await container.resolve(Menu.self)
    #expect(menu.greeters.map(\.key) == ["a"] && Set(menu.byNumber.keys) == [7, 8])
    #expect(try sync { try resolutionError { try container.resolve(Menu.self) } }.code == .asyncRequired)
    #expect(
      try sync { try container.resolve([String: any Greeter].self) }.count == 1,
      "Only elements with keys of the type are built")
  }

  @Test func aDictionaryTakesArguments() async throws {
    let container = Container {
      Registration((any Greeter).self) { (_, words: String) in ValueGreeter(words: words) }.key("a")
      Registration((any Greeter).self) { _ in Polite() }.key("b")
    }
    let greeters = try await container.resolve([String: any Greeter].self, arguments: "Ho")
    #expect(greeters.mapValues { $0.greet() } == ["a": "Ho"])
  }

  @Test func aRegistrationOfTheDictionaryTypeOverridesTheCollection() async throws {
    let container = Container {
      Registration(Int.self) { _ in 1 }.key("a")
      Registration([String: Int].self) { _ in ["b": 2] }
    }
    #expect(try await container.resolve([String: Int].self) == ["b": 2])
    #expect(try await container.resolve([String: Int]?.self) == ["b": 2])
  }

  @Test func otherRelationshipsCanHoldADictionary() async throws {
    let container = Container { Registration(Int.self) { _ in 1 }.key("a") }
    #expect(try await container.resolve(Lazy<[String: Int]>.self)() == ["a": 1])
    #expect(try await container.resolve([String: Int]?.self) == ["a": 1])
    let provider = try await container.resolve(Provider<[String: Int]>.self)
    try await container.register(Int.self, key: "b") { _ in 2 }
    #expect(try await provider() == ["a": 1, "b": 2])
    @Injected(from: container) var injected: [String: Int]
    #expect(injected == ["a": 1, "b": 2])
  }

  @Test func elementsShareTheCallsGraph() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(autowired: Beta.self, initializer: Beta.init).key("a")
      Registration(autowired: Beta.self, initializer: Beta.init).key("b")
    }
    let betas = try await container.resolve([String: Beta].self)
    #expect(betas.count == 2 && betas["a"]?.alpha === betas["b"]?.alpha)
    let others = try sync { try container.resolve([String: Beta].self) }
    #expect(others["a"]?.alpha === others["b"]?.alpha && others["a"]?.alpha !== betas["a"]?.alpha)
  }

  @Test func aFailingElementFailsTheDictionary() async throws {
    let container = Container {
      Registration(Int.self) { _ in 1 }.key("a")
      Registration(Int.self) { _ -> Int in throw Boom(number: 6) }.key("bad")
    }
    await #expect(throws: Boom(number: 6)) { try await container.resolve([String: Int].self) }
    #expect(throws: Boom(number: 6)) { try sync { try container.resolve([String: Int].self) } }
  }

  @Test func aCompositesOwnDictionaryOmitsIt() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in Polite() }.key("a")
      Registration(autowired: (any Greeter).self, scope: .singleton, initializer: Switchboard.init).key("all")
    }
    #expect(try await container.resolve((any Greeter).self, key: "all").greet() == "a: Good day")
    #expect(try await container.resolve([String: any Greeter].self).count == 2)
    try await container.validate()
  }

  @Test func analysisSeesItsElementsAlone() async throws {
    let container = Container {
      Registration(autowired: Switchboard.self, initializer: Switchboard.init)
      Registration((any Greeter).self) { _ in Polite() }.key("a").dependsOn(Alpha.self)
      Registration((any Greeter).self) { _ in Casual() }.key(7).dependsOn(Beta.self)
      Registration((any Greeter).self) { _ in Casual() }.dependsOn(Beta.self)
    }
    let graph = container.dependencyGraph()
    let edges = graph.edges.filter { $0.from == graph.nodes[0].id }
    #expect(edges.count == 1 && edges[0].need == .element)
    #expect(graph.nodes[edges[0].to].key as? String == "a")
    let dependency = try #require(container.registrations[0].dependencies.first)
    #expect(dependency.service == (any Greeter).self && !dependency.isRequired)
    let cycle = Container {
      Registration(autowired: Switchboard.self, initializer: Switchboard.init)
      Registration(autowired: (any Greeter).self) { (_: Switchboard) in Polite() }.key("a")
    }
    #expect(try await asyncResolutionError { try await cycle.resolve(Switchboard.self) }.code == .cycle)
    #expect(throws: ValidationError.self) { try sync { try cycle.validate() } }
  }

  @Test func overridingAnElementRebuildsAKeptDependent() async throws {
    let container = Container {
      Registration(autowired: Switchboard.self, scope: .singleton, initializer: Switchboard.init)
      Registration((any Greeter).self) { _ in Polite() }.key("a")
    }
    #expect(try await container.resolve(Switchboard.self).greet() == "a: Good day")
    try await container.withOverrides {
      Registration((any Greeter).self) { _ in Casual() }.key("a")
    } operation: {
      let words = try await container.resolve(Switchboard.self).greet()
      #expect(words == "a: Hi")
    }
    #expect(try await container.resolve(Switchboard.self).greet() == "a: Good day")
  }
}
