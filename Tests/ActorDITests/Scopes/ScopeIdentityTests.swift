import ActorDITestSupport
import Testing

@testable import ActorDI

/// Two services that share a third one.
private final class Pair: Sendable {
  let left: Probe
  let right: Probe
  let holder: Holder
  init(_ left: Probe, _ right: Probe, _ holder: Holder) {
    self.left = left
    self.right = right
    self.holder = holder
  }
}
private final class Holder: Sendable {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}

private func container(_ scope: Scope) -> Container {
  Container {
    Registration(Probe.self, scope: scope) { _ in Probe() }
    Registration(Holder.self) { r in Holder(try r.resolve()) }
    Registration(Pair.self) { r in Pair(try r.resolve(), try r.resolve(), try r.resolve()) }
  }
}

@Suite("Instances of each scope")
struct ScopeIdentityTests {
  @Test func transientBuildsANewInstanceEachTime() throws {
    let container = container(.transient)
    let pair = try container.resolve(Pair.self)
    #expect(pair.left !== pair.right)
    #expect(pair.holder.probe !== pair.left)
    #expect(try container.resolve(Probe.self) !== container.resolve(Probe.self))
  }

  @Test func graphSharesOneInstancePerCall() async throws {
    let container = container(.graph)
    let pairs = [
      try sync { try container.resolve(Pair.self) }, try sync { try container.resolve(Pair.self) },
      try await container.resolve(Pair.self), try await container.resolve(Pair.self),
    ]
    #expect(pairs.allSatisfy { $0.left === $0.right && $0.holder.probe === $0.left })
    #expect(Set(pairs.map { ObjectIdentifier($0.left) }).count == 4)
    #expect(try sync { try container.resolve(Probe.self) !== container.resolve(Probe.self) })
  }

  @Test func graphSharesOneInstanceAcrossChildTasks() async throws {
    let container = Container {
      Registration(Probe.self, scope: .graph) { _ in
        await Task.yield()
        return Probe()
      }
      Registration(Holder.self) { r in Holder(try await r.resolve()) }
      Registration(Pair.self) { r in
        async let left = r.resolve(Probe.self)
        async let right = r.resolve(Probe.self)
        return try await Pair(left, right, r.resolve())
      }
    }
    let pair = try await container.resolve(Pair.self)
    #expect(pair.left === pair.right && pair.holder.probe === pair.left)
    let others = try await (container.resolve(Probe.self), container.resolve(Probe.self))
    #expect(others.0 !== others.1)
  }

  @Test func eachResolveDuringABorrowHasItsOwnGraph() throws {
    let container = Container {
      Registration(Probe.self, scope: .graph) { _ in Probe() }
      Registration(Setting.self, scope: .singleton) { _ in Setting() }
    }
    _ = try container.resolve(Setting.self)
    let probes = try container.withResolved(Setting.self) { _ in
      try [container.resolve(Probe.self), container.resolve(Probe.self)]
    }
    #expect(probes[0] !== probes[1])
  }

  @Test func singletonHasOneInstancePerContainer() throws {
    let container = container(.singleton)
    let pair = try container.resolve(Pair.self)
    #expect(pair.left === pair.right)
    #expect(pair.holder.probe === pair.left)
    #expect(try container.resolve(Probe.self) === pair.left)
    #expect(try container.resolve(Pair.self) !== pair)
  }

  @Test func singletonHasOneInstancePerKey() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("none") }
      for key in ["a", "b"] {
        Registration(Probe.self, scope: .singleton) { _ in Probe(key) }.key(key)
      }
    }
    #expect(try container.resolve(Probe.self, key: "a") === container.resolve(Probe.self, key: "a"))
    #expect(try container.resolve(Probe.self, key: "a").name == "a")
    #expect(try container.resolve(Probe.self, key: "b").name == "b")
    #expect(try container.resolve(Probe.self).name == "none")
  }

  @Test func singletonIgnoresArgumentValuesAfterTheFirst() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { (_: Resolver, name: String) in Probe(name) }
    }
    let first = try container.resolve(Probe.self, arguments: "first")
    #expect(try container.resolve(Probe.self, arguments: "second") === first)
    #expect(first.name == "first")
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func aHeldInstanceIsResolvedAgain(scope: Scope) throws {
    let container = container(scope)
    let probe = try container.resolve(Probe.self)
    let pair = try container.resolve(Pair.self)
    #expect(pair.left === probe && pair.right === probe && pair.holder.probe === probe)
  }

  @Test func automaticBuildsValuesAnew() throws {
    let builds = Counter()
    let container = Container {
      Registration(Setting.self, scope: .automatic) { _ in Setting(number: builds.increment()) }
      Registration((any Greeter).self, scope: .automatic) { _ in
        ValueGreeter(words: "\(builds.increment())")
      }
    }
    #expect(try container.resolve(Setting.self).number == 1)
    #expect(try container.resolve(Setting.self).number == 2)
    #expect(try container.resolve((any Greeter).self).greet() == "3")
    #expect(try container.resolve((any Greeter).self).greet() == "4")
  }

  @Test func scopesDescribeThemselves() {
    let names = [Scope.transient, .graph, .shared, .singleton, .automatic].map(\.description)
    #expect(names == ["transient", "graph", "shared", "singleton", "automatic"])
  }
}
