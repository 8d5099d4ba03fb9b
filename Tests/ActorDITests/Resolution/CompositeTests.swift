import ActorDITestSupport
import Testing

@testable import ActorDI

/// A greeter composed of all other greeters.
private final class Chorus: Greeter {
  private let voices: [any Greeter]
  init(_ voices: [any Greeter]) { self.voices = voices }
  func greet() -> String { "(" + voices.map { $0.greet() }.joined(separator: " ") + ")" }
}

/// A composite that is filled after its creation.
private final class LateChorus: Greeter {
  private let stored = Lock<[any Greeter]>([])
  var voices: [any Greeter] {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
  func greet() -> String { "(" + voices.map { $0.greet() }.joined(separator: " ") + ")" }
}

@Suite("Composites of their own collection", .timeLimit(.minutes(5)))
struct CompositeTests {
  private static var soloists: Registrations {
    Registrations {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration((any Greeter).self) { _ in Casual() }.key("casual")
    }
  }

  /// Checks the composite, and the collections that other services get.
  ///
  /// - Parameters:
  ///   - container: The container with the composite.
  ///   - isAlias: Whether the composite is another alias of the type. A composite registered for the type hides the other
  ///     unkeyed elements.
  private func check(_ container: Container, isAlias: Bool = false) async throws {
    let words = "(Good day Hi)"
    #expect(try await container.resolve((any Greeter).self).greet() == words)
    #expect(try sync { try container.resolve((any Greeter).self) }.greet() == words)
    // In collections for other services, the composite is an element.
    let all = try await container.resolve([any Greeter].self).map { $0.greet() }
    #expect(Set(all) == (isAlias ? ["Good day", "Hi", words] : ["Hi", words]))
    #expect(try sync { try container.resolve([any Greeter].self) }.count == all.count)
    try await container.validate()
  }

  @Test(arguments: [Scope.transient, .graph, .singleton, .shared, .scoped])
  func aFactoryCanResolveItsOwnCollection(scope: Scope) async throws {
    try await check(
      Container {
        Self.soloists
        Registration((any Greeter).self, scope: scope) { r in Chorus(try r.resolve([any Greeter].self)) }
      })
  }

