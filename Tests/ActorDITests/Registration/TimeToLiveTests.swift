import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

private protocol Named: Sendable { var id: ObjectIdentifier { get } }
private final class Store: Named {
  let token: ObjectLifetime.Token?
  init(_ token: ObjectLifetime.Token? = nil) { self.token = token }
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

@Suite("Instances with a time to live", .timeLimit(.minutes(5)))
struct TimeToLiveTests {
  private let clock = ManualClock()
  private let builds = Counter()

  private func container(_ scope: Scope, for time: Duration = .seconds(10)) -> Container {
    Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: scope) { _ in Probe("\(builds.increment())") }
        .timeToLive(time)
      Registration(Probe.self, scope: scope) { _ in
        await Task.yield()
        return Probe("\(builds.increment())")
      }
      .timeToLive(time).key("async")
    }
  }

  @Test(arguments: keepingScopes)
  func aSynchronousResolveReplacesAnExpiredInstance(scope: Scope) throws {
    let container = container(scope)
    let first = try container.resolve(Probe.self)
    clock.advance(by: .seconds(9))
    #expect(try container.resolve(Probe.self) === first)
    clock.advance(by: .seconds(1))
    #expect(container.resolveIfReady(Probe.self) == nil)
    let second = try container.resolve(Probe.self)
    #expect(second !== first)
    clock.advance(by: .seconds(9))
    #expect(try container.resolve(Probe.self) === second, "The time to live started again")
    #expect(container.resolveIfReady(Probe.self) === second)
    #expect(builds.count == 2)
    withExtendedLifetime(first) {}
  }

  @Test(arguments: keepingScopes)
  func anAsynchronousResolveReplacesAnExpiredInstance(scope: Scope) async throws {
    let container = container(scope)
    let first = try await container.resolve(Probe.self, key: "async")
    clock.advance(by: .seconds(9))
    #expect(try await container.resolve(Probe.self, key: "async") === first)
    #expect(try sync { try container.resolve(Probe.self, key: "async") } === first)
    clock.advance(by: .seconds(2))
    let error = try resolutionError { try container.resolve(Probe.self, key: "async") }
    #expect(error.code == .asyncRequired)
    let second = try await container.resolve(Probe.self, key: "async")
    #expect(second !== first)
    #expect(try await container.resolve(Probe.self, key: "async") === second)
    #expect(builds.count == 2)
    withExtendedLifetime(first) {}
  }

  @Test func theTimeToLiveStartsWhenTheBuildEnds() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { [clock] _ in
        clock.advance(by: .seconds(60))
        return Probe()
      }
      .timeToLive(.seconds(10))
      .onCreated { [clock] _, _ in clock.advance(by: .seconds(60)) }
    }
    let probe = try await container.resolve(Probe.self)
    clock.advance(by: .seconds(9))
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func aSharedInstanceCanEndBeforeItExpires() throws {
    let container = container(.shared)
    #expect(try container.resolve(Probe.self).name == "1")
    #expect(try container.resolve(Probe.self).name == "2", "No reference kept the first instance")
  }

  @Test func invalidatingAManagedScopeEndsAnInstanceBeforeItExpires() async throws {
    let period = ManagedScope("period")
    let container = container(.managed(by: period))
    let first = try await container.resolve(Probe.self)
    await period.invalidate()
    let second = try await container.resolve(Probe.self)
    #expect(second !== first)
    clock.advance(by: .seconds(10))
    #expect(try await container.resolve(Probe.self) !== second)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func withoutTimeToLiveEachResolveBuildsAnew(time: Duration) async throws {
    let container = container(.singleton, for: time)
    #expect(try await container.resolve(Probe.self).name == "1")
    #expect(try sync { try container.resolve(Probe.self) }.name == "2")
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(try await container.resolve(Probe.self, key: "async").name == "3")
    #expect(try await container.resolve(Probe.self, key: "async").name == "4")
  }

  @Test func instancesPerArgumentsExpireIndependently() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { (_, name: String) in Probe(name) }
        .perArguments().timeToLive(.seconds(10))
    }
    let ada = try await container.resolve(Probe.self, arguments: "Ada")
    clock.advance(by: .seconds(6))
    let bob = try await container.resolve(Probe.self, arguments: "Bob")
    clock.advance(by: .seconds(6))
    #expect(try await container.resolve(Probe.self, arguments: "Ada") !== ada)
    #expect(try await container.resolve(Probe.self, arguments: "Bob") === bob)
  }

  @Test func aliasesExpireWithTheirTarget() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .singleton) { _ in Store() }
        .timeToLive(.seconds(10))
        .implements((any Named).self) { $0 }
    }
    let store = try await container.resolve(Store.self)
    #expect(try await container.resolve((any Named).self).id == store.id)
    #expect(container.resolveIfReady((any Named).self)?.id == store.id)
    clock.advance(by: .seconds(10))
    #expect(container.resolveIfReady((any Named).self) == nil)
    let second = try await container.resolve((any Named).self)
    #expect(second.id != store.id)
    #expect(try await container.resolve(Store.self).id == second.id)
  }

  @Test func wrappersExpireWithTheirService() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .singleton) { _ in Store() }
        .timeToLive(.seconds(10))
        .implements((any Named).self) { $0 }
    }
    let wrapped = Counter()
    try await container.decorate((any Named).self) { _, inner in
      wrapped.increment()
      return inner
    }
    try await container.decorate(Store.self) { _, inner in inner }
    let named = try await container.resolve((any Named).self)
    #expect(try await container.resolve((any Named).self).id == named.id)
    clock.advance(by: .seconds(10))
    #expect(try await container.resolve((any Named).self).id != named.id)
    #expect(try await container.resolve(Store.self).id != named.id)
    #expect(wrapped.count == 2)
  }

  // A regression: a decorated instance had a time to live of its own, which began when it was decorated, by its own container's clock. So a
  // container handed out a decorator of an instance that had expired and was disposed of.
  @Test(arguments: [Scope.singleton, .shared, .managed(by: ManagedScope())], [true, false])
  func aDecoratedInstanceExpiresWithTheOneItWraps(scope: Scope, isSynchronous: Bool) async throws {
    let disposed = Journal<String>()
    let app = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: scope) { _ in
        if !isSynchronous { await Task.yield() }
        return Probe("\(builds.increment())")
      }
      .timeToLive(.seconds(10))
      .onDispose { disposed.note($0.name) }
    }
    let (child, other) = (app.makeChild(), Container())
    let link = other.link(app)
    let decorating = [child, other, child.makeChild()]
    for container in decorating {
      try await container.decorate(Probe.self) { _, probe in Probe("decorated " + probe.name) }
    }
    let first = try await app.resolve(Probe.self)
    clock.advance(by: .seconds(6))
    var decorated: [Probe] = []
    for container in decorating { decorated.append(try await container.resolve(Probe.self)) }
    #expect(decorated.map(\.name) == ["decorated 1", "decorated 1", "decorated decorated 1"])
    clock.advance(by: .seconds(3))
    for (container, probe) in zip(decorating, decorated) { #expect(container.resolveIfReady(Probe.self) === probe) }
    clock.advance(by: .seconds(1))
    for container in decorating { #expect(container.resolveIfReady(Probe.self) == nil) }
    let second = try await app.resolve(Probe.self)
    #expect(disposed.entries == (scope == .shared ? [] : ["1"]), "A shared instance is disposed of with its owner")
    for container in decorating {
      let probe = try await container.resolve(Probe.self)
      #expect(probe.name.hasSuffix("decorated 2"))
      await container.reset(Probe.self)
      #expect(container.resolveIfReady(Probe.self) == nil)
      #expect(try await container.resolve(Probe.self).name == probe.name, "The reset ended the inner instance, too")
    }
    withExtendedLifetime((first, second, decorated)) {}
    link.cancel()
  }

  // A regression: the age of an instance that its own container decorates began anew, too.
  @Test func aDecoratorAddedLaterExpiresWithTheInstanceItWraps() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .scoped) { _ in Store() }
        .timeToLive(.seconds(10))
        .implements((any Named).self) { $0 }
    }
    let named = try await container.resolve((any Named).self)
    clock.advance(by: .seconds(9))
    try await container.decorate(Store.self) { _, store in store }
    #expect(try await container.resolve(Store.self).id == named.id)
    clock.advance(by: .seconds(1))
    let second = try await container.resolve((any Named).self)
    #expect(second.id != named.id)
    #expect(try await container.resolve(Store.self).id == second.id)
  }

  @Test func anInstanceThatExpiresWhileItIsDecoratedIsNotKept() async throws {
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in Probe("\(builds.increment())") }.timeToLive(.seconds(10))
      Decorator(Probe.self) { [clock] _, probe in
        clock.advance(by: .seconds(10))
        return probe
      }
    }
    #expect(try await container.resolve(Probe.self).name == "1")
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(try await container.resolve(Probe.self).name == "2")
  }

  @Test func theRegistrationsClockOverridesTheContainers() async throws {
    let (own, reads) = (ManualClock(), Counter())
    let clock = WatchedClock { reads.increment() }
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .timeToLive(.seconds(10), clock: own)
    }
    let probe = try await container.resolve(Probe.self)
    clock.base.advance(by: .seconds(60))
    #expect(try await container.resolve(Probe.self) === probe)
    own.advance(by: .seconds(60))
    #expect(try await container.resolve(Probe.self) !== probe)
    #expect(reads.count == 0)
  }

  @Test func instancesExpireByTheStandardClock() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.timeToLive(.nanoseconds(1))
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.timeToLive(.seconds(3600)).key("long")
    }
    let probe = try await container.resolve(Probe.self)
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now == start { await Task.yield() }
    #expect(try await container.resolve(Probe.self) !== probe)
    let long = try await container.resolve(Probe.self, key: "long")
    #expect(try await container.resolve(Probe.self, key: "long") === long)
  }

  @Test func settingTheClockBackDoesNotReviveAnExpiredInstance() async throws {
    let container = container(.singleton)
    let probe = try await container.resolve(Probe.self)
    clock.advance(by: .seconds(10))
    #expect(container.resolveIfReady(Probe.self) == nil)
    clock.advance(by: .seconds(-9))
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(try await container.resolve(Probe.self) !== probe)
  }

  @Test func instancesWithoutATimeToLiveReadNoClock() async throws {
    let reads = Counter()
    let clock = WatchedClock { reads.increment() }
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    _ = try await container.resolve(Probe.self)
    #expect(reads.count == 0)
  }

  @Test func aClockCanResolveFromTheContainer() async throws {
    let shelf = Shelf<Container?>(nil)
    let clock = WatchedClock { _ = try? shelf.value?.resolve(Alpha.self) }
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Probe.self, scope: .singleton) { (_, _: Int) in Probe() }
        .perArguments().timeToLive(.seconds(10))
    }
    shelf.value = container
    defer { shelf.value = nil }
    for number in 0..<100 { _ = try await container.resolve(Probe.self, arguments: number) }
    await container.reset()
    #expect(container.resolveIfReady(Alpha.self) == nil)
    _ = try await container.resolve(Probe.self, arguments: 0)
    #expect(container.resolveIfReady(Alpha.self) != nil, "The clock has resolved its service")
  }
}

