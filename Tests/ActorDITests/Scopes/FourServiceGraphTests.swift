import ActorDITestSupport
import Testing

@testable import ActorDI

/// Four services with references set by hooks: A -> B -> C -> {A, D}, D -> {B, C}.
private final class A: @unchecked Sendable {
  // `@unchecked Sendable`, here and below, because only hooks write, before the object is visible elsewhere.
  weak var b: B?
}
private final class B: @unchecked Sendable {
  weak var c: C?
}
private final class C: @unchecked Sendable {
  weak var a: A?
  weak var d: D?
}
private final class D: @unchecked Sendable {
  weak var b: B?
  weak var c: C?
}

/// Counts how often each of the four was made. Also holds the instances, since the properties are weak.
private struct Builds: Sendable {
  let counters = [Counter(), Counter(), Counter(), Counter()]
  let held = Journal<any Sendable>()

  func made<Service: Sendable>(_ index: Int, _ service: Service) -> Service {
    counters[index].increment()
    held.note(service)
    return service
  }

  var counts: [Int] { counters.map(\.count) }
}

private func circularGraph(_ scope: Scope, _ builds: Builds) -> Container {
  Container {
    Registration(A.self, scope: scope) { _ in builds.made(0, A()) }.inject(\.b)
    Registration(B.self, scope: scope) { _ in builds.made(1, B()) }.inject(\.c)
    Registration(C.self, scope: scope) { _ in builds.made(2, C()) }.inject(\.a).inject(\.d)
    Registration(D.self, scope: scope) { _ in builds.made(3, D()) }.inject(\.b).inject(\.c)
  }
}

private func asynchronousCircularGraph(_ scope: Scope, _ builds: Builds) -> Container {
  Container {
    Registration(A.self, scope: scope) { _ in
      await Task.yield()
      return builds.made(0, A())
    }.inject(\.b)
    Registration(B.self, scope: scope) { _ in
      await Task.yield()
      return builds.made(1, B())
    }.inject(\.c)
    Registration(C.self, scope: scope) { _ in
      await Task.yield()
      return builds.made(2, C())
    }.inject(\.a).inject(\.d)
    Registration(D.self, scope: scope) { _ in
      await Task.yield()
      return builds.made(3, D())
    }.inject(\.b).inject(\.c)
  }
}

/// Whether every path through the graph leads to the same four objects.
private func isConsistent(_ a: A) -> Bool {
  guard let b = a.b, let c = b.c, let d = c.d else { return false }
  return c.a === a && d.b === b && d.c === c
}

@Suite("Four services with circular references", .timeLimit(.minutes(5)))
struct FourServiceGraphTests {
  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func everyReferenceLeadsToTheSameFourInstances(scope: Scope) throws {
    let builds = Builds()
    let container = circularGraph(scope, builds)
    let a = try container.resolve(A.self)
    #expect(isConsistent(a))
    #expect(builds.counts == [1, 1, 1, 1])
    let again = try container.resolve(A.self)
    #expect((again === a) == (scope != .graph))
    #expect(isConsistent(again))
  }

  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func everyEntryPointLeadsToTheSameFourInstances(scope: Scope) throws {
    let builds = Builds()
    let c = try circularGraph(scope, builds).resolve(C.self)
    #expect(isConsistent(try #require(c.a)))
    #expect(builds.counts == [1, 1, 1, 1])
    let others = Builds()
    let d = try circularGraph(scope, others).resolve(D.self)
    #expect(isConsistent(try #require(d.c?.a)))
    #expect(others.counts == [1, 1, 1, 1])
  }

  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func asynchronousFactoriesBuildTheSameFourInstances(scope: Scope) async throws {
    let builds = Builds()
    let container = asynchronousCircularGraph(scope, builds)
    let a = try await container.resolve(A.self)
    #expect(isConsistent(a))
    #expect(builds.counts == [1, 1, 1, 1])
  }

  @Test(arguments: [Scope.shared, .singleton])
  func concurrentTasksGetTheSameFourInstances(scope: Scope) async throws {
    for _ in 0..<20 {
      let builds = Builds()
      let container = asynchronousCircularGraph(scope, builds)
      try await withThrowingTaskGroup(of: A?.self) { group in
        for _ in 0..<3 {
          group.addTask { try await container.resolve(A.self) }
          group.addTask { try await container.resolve(B.self).c?.a }
          group.addTask { try await container.resolve(C.self).a }
          group.addTask { try await container.resolve(D.self).c?.a }
        }
        try await group.waitForAll()
      }
      let a = try await container.resolve(A.self)
      #expect(isConsistent(a))
      #expect(builds.counts == [1, 1, 1, 1])
    }
  }
}
