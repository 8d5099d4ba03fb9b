import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Trunk: ResolutionAware {
  let branches: [Branch]
  let journal: Journal<String>
  init(_ journal: Journal<String>, _ branches: [Branch]) {
    self.journal = journal
    self.branches = branches
  }
  func didResolve() async throws { journal.note("trunk") }
}

private final class Branch: ResolutionAware {
  let notified: Notified
  let journal: Journal<String>
  init(_ journal: Journal<String>, _ notified: Notified) {
    self.journal = journal
    self.notified = notified
  }
  func didResolve() async throws { journal.note("branch") }
}

private final class Left: ResolutionAware, @unchecked Sendable {
  // `@unchecked Sendable`, here and below, because only hooks write.
  weak var right: Right?
  let journal: Journal<String>
  init(_ journal: Journal<String>) { self.journal = journal }
  func didResolve() async throws { journal.note("left \(right != nil)") }
}

private final class Right: ResolutionAware, @unchecked Sendable {
  weak var left: Left?
  let journal: Journal<String>
  init(_ journal: Journal<String>) { self.journal = journal }
  func didResolve() async throws { journal.note("right \(left != nil)") }
}

private final class Pair: Sendable {
  let first: any Noted
  let second: Notified
  init(first: any Noted, second: Notified) {
    self.first = first
    self.second = second
  }
}

private final class Deferred: Sendable {
  let lazy: Lazy<Notified>
  let provider: Provider<any Noted>
  init(lazy: Lazy<Notified>, provider: Provider<any Noted>) {
    self.lazy = lazy
    self.provider = provider
  }
}

@Suite("Services notified after their resolve", .timeLimit(.minutes(5)))
struct ResolutionAwareTests {
  private func tree(_ scope: Scope, _ journal: Journal<String>) -> Container {
    Container {
      Registration(Trunk.self, scope: scope) { r in
        let first = try await r.resolve(Branch.self)
        let second = try await r.resolve(Branch.self)
        journal.note("made trunk")
        return Trunk(journal, [first, second])
      }
      Registration(Branch.self, scope: scope) { r in
        let notified = try await r.resolve(Notified.self)
        journal.note("made branch")
        return Branch(journal, notified)
      }
      Registration(Notified.self, scope: scope) { _ in
        journal.note("made notified")
        return Notified("notified", journal)
      }
    }
  }

  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func theContainerNotifiesTheLastCreatedServiceFirst(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = tree(scope, journal)
    let trunk = try await container.resolve(Trunk.self)
    let once = ["made notified", "made branch", "made trunk", "trunk", "branch", "notified"]
    #expect(journal.entries == once)
    _ = try await container.resolve(Trunk.self)
    #expect(journal.entries == (scope == .graph ? once + once : once))
    withExtendedLifetime(trunk) {}
  }