@Suite("Concurrent expiry", .timeLimit(.minutes(5)))
struct TimeToLiveConcurrencyTests {
  @Test func anExpiredInstanceIsReplacedOnce() async throws {
    let (clock, builds, gate, begun) = (ManualClock(), Counter(), Gate(), Gate())
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in
        let number = builds.increment()
        if number == 2 {
          begun.open()
          await gate.wait()
        }
        return Probe("\(number)")
      }.timeToLive(.seconds(10))
    }
    _ = try await container.resolve(Probe.self)
    clock.advance(by: .seconds(10))
    let stage = Stage()
    var waiters: [Task<Probe, any Error>] = []
    for _ in 0..<20 { waiters.append(await stage.start { _ in try await container.resolve(Probe.self) }) }
    try await begun.passed()
    #expect(container.resolveIfReady(Probe.self) == nil)
    gate.open()
    for waiter in waiters { #expect(try await waiter.value.name == "2") }
    #expect(builds.count == 2)
  }

  @Test func aFailedRebuildKeepsNoInstance() async throws {
    let (clock, builds) = (ManualClock(), Counter())
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in
        if builds.increment() == 2 { throw Boom() }
        return Probe("\(builds.count)")
      }.timeToLive(.seconds(10))
    }
    _ = try await container.resolve(Probe.self)
    clock.advance(by: .seconds(10))
    #expect(throws: Boom.self) { try container.resolve(Probe.self) }
    #expect(container.resolveIfReady(Probe.self) == nil, "The expired instance is not resolved again")
    #expect(try await container.resolve(Probe.self).name == "3")
  }
}

