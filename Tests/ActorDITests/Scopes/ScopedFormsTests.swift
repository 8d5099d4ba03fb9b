import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

extension ServiceKey where Service == Probe {
  fileprivate static var token: Self { .init("token") }
}

/// All forms of resolving a scoped service that is registered in a parent.
@Suite("Forms of resolving scoped services", .timeLimit(.minutes(5)))
struct ScopedFormsTests {
  private static func app() -> Container {
    Container(name: "app") {
      Registration(Probe.self, scope: .scoped) { _ in Probe("plain") }
      Registration(Probe.self, scope: .scoped) { _ in Probe("keyed") }.key("k")
      Registration(Probe.self, scope: .scoped) { _ in Probe("number") }.key(3)
      Registration(.token, scope: .scoped) { _ in Probe("token") }
      Registration(Probe.self, scope: .scoped) { (_, name: String) in Probe(name) }
      Registration(Stem.self, scope: .scoped) { (_, name: String) in Stem(name) }.perArguments()
      Registration(Polite.self, scope: .scoped) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
        .implements((any Greeter).self, key: "other") { $0 }
    }
  }

  @Test func everyFormFindsTheScopesInstance() async throws {
    let app = Self.app()
    let above = try await app.resolve(Probe.self, key: "k")
    try await app.withScope { scope in
      // Repeats the calls, so that the later ones find the instances on the fast path.
      var seen: [Set<ObjectIdentifier>] = Array(repeating: [], count: 6)
      func note(_ probe: Probe, _ form: Int) { seen[form].insert(ObjectIdentifier(probe)) }
      for _ in 0..<5 {
        note(try await scope.resolve(Probe.self), 0)
        note(try sync { try scope.resolve() }, 0)
        note(try await scope.resolve(Probe.self, key: "k"), 1)
        note(try sync { try scope.resolve(key: "k") }, 1)
        note(try await scope.resolve(Probe.self, key: 3), 2)
        note(try sync { try scope.resolve(key: 3) }, 2)
        note(try await scope.resolve(.token), 3)
        note(try sync { try scope.resolve(.token) }, 3)
        // The first caller's arguments win.
        note(try await scope.resolve(Probe.self, arguments: "a"), 4)
        note(try sync { try scope.resolve(Probe.self, arguments: "b") }, 4)
        note(try await scope.resolve(Probe.self, key: "token"), 5)
      }
      #expect(seen.map(\.count) == [1, 1, 1, 1, 1, 1])
      #expect(seen[3] == seen[5] && Set(seen.flatMap { $0 }).count == 5)
      #expect(try await scope.resolve(Probe.self, arguments: "c").name == "a")
      #expect(try await scope.resolve(Probe.self, key: "k") !== above)
    }
    #expect(try await app.resolve(Probe.self, key: "k") === above)
  }

  @Test func aScopeKeepsOneInstancePerArgumentTuple() async throws {
    let app = Self.app()
    let above = try await app.resolve(Stem.self, arguments: "a")
    try await app.withScope { scope in
      let first = try await scope.resolve(Stem.self, arguments: "a")
      let second = try sync { try scope.resolve(Stem.self, arguments: "b") }
      for _ in 0..<3 {
        #expect(try await scope.resolve(Stem.self, arguments: "a") === first)
        #expect(try sync { try scope.resolve(Stem.self, arguments: "b") } === second)
      }
      #expect(first !== second && first !== above && second.next as? String == "b")
      await scope.reset(Stem.self)
      #expect(try await scope.resolve(Stem.self, arguments: "a") !== first)
    }
    #expect(try await app.resolve(Stem.self, arguments: "a") === above)
  }