  @Test(arguments: [Scope.transient, .graph, .singleton, .shared, .scoped])
  func anInitialiserCanTakeItsOwnCollection(scope: Scope) async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: (any Greeter).self, scope: scope) { (voices: [any Greeter]) in Chorus(voices) }
    }
    try await check(container)
    let graph = container.dependencyGraph()
    #expect(graph.edges.allSatisfy { $0.from != $0.to })
  }

  @Test(arguments: [Scope.transient, .graph, .singleton])
  func anAliasedServiceCanTakeItsAliasesCollection(scope: Scope) async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: Chorus.self, scope: scope, initializer: Chorus.init).implements((any Greeter).self) { $0 }
    }
    try await check(container, isAlias: true)
    #expect(try await container.resolve(Chorus.self).greet() == "(Good day Hi)")
  }

  @Test(arguments: [Scope.transient, .singleton])
  func anAsynchronousFactoryCanResolveItsOwnCollection(scope: Scope) async throws {
    let container = Container {
      Self.soloists
      Registration((any Greeter).self, scope: scope) { r in
        await Task.yield()
        async let voices = r.resolve([any Greeter].self)
        return Chorus(try await voices)
      }
    }
    #expect(try await container.resolve((any Greeter).self).greet() == "(Good day Hi)")
    #expect(try await container.resolve([any Greeter].self).count == 2)
  }

  @Test func resolvingTheCollectionFirstBuildsTheComposite() async throws {
    func container() -> Container {
      Container {
        Self.soloists
        Registration(autowired: Chorus.self, scope: .singleton, initializer: Chorus.init)
          .implements((any Greeter).self) { $0 }
      }
    }
    let words = ["Good day", "Hi", "(Good day Hi)"]
    let asynchronous = container()
    #expect(try await asynchronous.resolve([any Greeter].self).map { $0.greet() } == words)
    let synchronous = container()
    #expect(try sync { try synchronous.resolve([any Greeter].self) }.map { $0.greet() } == words)
  }

  @Test func aDecoratorWrapsTheCompositeAndItsElements() async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: (any Greeter).self, scope: .singleton) { (voices: [any Greeter]) in Chorus(voices) }
    }
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    #expect(try await container.resolve((any Greeter).self).greet() == "(Good day! Hi!)!")
    #expect(try await container.resolve([any Greeter].self).count == 2)
    try await container.validate()
  }

  @Test func aCompositeCanResolveFromACapturedContainer() async throws {
    let container = Container { Self.soloists }
    try await container.register((any Greeter).self) { [unowned container] _ in
      Chorus(try container.resolve([any Greeter].self))
    }
    #expect(try await container.resolve((any Greeter).self).greet() == "(Good day Hi)")
  }

  @Test func aHookCanResolveItsServicesCollection() async throws {
    let container = Container {
      Self.soloists
      Registration(LateChorus.self, scope: .singleton) { _ in LateChorus() }
        .inject(\.voices).implements((any Greeter).self) { $0 }
    }
    try await check(container, isAlias: true)
  }

  /// A service whose hook asks for all services of its type.
  private final class Member: @unchecked Sendable {
    // `@unchecked Sendable` because only a hook sets the properties, before the instance is visible elsewhere.
    var all: [Member] = []
    var byKey: [String: Member] = [:]
  }

  @Test(arguments: keepingScopes + [.graph, .scoped, .pooled(max: 1)])
  func aHookFindsItsOwnInstanceInACollection(scope: Scope) async throws {
    func check(_ member: Member) {
      #expect(member.all.count == 2 && member.all.first === member)
      #expect(member.byKey.count == 2 && member.byKey["a"] === member)
    }
    let synchronous = Container {
      Registration(Member.self, scope: scope) { _ in Member() }.key("a")
        .onCreated { member, r in
          member.all = try r.resolve()
          member.byKey = try r.resolve()
        }
      Registration(Member.self, scope: scope) { _ in Member() }.key("b")
    }
    check(try sync { try synchronous.resolve(Member.self, key: "a") })
    let asynchronous = Container {
      Registration(Member.self, scope: scope) { _ in Member() }.key("a")
        .onCreated { (member: Member, r: Resolver) async throws in
          await Task.yield()
          member.all = try await r.resolve()
          member.byKey = try await r.resolve()
        }
      Registration(Member.self, scope: scope) { _ in Member() }.key("b")
    }
    check(try await asynchronous.resolve(Member.self, key: "a"))
  }

  @Test func aHookFindsItsOwnInstanceUnderAnAlias() throws {
    let found = Shelf<[any Greeter]>([])
    let container = Container {
      Self.soloists
      Registration(LateChorus.self, scope: .singleton) { _ in LateChorus() }
        .onCreated { _, r in found.value = try r.resolve() }
        .implements((any Greeter).self) { $0 }
    }
    let chorus = try container.resolve(LateChorus.self)
    #expect(found.value.count == 3 && found.value.contains { $0 as? LateChorus === chorus })
  }

  /// A transient has no instance that the hook's request could share, and the wrapper of a decorated service does not exist yet.
  @Test func aHookOfAnUnkeptOrDecoratedServiceFindsTheOthers() async throws {
    let transient = Container {
      Registration(Member.self) { _ in Member() }.key("a").onCreated { member, r in member.all = try r.resolve() }
      Registration(Member.self) { _ in Member() }.key("b")
    }
    #expect(try sync { try transient.resolve(Member.self, key: "a") }.all.count == 1)
    let decorated = Container {
      Registration(Member.self, scope: .singleton) { _ in Member() }.key("a")
        .onCreated { member, r in member.all = try r.resolve() }
      Registration(Member.self, scope: .singleton) { _ in Member() }.key("b")
    }
    try await decorated.decorate(Member.self) { _, inner in inner }
    #expect(try await decorated.resolve(Member.self, key: "a").all.count == 1)
  }

  @Test func aHookDoesNotFindItsOwnInstanceThatAChildDecorates() async throws {
    let parent = Container {
      Registration(Member.self, scope: .scoped) { _ in Member() }.key("a")
        .onCreated { member, r in member.all = try r.resolve() }
      Registration(Member.self, scope: .singleton) { _ in Member() }.key("b")
    }
    let child = parent.makeChild()
    try await child.decorate(Member.self) { _, inner in inner }
    #expect(try await child.resolve(Member.self, key: "a").all.count == 1)
    #expect(try sync { try child.resolve([Member].self) }.count == 2)
    #expect(try await parent.resolve(Member.self, key: "a").all.count == 2)
  }

  @Test func anOverrideCanBeAComposite() async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: Chorus.self, scope: .singleton, initializer: Chorus.init)
        .implements((any Greeter).self) { $0 }
    }
    try await container.withOverrides {
      Registration(Chorus.self, scope: .singleton) { r in
        Chorus(try r.resolve([any Greeter].self) + [ValueGreeter(words: "Fake")])
      }
    } operation: {
      let words = try await container.resolve((any Greeter).self).greet()
      #expect(words == "(Good day Hi Fake)")
    }
    #expect(try await container.resolve((any Greeter).self).greet() == "(Good day Hi)")
  }

  @Test func aChildsCompositeContainsTheParentsElements() async throws {
    let parent = Container { Self.soloists }
    let child = Container(parent: parent) {
      Registration(autowired: Chorus.self, initializer: Chorus.init).implements((any Greeter).self) { $0 }
    }
    try await check(child, isAlias: true)
  }

  /// In the composite's own collection, its registration hides nothing.
  @Test func aCompositeContainsTheRegistrationsThatItHides() async throws {
    let parent = Container { Registration((any Greeter).self) { _ in Polite() } }
    let child = Container(parent: parent) {
      Registration(Casual.self) { _ in Casual() }.implements((any Greeter).self) { $0 }
      Registration(autowired: (any Greeter).self) { (voices: [any Greeter]) in Chorus(voices) }
    }
    #expect(try await child.resolve((any Greeter).self).greet() == "(Good day Hi)")
    #expect(try sync { try child.resolve((any Greeter).self) }.greet() == "(Good day Hi)")
    #expect(try await child.resolve([any Greeter].self).map { $0.greet() } == ["(Good day Hi)"])
  }

  @Test func aKeyedCompositeWithInheritedKeyContainsAllElements() async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: (any Greeter).self) { (voices: [any Greeter]) in Chorus(voices) }.key("all").inheritKey()
    }
    // The composite is the only registration with its key.
    #expect(try await container.resolve((any Greeter).self, key: "all").greet() == "(Good day Hi)")
    #expect(try sync { try container.resolve((any Greeter).self, key: "all") }.greet() == "(Good day Hi)")
    try await container.validate()
  }

  @Test func aCompositeCanTakeArguments() async throws {
    let container = Container {
      Registration((any Greeter).self) { (_, words: String) in ValueGreeter(words: words) }.key("one")
      Registration((any Greeter).self) { (r, words: String) in
        Chorus(try r.resolve([any Greeter].self, arguments: words))
      }
    }
    #expect(try await container.resolve((any Greeter).self, arguments: "Ho").greet() == "(Ho)")
    #expect(try sync { try container.resolve((any Greeter).self, arguments: "Ho") }.greet() == "(Ho)")
  }

  @Test func aCycleOfTwoCompositesIsDetected() async throws {
    let container = Container {
      Self.soloists
      Registration((any Greeter).self) { r in Chorus(try r.resolve([any Greeter].self)) }
      Registration((any Greeter).self) { r in Chorus(try r.resolve([any Greeter].self)) }.key("second")
    }
    for error in [
      try sync { try resolutionError { try container.resolve((any Greeter).self) } },
      try await asyncResolutionError { try await container.resolve((any Greeter).self) },
    ] {
      #expect(error.code == .cycle)
    }
    let wider = Container {
      Self.soloists
      Registration(autowired: (any Greeter).self) { (leaf: Leaf) in Chorus(leaf.next as? [any Greeter] ?? []) }
      Registration(autowired: Leaf.self) { (voices: [any Greeter]) in Leaf(voices) }
    }
    #expect(try await asyncResolutionError { try await wider.resolve((any Greeter).self) }.code == .cycle)
    #expect(throws: ValidationError.self) { try sync { try wider.validate() } }
  }

  @Test func concurrentTasksResolveACompositeAndItsCollection() async throws {
    for _ in 0..<50 {
      let container = Container {
        Self.soloists
        Registration((any Greeter).self, scope: .singleton) { r in
          await Task.yield()
          return Chorus(try await r.resolve([any Greeter].self))
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            let words = try await container.resolve((any Greeter).self).greet()
            #expect(words == "(Good day Hi)")
          }
          group.addTask {
            let count = try await container.resolve([any Greeter].self).count
            #expect(count == 2)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func anAliasOfADecoratedCompositeIsNoElementOfIt() async throws {
    let container = Container {
      Self.soloists
      Registration(autowired: Chorus.self, scope: .singleton) { (voices: [any Greeter]) in Chorus(voices) }
        .decorated { _, inner in Chorus([inner, inner]) }
        .implements((any Greeter).self) { $0 }
    }
    #expect(try await container.resolve(Chorus.self).greet() == "((Good day Hi) (Good day Hi))")
    #expect(try await container.resolve((any Greeter).self).greet() == "((Good day Hi) (Good day Hi))")
  }
}
