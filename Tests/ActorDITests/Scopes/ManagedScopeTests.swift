import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private protocol Reader: Sendable { var id: ObjectIdentifier { get } }
private final class Store: Reader {
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Which instance a managed scope gives, and until when.
@Suite("Managed scopes", .timeLimit(.minutes(5)))
struct ManagedScopeTests {
  private let session = ManagedScope("session")

  private func container(_ builds: Counter = Counter()) -> Container {
    Container {
      Registration(Probe.self, scope: .managed(by: session)) { _ in Probe("\(builds.increment())") }
      Registration(Probe.self, scope: .managed(by: session)) { _ in
        await Task.yield()
        return Probe("\(builds.increment())")
      }.key("async")
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
  }

  @Test func aManagedScopeHasOneInstancePerPeriod() async throws {
    let builds = Counter()
    let container = container(builds)
    let first = try await container.resolve(Probe.self)
    #expect(try sync { try container.resolve(Probe.self) } === first)
    await session.invalidate()
    #expect(container.resolveIfReady(Probe.self) == nil)
    let second = try sync { try container.resolve(Probe.self) }
    #expect(try await container.resolve(Probe.self) === second)
    #expect(second !== first && builds.count == 2)
  }

  @Test func anAsynchronousFactoryRunsOncePerPeriod() async throws {
    let builds = Counter()
    let container = container(builds)
    let first = try await container.resolve(Probe.self, key: "async")
    #expect(try sync { try container.resolve(Probe.self, key: "async") } === first)
    await session.invalidate()
    let error = try resolutionError { try container.resolve(Probe.self, key: "async") }
    #expect(error.code == .asyncRequired)
    let second = try await container.resolve(Probe.self, key: "async")
    #expect(try sync { try container.resolve(Probe.self, key: "async") } === second)
    #expect(second !== first && builds.count == 2)
  }

  @Test func theFastPathFindsAManagedInstance() async throws {
    let container = container()
    let probe = try await container.resolve(Probe.self)
    let binding = try #require(container.ownBindings(of: Probe.self).first)
    #expect(binding.word.isInstance)
    await session.invalidate()
    #expect(!binding.word.isInstance)
    withExtendedLifetime(probe) {}
  }

  @Test func invalidatingEndsThePeriodInAllContainers() async throws {
    let other = ManagedScope("session")
    let containers = [container(), container(), Container(parent: container())]
    let outsider = Container {
      Registration(Probe.self, scope: .managed(by: other)) { _ in Probe() }
    }
    var old: [Probe] = []
    for container in containers { old.append(try await container.resolve(Probe.self)) }
    let (untouched, alpha) = try await (
      outsider.resolve(Probe.self), containers[0].resolve(Alpha.self)
    )
    await session.invalidate()
    for (container, old) in zip(containers, old) {
      #expect(try await container.resolve(Probe.self) !== old)
    }
    #expect(try await outsider.resolve(Probe.self) === untouched)
    #expect(try await containers[0].resolve(Alpha.self) === alpha)
  }

  @Test func invalidatingDropsAnAliasWithItsTarget() async throws {
    let container = Container {
      Registration(Store.self, scope: .managed(by: session)) { _ in Store() }
        .implements((any Reader).self) { $0 }
        .implements((any Reader).self, key: "k") { $0 }
    }
    let first = try await container.resolve(Store.self)
    let alias = try #require(container.ownBindings(of: (any Reader).self).first)
    #expect(alias.instance.load(ordering: .acquiring) != 0, "published with its target")
    #expect(try await container.resolve((any Reader).self).id == first.id)
    await session.invalidate()
    let second = try await container.resolve((any Reader).self, key: "k")
    #expect(second.id != first.id)
    #expect(try await container.resolve(Store.self).id == second.id)
    #expect(try await container.resolve((any Reader).self).id == second.id)
  }

  @Test func aBuildThatOutlastsItsPeriodIsNotKept() async throws {
    let (begun, gate, builds) = (Gate(), Gate(), Counter())
    let container = Container {
      Registration(Probe.self, scope: .managed(by: session)) { _ in
        let number = builds.increment()
        begun.open()
        if number == 1 { await gate.wait() }
        return Probe("\(number)")
      }
    }
    let stage = Stage()
    let early = await stage.start { _ in try await container.resolve(Probe.self) }
    try await begun.passed()
    await session.invalidate()
    let late = await stage.start { _ in try await container.resolve(Probe.self) }
    gate.open()
    #expect(try await early.value.name == "1")
    #expect(try await late.value.name == "2")
    #expect(try await container.resolve(Probe.self) === late.value)
    #expect(builds.count == 2)
  }

  @Test func aFactoryCanInvalidateItsOwnScope() async throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: .managed(by: session)) { [session] _ in
        await session.invalidate()
        return Probe("\(builds.increment())")
      }
    }
    #expect(try await container.resolve(Probe.self).name == "1")
    #expect(try await container.resolve(Probe.self).name == "2")
  }

  @Test func aResolveAfterAFailedBuildTriesAgainInTheSamePeriod() async throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: .managed(by: session)) { _ in
        if builds.increment() == 1 { throw Boom() }
        return Probe()
      }
    }
    #expect(throws: Boom.self) { try container.resolve(Probe.self) }
    let probe = try await container.resolve(Probe.self)
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func resetDropsAManagedInstance() async throws {
    let container = container()
    var old = try await container.resolve(Probe.self)
    for reset in [
      { await container.reset() }, { await container.reset(.managed(by: session)) },
      { await container.reset(Probe.self) },
    ] {
      await reset()
      let new = try await container.resolve(Probe.self)
      #expect(new !== old)
      old = new
    }
    await container.reset(.managed(by: ManagedScope("session")))
    await container.reset(.singleton)
    #expect(try await container.resolve(Probe.self) === old, "Resets of other scopes do not affect it")
  }

  @Test func servicesWithMutualHooksGetTheSameInstances() async throws {
    final class Left: Sendable {
      let right = Shelf<Right?>(nil)
    }
    final class Right: Sendable {
      let left = Shelf<Left?>(nil)
    }
    let container = Container {
      Registration(Left.self, scope: .managed(by: session)) { _ in Left() }
        .onCreated { left, r in left.right.value = try r.resolve(Right.self) }
      Registration(Right.self, scope: .managed(by: session)) { _ in Right() }
        .onCreated { right, r in right.left.value = try r.resolve(Left.self) }
    }
    for _ in 0..<2 {
      let left = try sync { try container.resolve(Left.self) }
      let right = try await container.resolve(Right.self)
      #expect(left.right.value === right && right.left.value === left)
      left.right.value = nil
      await session.invalidate()
    }
  }

  @Test func invalidatingDropsAWrapperWithItsInstance() async throws {
    let container = container()
    try await container.decorate(Probe.self) { _, inner in Probe("decorated \(inner.name)") }
    let first = try await container.resolve(Probe.self)
    #expect(try await container.resolve(Probe.self) === first)
    await session.invalidate()
    let second = try await container.resolve(Probe.self)
    #expect([first.name, second.name] == ["decorated 1", "decorated 2"])
  }

  @Test func invalidatingEndsInstancesOfASavedRegistry() async throws {
    let container = container()
    let first = try await container.resolve(Probe.self)
    await container.push()
    try await container.register(Probe.self) { _ in Probe("meanwhile") }
    await session.invalidate()
    #expect(await container.pop())
    #expect(try await container.resolve(Probe.self) !== first)
  }

  @Test func aManagedScopeCanBeADefaultOrAGroupsScope() async throws {
    let scope = Scope.managed(by: session)
    let container = Container(configuration: .init(defaultScope: scope)) {
      Registration(Probe.self) { _ in Probe() }
      RegistrationGroup(scope: scope) { Registration(Alpha.self) { _ in Alpha() } }
    }
    let (probe, alpha) = try await (container.resolve(Probe.self), container.resolve(Alpha.self))
    #expect(try await container.resolve(Probe.self) === probe)
    await session.invalidate()
    #expect(try await container.resolve(Probe.self) !== probe)
    #expect(try await container.resolve(Alpha.self) !== alpha)
    #expect(container.registrations.allSatisfy { $0.scope == scope })
  }

  @Test func aReplacedRegistrationStaysHiddenAfterAnInvalidation() async throws {
    let container = container()
    let first = try await container.resolve(Probe.self)
    try await container.register(Probe.self, scope: .managed(by: session)) { _ in Probe("new") }
    let second = try await container.resolve(Probe.self)
    #expect(second.name == "new")
    await session.invalidate()
    #expect(try await container.resolve(Probe.self) !== second)
    #expect(try await container.resolve(Probe.self).name == "new")
    withExtendedLifetime(first) {}
  }

  @Test func aManagedScopeEqualsOnlyItself() {
    let twin = ManagedScope("session")
    #expect(Scope.managed(by: session) == .managed(by: session))
    #expect(Scope.managed(by: session) != .managed(by: twin))
    #expect(Set([Scope.managed(by: session), .managed(by: twin), .singleton]).count == 3)
    #expect(Scope.managed(by: session).description == "managed(\"session\")")
    #expect(ManagedScope().name == "managed")
  }
}