  @Test func theContainerNotifiesEachTransient() async throws {
    let journal = Journal<String>()
    _ = try await tree(.transient, journal).resolve(Trunk.self)
    #expect(
      journal.entries.filter { !$0.hasPrefix("made") } == ["trunk", "branch", "notified", "branch", "notified"])
  }

  @Test(arguments: allScopes)
  func theContainerNotifiesServicesBehindExistentials(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Notified("noted", journal) }
      Registration((any ClassBound).self, scope: scope) { _ in Notified("bound", journal) }
      Registration((any Sendable).self, scope: scope) { _ in NotifiedValue(journal: journal) }
      Registration(Notified.self, scope: scope) { (_, name: String) in Notified(name, journal) }
    }
    let all: [Any] = [
      try await container.resolve((any Noted).self), try await container.resolve((any ClassBound).self),
      try await container.resolve((any Sendable).self),
      try await container.resolve(Notified.self, arguments: "argued"),
    ]
    #expect(journal.entries == ["noted", "bound", "notified value", "argued"])
    #expect(all.count == 4)
  }

  @Test(arguments: [Scope.transient, .singleton, .graph])
  func theContainerNotifiesAutowiredDependencies(scope: Scope) async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self, scope: scope) { _ in Notified("first", journal) }
      Registration(Notified.self, scope: scope) { _ in Notified("second", journal) }
      Registration(autowired: Pair.self, scope: .singleton, initializer: Pair.init)
    }
    let pair = try await container.resolve(Pair.self)
    #expect(journal.entries == ["second", "first"])
    #expect(try sync { try container.resolve(Pair.self) } === pair)
  }

  @Test(arguments: [Scope.graph, .shared, .singleton])
  func theContainerNotifiesServicesInACycleOfHooksOnce(scope: Scope) async throws {
    let journal = Journal<String>()
    let held = Journal<any Sendable>()
    let container = Container {
      Registration(Left.self, scope: scope) { _ in
        let left = Left(journal)
        held.note(left)
        return left
      }.inject(\.right)
      Registration(Right.self, scope: scope) { _ in
        let right = Right(journal)
        held.note(right)
        return right
      }.inject(\.left)
    }
    let left = try await container.resolve(Left.self)
    #expect(left.right?.left === left)
    #expect(journal.entries == ["right true", "left true"])
  }

  @Test func resolvingACollectionNotifiesItsElementsAtTheEnd() async throws {
    let journal = Journal<String>()
    let container = Container {
      for name in ["a", "b", "c"] {
        Registration(Notified.self) { _ in
          journal.note("made \(name)")
          return Notified(name, journal)
        }.key(name)
      }
    }
    _ = try await container.resolve([Notified].self)
    #expect(journal.entries == ["made a", "made b", "made c", "c", "b", "a"])
    let handle = container.provider(for: [Notified].self)
    _ = try await handle()
    #expect(journal.entries.count == 12)
    #expect(journal.entries.suffix(3) == ["c", "b", "a"])
  }

  @Test func laterCallsOfLazyAndProviderNotifyTheirOwnServices() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in Notified("lazy", journal) }
      Registration((any Noted).self) { _ in Notified("provided", journal) }
      Registration(autowired: Deferred.self, initializer: Deferred.init)
    }
    let deferred = try await container.resolve(Deferred.self)
    #expect(journal.entries.isEmpty)
    _ = try await deferred.lazy()
    #expect(journal.entries == ["lazy"])
    _ = try await deferred.provider()
    _ = try await deferred.provider()
    #expect(journal.entries == ["lazy", "provided", "provided"])
  }

  @Test func aLazyUsedByAFactoryNotifiesWhenTheOuterCallEnds() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in Notified("lazy", journal) }
      Registration(Probe.self) { r in
        _ = try await r.resolve(Lazy<Notified>.self)()
        journal.note("probe")
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    #expect(journal.entries == ["probe", "lazy"])
  }

  @Test func resolvesInAFactorysChildTasksNotifyWhenTheOuterCallEnds() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self) { _ in Notified("noted", journal) }
      Registration(Notified.self, scope: .singleton) { _ in Notified("notified", journal) }
      Registration(Probe.self, scope: .singleton) { r in
        async let first = r.resolve((any Noted).self)
        async let second = r.resolve(Notified.self)
        _ = try await (first, second)
        journal.note("probe")
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    #expect(journal.entries.first == "probe")
    #expect(Set(journal.entries) == ["probe", "noted", "notified"])
    #expect(journal.entries.count == 3)
  }

  @Test func aResolveThroughACapturedContainerNotifiesWhenTheOuterCallEnds() async throws {
    let journal = Journal<String>()
    let other = Container { Registration((any Noted).self) { _ in Notified("noted", journal) } }
    let container = Container {
      Registration(Probe.self) { _ in
        _ = try await other.resolve((any Noted).self)
        journal.note("probe")
        return Probe()
      }
    }
    _ = try await container.resolve(Probe.self)
    #expect(journal.entries == ["probe", "noted"])
  }

  // MARK: Failures

  @Test func aFailedResolveNotifiesNoService() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in Notified("notified", journal) }
      Registration(Probe.self) { r in
        _ = try await r.resolve(Notified.self)
        throw Boom()
      }
    }
    await #expect(throws: Boom()) { try await container.resolve(Probe.self) }
    #expect(journal.entries.isEmpty)
    #expect(container.resolveIfReady(Notified.self) != nil)
  }

  @Test func theContainerDoesNotNotifyServicesThatFailed() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Noted).self) { _ in Notified("failed", journal) }.onCreated { _, _ in throw Boom() }
      Registration((any ClassBound).self, scope: .singleton) { _ in Notified("failed, kept", journal) }
        .onCreated { _, _ in throw Boom() }
      Registration(Notified.self) { r in
        _ = try? await r.resolve((any Noted).self)
        _ = try? await r.resolve((any ClassBound).self)
        return Notified("notified", journal)
      }
    }
    _ = try await container.resolve(Notified.self)
    #expect(journal.entries == ["notified"])
  }

  @Test func anErrorInDidResolveFailsTheCallAndKeepsTheInstances() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in Notified("failing", journal, failure: Boom()) }
      Registration((any Noted).self, scope: .singleton) { _ in Notified("other", journal) }
      Registration(autowired: Pair.self, scope: .singleton, initializer: Pair.init)
    }
    await #expect(throws: Boom()) { try await container.resolve(Pair.self) }
    #expect(journal.entries == ["failing", "other"], "The container notifies the other services, too")
    #expect(container.resolveIfReady(Pair.self) != nil)
    _ = try await container.resolve(Pair.self)
    #expect(journal.entries.count == 2)
  }

  @Test func aSynchronousCallerGetsAsyncRequiredUntilTheInstanceExists() async throws {
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in Notified() }
      Registration((any Noted).self) { _ in Notified() }
    }
    #expect(try resolutionError { try container.resolve(Notified.self) }.code == .asyncRequired)
    #expect(try resolutionError { try container.resolve((any Noted).self) }.code == .asyncRequired)
    let notified = try await container.resolve(Notified.self)
    #expect(try sync { try container.resolve(Notified.self) } === notified)
  }

  // MARK: Concurrency

  @Test func aRemainingCallerNotifiesAfterAnotherIsCancelled() async throws {
    let gate = Gate()
    let journal = Journal<String>()
    let container = Container {
      Registration(Notified.self, scope: .singleton) { _ in
        await gate.wait()
        return Notified("notified", journal)
      }
    }
    let stage = Stage()
    let first = await stage.start { _ in try await container.resolve(Notified.self) }
    let second = await stage.start { _ in try await container.resolve(Notified.self) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    _ = try await second.value
    #expect(journal.entries == ["notified"])
  }

  @Test func concurrentCallersNotifyEachServiceOnce() async throws {
    for _ in 0..<50 {
      let journal = Journal<String>()
      let container = Container {
        Registration((any Noted).self, scope: .singleton) { _ in Notified("noted", journal) }
        Registration(Notified.self, scope: .singleton) { _ in Notified("notified", journal) }
        Registration(autowired: Pair.self, scope: .singleton, initializer: Pair.init)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<12 {
          group.addTask {
            if index.isMultiple(of: 2) {
              _ = try await container.resolve(Pair.self)
            } else {
              _ = try await container.resolve((any Noted).self)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(journal.entries.sorted() == ["noted", "notified"])
    }
  }
}
