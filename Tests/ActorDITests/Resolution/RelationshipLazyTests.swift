import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Parent: Sendable {
  let child: Lazy<Child>
  init(child: Lazy<Child>) { self.child = child }
}
private final class Child: Sendable {
  let parent: Parent
  init(parent: Parent) { self.parent = parent }
}

private struct Early: Sendable {
  let lazy: Lazy<Beta>
  let alpha: Alpha
}

/// `Lazy<T>` as a service: resolved on first use, and once.
@Suite("Lazy services", .timeLimit(.minutes(5)))
struct RelationshipLazyTests {
  private func counted(_ counter: Counter, _ scope: Scope = .transient) -> Container {
    Container {
      Registration(Probe.self, scope: scope) { _ in
        counter.increment()
        return Probe()
      }
    }
  }

  @Test func aLazyResolvesOnceOnFirstUse() async throws {
    let counter = Counter()
    let container = counted(counter)
    let lazy = try await container.resolve(Lazy<Probe>.self)
    #expect(counter.count == 0)
    let probe = try await lazy()
    #expect(try sync { try lazy.synchronously() } === probe)
    #expect(try await lazy() === probe)
    #expect(counter.count == 1)
    let other = try sync { try container.resolve(Lazy<Probe>.self) }
    #expect(try sync { try other.synchronously() } !== probe)
  }

  @Test func copiesOfALazyShareItsInstance() async throws {
    let container = counted(Counter())
    let lazy = try await container.resolve(Lazy<Probe>.self)
    let copy = lazy
    #expect(try await copy() === lazy())
  }

  @Test func concurrentTasksResolveALazyOnce() async throws {
    let counter = Counter()
    let gate = Gate()
    let container = Container {
      Registration(Probe.self) { _ in
        counter.increment()
        await gate.wait()
        return Probe()
      }
    }
    let lazy = try await container.resolve(Lazy<Probe>.self)
    let probes = try await withThrowingTaskGroup(of: Probe.self) { group in
      for _ in 0..<32 { group.addTask { try await lazy() } }
      await counter.wait(for: 1)
      gate.open()
      return try await group.reduce(into: [Probe]()) { $0.append($1) }
    }
    #expect(counter.count == 1)
    #expect(probes.count == 32 && probes.allSatisfy { $0 === probes[0] })
  }

  @Test func concurrentThreadsResolveALazyOnce() async throws {
    let counter = Counter()
    let container = counted(counter)
    let lazy = try await container.resolve(Lazy<Probe>.self)
    let start = Gate()
    async let first = onThread {
      start.block()
      return try lazy()
    }
    async let second = onThread {
      start.block()
      return try lazy()
    }
    start.open()
    let probes = try await [first, second]
    #expect(probes[0] === probes[1])
    #expect(counter.count == 1)
  }

  @Test func aLazyRetriesAfterAFailure() async throws {
    let tries = Counter()
    let container = Container {
      Registration(Probe.self) { _ in
        if tries.increment() < 3 { throw Boom(number: tries.count) }
        return Probe()
      }
    }
    let lazy = try await container.resolve(Lazy<Probe>.self)
    await #expect(throws: Boom(number: 1)) { try await lazy() }
    #expect(throws: Boom(number: 2)) { try sync { try lazy.synchronously() } }
    let probe = try await lazy()
    #expect(try await lazy() === probe)
    #expect(tries.count == 3)
  }

  @Test func aLazyOfAMissingServiceThrowsOnUse() async throws {
    let container = Container()
    let lazy = try await container.resolve(Lazy<Probe>.self)
    let error = try await asyncResolutionError { try await lazy() }
    #expect(error.code == .notRegistered)
    #expect(error.service == Probe.self)
    try await container.register(Probe.self) { _ in Probe("now") }
    #expect(try await lazy().name == "now")
  }

  @Test func aSynchronousUseOfAnAsynchronousServiceThrows() async throws {
    let container = Container {
      Registration(Probe.self) { _ in
        await Task.yield()
        return Probe()
      }
    }
    let lazy = try sync { try container.resolve(Lazy<Probe>.self) }
    let error = try resolutionError { try lazy.synchronously() }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Probe.self)
    let probe = try await lazy()
    #expect(try sync { try lazy.synchronously() } === probe)
  }

  @Test func aLazyKeepsItsKey() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("plain") }
      Registration(Probe.self) { _ in Probe("keyed") }.key("k")
    }
    #expect(try await container.resolve(Lazy<Probe>.self, key: "k")().name == "keyed")
    #expect(try await container.resolve(Lazy<Probe>.self)().name == "plain")
  }

  @Test func aLazyUsesTheGraphOfItsCreation() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Early.self, initializer: Early.init)
      Registration(Early.self) { r in
        let lazy = try await r.resolve(Lazy<Beta>.self)
        return try await Early(lazy: lazy, alpha: r.resolve())
      }.key("async")
    }
    let early = try sync { try container.resolve(Early.self) }
    #expect(try await early.lazy().alpha === early.alpha)
    let other = try await container.resolve(Early.self)
    #expect(try sync { try other.lazy.synchronously() }.alpha === other.alpha)
    #expect(other.alpha !== early.alpha)
    let third = try await container.resolve(Early.self, key: "async")
    #expect(try await third.lazy().alpha === third.alpha)
  }

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton])
  func aLazyBreaksACycle(scope: Scope) async throws {
    let container = Container {
      Registration(autowired: Parent.self, scope: scope, initializer: Parent.init)
      Registration(autowired: Child.self, scope: scope, initializer: Child.init)
    }
    let parent = try await container.resolve(Parent.self)
    let child = try await parent.child()
    #expect((child.parent === parent) == (scope != .transient))
    let other = try sync { try container.resolve(Parent.self) }
    let otherChild = try sync { try other.child.synchronously() }
    #expect((otherChild.parent === other) == (scope != .transient))
  }

  @Test func aParentsKeptLazyUsesTheParentsRegistrations() async throws {
    let root = Container {
      Registration(Probe.self) { _ in Probe("root") }
      Registration(Lazy<Probe>?.self, scope: .singleton) { r in try r.resolve(Lazy<Probe>.self) }
    }
    let child = Container(parent: root) { Registration(Probe.self) { _ in Probe("child") } }
    #expect(try await child.resolve(Lazy<Probe>?.self)?().name == "root")
    #expect(try await child.resolve(Lazy<Probe>.self)().name == "child")
  }
}