@Suite("Releasing expired instances", .timeLimit(.minutes(5)))
struct TimeToLiveLifetimeTests {
  private func setUp(_ lifetimes: [ObjectLifetime], _ clock: ManualClock) -> (Container, Counter) {
    let builds = Counter()
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .singleton) { _ in Store(lifetimes[builds.increment() - 1].token()) }
        .timeToLive(.seconds(10))
    }
    return (container, builds)
  }

  @Test func replacingAnExpiredInstanceReleasesIt() async throws {
    let (clock, lifetimes) = (ManualClock(), [ObjectLifetime(), ObjectLifetime()])
    let (container, _) = setUp(lifetimes, clock)
    _ = try await container.resolve(Store.self)
    clock.advance(by: .seconds(10))
    _ = try await container.resolve(Store.self)
    try await lifetimes[0].ended.passed()
    #expect(!lifetimes[1].hasEnded)
    withExtendedLifetime(container) {}
  }

  @Test func aResetReleasesAnExpiredInstance() async throws {
    let (clock, lifetimes) = (ManualClock(), [ObjectLifetime()])
    let (container, _) = setUp(lifetimes, clock)
    _ = try await container.resolve(Store.self)
    clock.advance(by: .seconds(10))
    await container.reset()
    try await lifetimes[0].ended.passed()
    withExtendedLifetime(container) {}
  }

  @Test func aResetDuringTheNextBuildReleasesTheExpiredInstance() async throws {
    let (clock, lifetime, builds) = (ManualClock(), ObjectLifetime(), Counter())
    let (begun, gate) = (Gate(), Gate())
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .singleton) { _ in
        if builds.increment() == 1 { return Store(lifetime.token()) }
        begun.open()
        await gate.wait()
        return Store()
      }.timeToLive(.seconds(10))
    }
    _ = try await container.resolve(Store.self)
    clock.advance(by: .seconds(10))
    let waiter = Task { try await container.resolve(Store.self) }
    try await begun.passed()
    await container.reset()
    try await lifetime.ended.passed()
    gate.open()
    _ = try await waiter.value
    #expect(container.resolveIfReady(Store.self) == nil)
  }

  @Test func freeingTheContainerReleasesAnExpiredInstance() async throws {
    let (clock, lifetimes) = (ManualClock(), [ObjectLifetime()])
    func use() async throws {
      let (container, _) = setUp(lifetimes, clock)
      _ = try await container.resolve(Store.self)
    }
    try await use()
    try await lifetimes[0].ended.passed()
  }

  @Test func expiredInstancesPerArgumentsAreSwept() async throws {
    let (clock, lifetime) = (ManualClock(), ObjectLifetime())
    let container = Container(configuration: .init(clock: clock)) {
      Registration(Store.self, scope: .singleton) { (_, number: Int) in
        Store(number == 0 ? lifetime.token() : nil)
      }
      .perArguments().timeToLive(.seconds(10))
    }
    for number in 0..<1000 {
      _ = try await container.resolve(Store.self, arguments: number)
      clock.advance(by: .seconds(5))
    }
    try await lifetime.ended.passed()
    let cells = container.ownBindings(of: Store.self).first?.argumentCells?.all.count
    #expect(try #require(cells) <= 32)
  }
}

