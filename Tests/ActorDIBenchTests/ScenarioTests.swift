import ActorDI
import Synchronization
import Testing

@testable import ActorDIBench

@Suite("Scenarios")
struct ScenarioTests {
  /// Runs a number of iterations of each contender that measures itself.
  static func samples(
    _ scenario: some Scenario, iterations: Int, lane: Int = 1
  ) async throws -> [(name: String, sample: Sample)] {
    var samples: [(name: String, sample: Sample)] = []
    for contender in try await scenario.contenders() {
      guard case .own(let work) = contender.work else { continue }
      let load = Load(iterations: iterations, lane: lane, limit: .max / 4)
      samples.append((contender.name, try await work(load)))
    }
    return samples
  }

  @Test("Every contender of every scenario gives the right answer")
  func answers() async throws {
    for scenario in Scenarios.all {
      for contender in try await scenario.contenders() {
        let answer = try await contender.answer()
        #expect(answer == scenario.expectedAnswer, "\(scenario.name), \(contender.name)")
      }
    }
  }

  @Test("A batch counts its services, and what each takes of the heap")
  func batches() async throws {
    for (name, sample) in try await Self.samples(Registering(), iterations: 2, lane: 100) {
      #expect(sample.operations == 200, "\(name)")
      #expect(sample.total > 0)
      #expect((sample.details[.retained] != nil) == (Memory.obstacle == nil))
    }
  }

  @Test("A batch that registers less than it says stops the run")
  func shortBatch() async {
    let contender = Registering.contender("c", .baseline) { count in
      Registering.Batch(register: {}, registered: { count - 1 })
    }
    guard case .own(let work) = contender.work else { return }
    await #expect(throws: BenchmarkError.self) {
      try await work(Load(iterations: 1, lane: 5, limit: 0))
    }
  }

  @Test("Steps are counted, whatever the size of the registry")
  func inTurn() async throws {
    for (_, sample) in try await Self.samples(RegisteringInTurn(), iterations: 3, lane: 50) {
      #expect(sample.operations == 150)
    }
  }

  @Test("Operations among others are those of one thread, whatever the lane")
  func among() async throws {
    for (_, sample) in try await Self.samples(Among(), iterations: 1_000, lane: 100) {
      #expect(sample.operations == 1_000)
    }
  }

  @Test("Resolves of one thread are so whatever the lane says of the operation", arguments: Parameters.counts)
  func parameters(count: Int) async throws {
    for (_, sample) in try await Self.samples(Parameters(), iterations: 100, lane: count) {
      #expect(sample.operations == 100)
    }
  }

  @Test("All threads or tasks resolve, at each place", arguments: [1, 3])
  func places(lane: Int) async throws {
    for (_, sample) in try await Self.samples(WarmSingletonAwait(), iterations: 128, lane: lane)
      + Self.samples(Transient(), iterations: 128, lane: lane)
    {
      #expect(sample.operations == 128 * lane)
    }
  }

  @Test("Readers are disturbed by changes")
  func churn() async throws {
    for (_, sample) in try await Self.samples(Churn(), iterations: 20_000) {
      #expect(sample.operations == 20_000)
      #expect(sample.details[.disturbance] != nil)
    }
  }

  @Test("The floor of a request allocates its objects", .enabled(if: Allocations().obstacle == nil))
  func requestByHand() throws {
    let singletons = try Requests.Singletons(of: Requests.container())
    let sample = AllocationCount.ofThread(operations: 100) { count in
      for _ in 0..<count { _ = Requests.byHand(singletons) }
    }
    #expect(sample.perOperation == Double(Requests.objects))
    let (database, log) = (Database(), Log())
    let small = AllocationCount.ofThread(operations: 100) { count in
      for _ in 0..<count { _ = SmallRequests.byHand(database, log) }
    }
    #expect(small.perOperation == 4)
  }

  @Test("Beginnings and new types are timed one by one")
  func beginnings() async throws {
    for (_, sample) in try await Self.samples(ColdStart(), iterations: 1)
      + Self.samples(NewType(), iterations: 1)
    {
      #expect(sample.operations == 1)
      #expect(sample.total > 0)
    }
  }

  @Test("A crowd that has to wait for itself gets one instance", arguments: [1, 2, 64])
  func crowds(tasks: Int) async throws {
    for (_, sample) in try await Self.samples(FirstResolveTasks(), iterations: 2, lane: tasks) {
      #expect(sample.operations == 2)
    }
  }

  @Test("Memory is looked at in all quarters, and a spike is no growth")
  func looks() {
    func growth(_ steps: Int, _ live: (Int) -> Double) -> Double {
      var looks = Looks(steps: steps)
      for step in 0..<steps { looks.note(step) { live(step) } }
      return looks.growth
    }
    #expect(growth(100_000) { _ in 5 } == 1)
    #expect(growth(100_000) { $0 < 20_000 ? 1 : 5 } == 1)
    #expect(growth(100_000) { $0 > 90_000 && $0 < 94_000 ? 50 : 5 } == 1)
    #expect(growth(100_000) { $0 > 60_000 ? 6 : 5 } == 1.2)
    #expect(abs(growth(100_000) { Double($0) } - 7.0 / 3) < 0.02)
    #expect(growth(10) { _ in 5 }.isNaN)
  }

  @Test("Of single resolves the slow ones are not faster than the median", arguments: [1, 3])
  func latency(lane: Int) async throws {
    for (_, sample) in try await Self.samples(Latency(), iterations: 200, lane: lane) {
      let p99 = try #require(sample.details[.percentile99])
      let p999 = try #require(sample.details[.percentile999])
      #expect(sample.perOperation >= 0 && p99 >= sample.perOperation && p999 >= p99)
    }
  }
}

