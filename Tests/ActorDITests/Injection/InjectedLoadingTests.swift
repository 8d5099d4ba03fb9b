import ActorDI
import ActorDITestSupport
import Testing

/// Loading and reloading through the projected value.
@Suite("Loading injected properties", .timeLimit(.minutes(5)))
struct InjectedLoadingTests {
  private final class Owner {
    @Injected var probe: Probe
    @Injected var maybe: Probe?
    @Injected var all: [Probe]
  }

  /// Registers probes that are named by their number.
  private func numbered(_ counter: Counter, _ scope: Scope = .transient) -> Container {
    Container { Registration(Probe.self, scope: scope) { _ in Probe("\(counter.increment())") } }
  }

  @Test func loadIfNeededLoadsOnce() async throws {
    let counter = Counter()
    let container = numbered(counter)
    let owner = Owner()
    try await Container.withCurrent(container) {
      #expect(!owner.$probe.isLoaded)
      try await owner.$probe.loadIfNeeded()
      #expect(owner.$probe.isLoaded)
      try sync { try owner.$probe.loadIfNeeded() }
      #expect(owner.probe.name == "1")
      #expect(!owner.$maybe.isLoaded)
    }
    #expect(counter.count == 1)
  }

  @Test func reloadResolvesAgain() async throws {
    let counter = Counter()
    let container = numbered(counter)
    let owner = Owner()
    try await Container.withCurrent(container) {
      try sync { try owner.$probe.reload() }
      #expect(owner.probe.name == "1")
      try sync { try owner.$probe.reload() }
      #expect(owner.probe.name == "2")
      try await owner.$probe.reload()
      #expect(owner.probe.name == "3")
    }
  }

  @Test func reloadReturnsAKeptInstanceAgain() throws {
    let container = numbered(Counter(), .singleton)
    let owner = Owner()
    try Container.withCurrent(container) {
      let probe = owner.probe
      try owner.$probe.reload()
      #expect(owner.probe === probe)
    }
  }

  @Test func aReloadReleasesTheOldInstance() async throws {
    let lifetimes = [ObjectLifetime(), ObjectLifetime()]
    let counter = Counter()
    let container = Container {
      Registration(ObjectLifetime.Token.self) { _ in lifetimes[counter.increment() - 1].token() }
    }
    let token = Injected<ObjectLifetime.Token>(from: container)
    _ = token.wrappedValue
    #expect(!lifetimes[0].hasEnded)
    try await token.reload()
    try await lifetimes[0].ended.passed()
    #expect(!lifetimes[1].hasEnded)
    withExtendedLifetime(token) {}
  }