@Suite("Invalid times to live", .timeLimit(.minutes(5)))
struct TimeToLiveFaultTests {
  @Test(arguments: [Scope.transient, .graph])
  func aScopeThatKeepsNoInstanceRefusesATimeToLive(scope: Scope) async throws {
    let registration = Registration(Probe.self, scope: scope) { _ in Probe() }.timeToLive(.seconds(1))
    let container = Container()
    let error = try await asyncResolutionError { try await container.register(registration) }
    #expect(error.code == .invalidRegistration)
    #expect(error.description.contains("the scope \(scope) keeps no instance"))
    #expect(container.registrationCount == 0)

    let initial = Container { registration }
    let late = try resolutionError { try initial.resolve(Probe.self) }
    #expect(late.code == .invalidRegistration)
  }

  @Test func theDefaultScopeDecidesWhetherATimeToLiveIsValid() async throws {
    let registration = Registration(Probe.self) { _ in Probe() }.timeToLive(.seconds(1))
    let error = try await asyncResolutionError { try await Container().register(registration) }
    #expect(error.code == .invalidRegistration)
    let container = Container(configuration: .init(defaultScope: .singleton))
    try await container.register(registration)
    let probe = try await container.resolve(Probe.self)
    #expect(container.resolveIfReady(Probe.self) === probe)
  }
}