  @Test func anAliasFindsTheScopesInstance() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      // The test resolves the alias first, and repeatedly, so that the fast path finds it.
      let greeter = try await scope.resolve((any Greeter).self) as? Polite
      for _ in 0..<4 {
        #expect(try sync { try scope.resolve((any Greeter).self) } as? Polite === greeter)
        #expect(try await scope.resolve((any Greeter).self, key: "other") as? Polite === greeter)
        #expect(try await scope.resolve(Polite.self) === greeter)
      }
      #expect(scope.resolveIfReady((any Greeter).self) as? Polite === greeter)
      await scope.reset(Polite.self)
      #expect(scope.resolveIfReady((any Greeter).self) == nil)
      let next = try await scope.resolve((any Greeter).self) as? Polite
      #expect(next !== greeter)
      #expect(try await scope.resolve(Polite.self) === next)
      await scope.reset((any Greeter).self)
      #expect(try await scope.resolve(Polite.self) !== next, "An alias has its target's instance")
    }
  }

  @Test func theTimeToLiveCountsSeparatelyInEachScope() async throws {
    let clock = ManualClock()
    let app = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.timeToLive(.seconds(10))
    }
    try await app.withScope { first in
      let early = try await first.resolve(Probe.self)
      clock.advance(by: .seconds(6))
      try await app.withScope { second in
        let late = try await second.resolve(Probe.self)
        for _ in 0..<4 { #expect(try await first.resolve(Probe.self) === early) }
        clock.advance(by: .seconds(6))
        #expect(try await first.resolve(Probe.self) !== early)
        #expect(try await second.resolve(Probe.self) === late)
      }
    }
  }

  @Test func aDecoratorWrapsOncePerScope() async throws {
    let wrapped = Counter()
    let app = Self.app()
    try await app.decorate(Probe.self) { _, inner in
      wrapped.increment()
      return Probe("around " + inner.name)
    }
    try await app.withScope { scope in
      let probe = try await scope.resolve(Probe.self)
      for _ in 0..<4 { #expect(try await scope.resolve(Probe.self) === probe) }
      #expect(probe.name == "around plain" && wrapped.count == 1)
      #expect(try await scope.resolve(Probe.self, key: "k").name == "around keyed")
      #expect(try await scope.resolve(.token).name == "around token")
    }
    #expect(try await app.resolve(Probe.self).name == "around plain" && wrapped.count == 4)
  }

  @Test func resolveIfReadyContainsAndBorrowsFindTheScopesInstance() async throws {
    let app = Self.app()
    _ = try await app.resolve(Probe.self)
    try await app.withScope { scope in
      #expect(scope.resolveIfReady(Probe.self) == nil, "The instance is the parent's")
      #expect(scope.contains(Probe.self) && scope.contains(Probe.self, key: "k") && scope.contains(.token))
      #expect(!scope.contains(Probe.self, key: "unknown"))
      let probe = try await scope.resolve(Probe.self)
      for _ in 0..<3 { #expect(try await scope.resolve(Probe.self) === probe) }
      #expect(scope.resolveIfReady(Probe.self) === probe)
      #expect(scope.resolveIfReady(Probe.self, key: "k") == nil)
      #expect(scope.resolveIfReady(.token) == nil)
      let name = try sync { try scope.withResolved(Probe.self) { borrowed in borrowed.name } }
      #expect(name == "plain")
      #expect(try sync { try scope.withResolved(.token) { $0.name } } == "token")
      #expect(try sync { try scope.withResolved(Probe.self, key: 3) { $0.name } } == "number")
    }
  }

  @Test func aProviderFindsTheScopesInstance() async throws {
    let app = Self.app()
    try await app.withScope { scope in
      let early = scope.provider(for: Probe.self)
      let probe = try await early()
      for _ in 0..<4 { #expect(try early.synchronously() === probe) }
      #expect(try await scope.resolve(Probe.self) === probe)
      let late = scope.provider(for: Probe.self)
      for _ in 0..<4 { #expect(try late.synchronously() === probe) }
      await scope.reset(Probe.self)
      let next = try await late()
      #expect(next !== probe)
      #expect(try await early() === next)
      #expect(try await scope.resolve(Probe.self) === next)
      try await scope.register(Registration(Probe.self, scope: .singleton) { _ in Probe("own") })
      #expect(try await early().name == "own")
      #expect(try await late().name == "own")
    }
  }

  @Test func lazyProviderAndOwnedResolveFromTheScope() async throws {
    let app = Container {
      Registration(Probe.self, scope: .scoped) { r in Probe("of \(r.container.name)") }
      Registration(autowired: Leaf.self, scope: .scoped) { (lazy: Lazy<Probe>) in Leaf(lazy) }
      Registration(autowired: Stem.self, scope: .scoped) { (provider: Provider<Probe>) in Stem(provider) }
      Registration(autowired: Root.self, scope: .scoped) { (owned: Owned<Probe>) in Root(owned) }
    }
    try await app.withScope("request") { scope in
      let probe = try await scope.resolve(Probe.self)
      let lazy = try #require(try await scope.resolve(Leaf.self).next as? Lazy<Probe>)
      #expect(try await lazy() === probe)
      let provider = try #require(try await scope.resolve(Stem.self).next as? Provider<Probe>)
      for _ in 0..<2 { #expect(try await provider() === probe) }
      let owned = try #require(try await scope.resolve(Root.self).next as? Owned<Probe>)
      #expect(owned.value !== probe && owned.value.name == "of owned", "It has a scope of its own")
      await owned.dispose()
      #expect(try await scope.resolve(Probe.self) === probe)
    }
  }

  @Test func theScopesServicesDetermineTheAlternative() async throws {
    let app = Container {
      Registration(autowired: Leaf.self, scope: .scoped) { (alpha: Alpha) in Leaf(alpha) }
      Registration(autowired: Leaf.self, scope: .scoped) { (setting: Setting) in Leaf(setting) }.alternative()
    }
    try await app.withScope {
      Setting(number: 4)
    } operation: { scope in
      let leaf = try await scope.resolve(Leaf.self)
      #expect(leaf.next as? Setting == Setting(number: 4))
      for _ in 0..<4 { #expect(try await scope.resolve(Leaf.self) === leaf) }
      await scope.reset(Probe.self)
      #expect(try await scope.resolve(Leaf.self) === leaf, "Another service was reset")
      await scope.reset(.singleton)
      #expect(try await scope.resolve(Leaf.self) === leaf, "Another scope was reset")
    }
  }
}