  @Test func manyThreadsReadALoadedProperty() async throws {
    let container = numbered(Counter())
    let probe = Injected<Probe>(from: container)
    let first = probe.wrappedValue
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try await onThread { (0..<1000).allSatisfy { _ in probe.wrappedValue === first } } }
      }
      for try await isFirst in group { #expect(isFirst) }
    }
  }

  /// A factory of a kept service reads a loaded property.
  @Test func aFactoryReadsALoadedProperty() throws {
    let container = numbered(Counter())
    let probe = Injected<Probe>(from: container)
    let first = probe.wrappedValue
    let other = Container { Registration(Root.self, scope: .singleton) { _ in Root(probe.wrappedValue) } }
    #expect(try other.resolve(Root.self).next as? Probe === first)
  }

  @Test func aFailedReloadKeepsTheValue() async throws {
    let container = numbered(Counter())
    let owner = Owner()
    try Container.withCurrent(container) { try owner.$probe.loadIfNeeded() }
    await container.unregister(Probe.self)
    #expect(try resolutionError { try owner.$probe.reload() }.code == .notRegistered)
    #expect(owner.probe.name == "1")
    #expect(owner.$probe.isLoaded)
    await #expect(throws: ResolutionError.self) { try await owner.$probe.reload() }
    #expect(owner.probe.name == "1")
    try await container.register(Probe.self) { _ in Probe("again") }
    #expect(owner.probe.name == "1")
    try await owner.$probe.reload()
    #expect(owner.probe.name == "again")
  }

  @Test func anAsynchronousServiceIsUsableAfterLoading() async throws {
    let counter = Counter()
    let gates = [Gate(), Gate()]
    let container = Container {
      Registration(Probe.self) { _ in
        let number = counter.increment()
        await gates[number - 1].wait()
        return Probe("\(number)")
      }
    }
    let probe = Injected<Probe>(from: container)
    let maybe = Injected<Probe?>(from: Container())
    #expect(try resolutionError { try probe.callAsFunction() }.code == .asyncRequired)
    gates[0].open()
    try await probe.loadIfNeeded()
    #expect(probe.wrappedValue.name == "1")
    // While a reload runs, the property has the old value.
    let reload = Task { try await probe.reload() }
    await counter.wait(for: 2)
    #expect(probe.wrappedValue.name == "1")
    gates[1].open()
    try await reload.value
    #expect(probe.wrappedValue.name == "2")
    #expect(maybe.wrappedValue == nil)
    #expect(counter.count == 2)
  }

  @Test func concurrentTasksLoadOnce() async throws {
    let counter = Counter()
    let gate = Gate()
    let container = Container {
      Registration(Probe.self) { _ in
        counter.increment()
        await gate.wait()
        return Probe()
      }
    }
    let probe = Injected<Probe>(from: container)
    let probes = try await withThrowingTaskGroup(of: Probe.self) { group in
      for _ in 0..<32 { group.addTask { try await probe() } }
      await counter.wait(for: 1)
      gate.open()
      return try await group.reduce(into: [Probe]()) { $0.append($1) }
    }
    #expect(counter.count == 1)
    #expect(probes.allSatisfy { $0 === probes[0] } && probes.count == 32)
  }

  @Test func aThreadWaitsForASynchronousLoadOnAnotherThread() async throws {
    let entered = Gate()
    let gate = Gate()
    let counter = Counter()
    let container = Container {
      Registration(Probe.self) { _ in
        counter.increment()
        entered.open()
        gate.block()
        return Probe()
      }
    }
    let probe = Injected<Probe>(from: container)
    async let loaded = onThread { try probe.callAsFunction() }
    await entered.wait()
    async let used = onThread { probe.wrappedValue }
    gate.open()
    let (first, second) = try await (loaded, used)
    #expect(first === second)
    #expect(counter.count == 1)
  }

  @Test func aThreadWaitsForASynchronousLoadInATask() async throws {
    let entered = Gate()
    let gate = Gate()
    let container = Container {
      Registration(Probe.self) { _ in
        entered.open()
        gate.block()
        return Probe()
      }
      Registration(autowired: Holder.self, initializer: Holder.init)
    }
    let holder = Injected<Holder>(from: container)
    let stage = Stage()
    // The factory blocks the stage's thread, so its start does not return before the gate is open.
    async let loaded = stage.start { _ in try await holder() }.value
    await entered.wait()
    async let used = onThread { holder.wrappedValue }
    gate.open()
    let (first, second) = try await (loaded, used)
    #expect(first.probe === second.probe)
  }

  private final class Holder: Sendable {
    let probe: Probe
    init(probe: Probe) { self.probe = probe }
  }

  @Test func aCancelledCallerDoesNotDisturbTheOthers() async throws {
    let counter = Counter()
    let gate = Gate()
    let container = Container {
      Registration(Probe.self) { _ in
        counter.increment()
        await gate.wait()
        return Probe()
      }
    }
    let probe = Injected<Probe>(from: container)
    let stage = Stage()
    let first = await stage.start { _ in try await probe() }
    let second = await stage.start { _ in try await probe() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    _ = try await second.value
    #expect(counter.count == 1)
  }

  @Test func theLaterOfTwoReloadsWins() async throws {
    let gates = [Gate(), Gate()]
    let counter = Counter()
    let container = Container {
      Registration(Probe.self) { _ in
        let number = counter.increment()
        await gates[number - 1].wait()
        return Probe("\(number)")
      }
    }
    let probe = Injected<Probe>(from: container)
    let first = Task { try await probe.reload() }
    await counter.wait(for: 1)
    let second = Task { try await probe.reload() }
    await counter.wait(for: 2)
    gates[1].open()
    try await second.value
    #expect(probe.wrappedValue.name == "2")
    gates[0].open()
    try await first.value
    #expect(probe.wrappedValue.name == "2")
  }
}