@Suite("Fixtures of scenarios")
struct ScenarioFixtureTests {
  @Test("There is a type for each number, and the same each time")
  func types() {
    let series = TypeSeries(First.self)
    let types = series.prefix(1_000)
    #expect(Set(types.map { ObjectIdentifier($0) }).count == 1_000)
    #expect(types.map { $0.digits } == Array(1...1_000))
    #expect(series.prefix(3).map { ObjectIdentifier($0) } == types.prefix(3).map { ObjectIdentifier($0) })
  }

  private struct First: Numbered {
    static var digits: Int { 1 }
  }

  @Test("The registry by hand builds once, and keeps by type and key")
  func lockedRegistry() {
    let registry = LockedRegistry()
    registry.register((any Greeter).self) { PoliteGreeter() }
    registry.register((any Greeter).self, key: 1) { PoliteGreeter() }
    let greeter: any Greeter = registry.resolve()
    #expect(greeter.answer(Answers.question) == Answers.greeter)
    #expect(greeter as AnyObject === registry.resolve((any Greeter).self) as AnyObject)
    #expect(greeter as AnyObject !== registry.resolve((any Greeter).self, key: 1) as AnyObject)
    #expect(registry.count == 2)
  }

  @Test("The dictionary without a lock returns what its closures make or hold")
  func plainDictionary() {
    let dictionary = Fixtures.plainDictionary()
    let leaf: Leaf = dictionary.resolve()
    #expect(leaf !== dictionary.resolve(Leaf.self))
    let greeter: any Greeter = dictionary.resolve()
    #expect(greeter as AnyObject === dictionary.resolve((any Greeter).self) as AnyObject)
  }

  @Test("A container at each place shares the built instance of the owner", arguments: Place.allCases)
  func places(place: Place) async throws {
    let owner = try Fixtures.warmContainer()
    let owned = try await owner.resolve((any Greeter).self) as AnyObject
    let found = try await place.withContainer(of: owner) { container in
      #expect((container === owner) == (place == .owner))
      return try await container.resolve((any Greeter).self)
    }
    #expect(found as AnyObject === owned)
  }

  @Test("System calls are counted", .enabled(if: SystemCallCount.obstacle == nil))
  func systemCalls() async {
    // Other tests make system calls meanwhile, so these are only lower bounds.
    let none = await SystemCallCount.ofProcess(operations: 10) { _ in }
    #expect(none.total >= 0)
    let calls = await SystemCallCount.ofProcess(operations: 10) { count in
      for _ in 0..<count { SystemCallCount.makeOne() }
    }
    #expect(calls.perOperation >= 1)
    #expect(calls.details[.waits] != nil)
  }

  @Test("The actor by hand builds once for all who wait")
  func dictionaryActor() async throws {
    let registry = DictionaryActor()
    let builds = Builds()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let greeter = try await registry.resolve((any Greeter).self) {
            await Task.yield()
            builds.count.add(1, ordering: .relaxed)
            return PoliteGreeter()
          }
          consume(greeter)
        }
      }
      try await group.waitForAll()
    }
    #expect(builds.count.load(ordering: .relaxed) == 1)
  }

  private final class Builds: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("A reader counts what it reads, and what it does not find")
  func reader() throws {
    let found = try Reader(of: Fixtures.warmContainer())
    let missing = try Reader(of: Container())
    // The loop does not suspend, since the readers' threads keep the cores busy until they end.
    while found.reads == 0 || missing.failures == 0 {}
    found.end()
    missing.end()
    #expect(found.failures == 0)
    #expect(missing.failures == missing.reads)
  }

  @Test("The clock takes time to read, and goes in whole steps")
  func clock() {
    #expect(Clock.overhead >= 0 && Clock.overhead < 1_000_000)
    #expect(Clock.step >= 1)
  }

  @Test("Live memory tells of a large block", .enabled(if: Memory.obstacle == nil))
  func liveMemory() {
    let size = 64 << 20
    let before = Memory.live
    let block = [UInt8](repeating: 1, count: size)
    // Other tests allocate and free meanwhile, but far less than this.
    #expect(Memory.live - before > size / 2)
    withExtendedLifetime(block) {}
    if Memory.beginPeak() { #expect((Memory.peak ?? 0) > size) }
  }
}