@Suite("Lifetime of managed instances", .timeLimit(.minutes(5)))
struct ManagedScopeLifetimeTests {
  private let session = ManagedScope("session")

  @Test func invalidatingFreesTheInstance() async throws {
    let (session, lifetime) = (ManagedScope("session"), ObjectLifetime())
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .managed(by: session)) { _ in lifetime.token() }
    }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    #expect(!lifetime.hasEnded)
    await session.invalidate()
    try await lifetime.ended.passed()
    withExtendedLifetime(container) {}
  }

  @Test func aManagedScopeDoesNotKeepItsContainersAlive() async throws {
    let (session, lifetime) = (ManagedScope("session"), ObjectLifetime())
    func use() async throws -> () -> Container? {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: .managed(by: session)) { _ in lifetime.token() }
          .implements((any Sendable).self) { $0 }
      }
      _ = try await container.resolve((any Sendable).self)
      return { [weak container] in container }
    }
    let container = try await use()
    try await lifetime.ended.passed()
    #expect(container() == nil)
    await session.invalidate()
  }

  @Test func aRegistrationKeepsItsManagedScopeAlive() async throws {
    weak var scope: ManagedScope?
    func make() -> Container {
      let session = ManagedScope("session")
      scope = session
      return Container {
        Registration(Probe.self, scope: .managed(by: session)) { _ in Probe() }
      }
    }
    let container = make()
    let probe = try await container.resolve(Probe.self)
    await scope?.invalidate()
    #expect(try await container.resolve(Probe.self) !== probe)
  }

  @Test(arguments: [true, false])
  func invalidatingDisposesOfInstancesThatOverridesKeep(isSynchronous: Bool) async throws {
    let journal = Journal<String>()
    let parent = Container { [session] in
      Registration(Beta.self, scope: .managed(by: session)) { r in Beta(alpha: try r.resolve()) }
        .onDispose { _ in journal.note("beta") }
      Registration(Stem.self, scope: .managed(by: session)) { (r, _: Int) in Stem(try r.resolve(Alpha.self)) }
        .perArguments().onDispose { _ in journal.note("stem") }
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
    let child = parent.makeChild { [session] in
      Registration(Gamma.self, scope: .managed(by: session)) { r in
        Gamma(beta: try r.resolve(), alpha: try r.resolve())
      }.onDispose { _ in journal.note("gamma") }
    }
    func resolve() async throws -> Gamma {
      for number in 0..<3 { _ = try await child.resolve(Stem.self, arguments: number) }
      return isSynchronous ? try sync { try child.resolve(Gamma.self) } : try await child.resolve(Gamma.self)
    }
    let real = try await resolve()
    try await parent.withOverrides {
      Registration(Alpha.self, scope: .managed(by: session)) { _ in Alpha() }
        .onDispose { _ in journal.note("alpha") }
    } operation: { () async throws in
      let first = try await resolve()
      #expect(first !== real && first.beta !== real.beta)
      await session.invalidate()
      #expect(
        journal.entries.sorted() == ["alpha", "beta", "beta", "gamma", "gamma"] + Array(repeating: "stem", count: 6))
      #expect(child.resolveIfReady(Gamma.self) == nil && parent.resolveIfReady(Alpha.self) == nil)
      let second = try await resolve()
      #expect(second !== first && second.beta !== first.beta && second.alpha !== first.alpha)
    }
    #expect(journal.entries.count == 17)
    await session.invalidate()
    try await parent.shutdown()
    #expect(journal.entries.count == 17)
  }

  @Test func concurrentOverridesAndInvalidationsDisposeAtMostOnce() async throws {
    let books = DisposalRecord()
    let container = Container { [session] in
      Registration(RecordedService.self, scope: .managed(by: session)) { r in
        _ = try r.resolve(Alpha.self)
        return RecordedService(books)
      }
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { [session] in
          for round in 0..<20 {
            if number == 0 { await session.invalidate() }
            try await container.withOverrides {
              Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
            } operation: { () async throws in
              _ = try await container.resolve(RecordedService.self)
              if round.isMultiple(of: 4) { await session.invalidate() }
              _ = try sync { try container.resolve(RecordedService.self) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await container.shutdown()
    try await until { books.mistakes.isEmpty }
    #expect(!books.mistakes.values.contains { $0 > 1 })
  }
}

@Suite("Managed scopes that follow a sequence", .timeLimit(.minutes(5)))
struct FollowingScopeTests {
  private struct Failing: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let gate: Gate
    var count = 0
    func makeAsyncIterator() -> Failing { self }
    mutating func next() async throws -> Int? {
      await gate.wait()
      count += 1
      if count > 1 { throw Boom() }
      return count
    }
  }

  /// Resolves until the instance is another one than the old one.
  private func successor(of old: Probe, in container: Container) async throws -> Probe {
    while true {
      let probe = try await container.resolve(Probe.self)
      if probe !== old { return probe }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private func container(_ session: ManagedScope) -> Container {
    Container { Registration(Probe.self, scope: .managed(by: session)) { _ in Probe() } }
  }

  @Test func eachElementOfTheSequenceEndsAPeriod() async throws {
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let session = ManagedScope("session", invalidatedBy: events)
    let container = container(session)
    var probe = try await container.resolve(Probe.self)
    for number in 1...3 {
      source.yield(number)
      probe = try await successor(of: probe, in: container)
    }
    source.finish()
    #expect(session.name == "session")
    await session.invalidate()
    #expect(try await container.resolve(Probe.self) !== probe, "invalidate() still works")
  }

  @Test func invalidateWorksAfterTheSequenceThrows() async throws {
    let gate = Gate()
    let session = ManagedScope(invalidatedBy: Failing(gate: gate))
    let container = container(session)
    let first = try await container.resolve(Probe.self)
    gate.open()
    let second = try await successor(of: first, in: container)
    await session.invalidate()
    #expect(try await container.resolve(Probe.self) !== second)
  }

  @Test func freeingTheScopeEndsItsIteration() async throws {
    let ended = Gate()
    let lifetime = ObjectLifetime()
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    source.onTermination = { _ in ended.open() }
    func use() async throws {
      let container = Container {
        Registration(
          ObjectLifetime.Token.self, scope: .managed(by: ManagedScope(invalidatedBy: events))
        ) { _ in lifetime.token() }
      }
      _ = try await container.resolve(ObjectLifetime.Token.self)
    }
    try await use()
    try await lifetime.ended.passed()
    try await ended.passed()
  }
}
