import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Concurrent resolves of a kept service", .timeLimit(.minutes(5)))
struct ConcurrentResolveTests {
  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func waitingTasksShareOneBuild(scope: Scope) async throws {
    let (gate, builds, stage) = (Gate(), Counter(), Stage())
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in
        builds.increment()
        await gate.wait()
        return Probe()
      }
    }
    var tasks: [Task<Probe, any Error>] = []
    for _ in 0..<20 {
      tasks.append(await stage.start { _ in try await container.resolve(Probe.self) })
    }
    gate.open()
    var probes: [Probe] = []
    for task in tasks { probes.append(try await task.value) }
    #expect(Set(probes.map(ObjectIdentifier.init)).count == 1)
    #expect(builds.count == 1)
  }

  @Test func concurrentTasksBuildOnce() async throws {
    for _ in 0..<20 {
      let builds = Counter()
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in
          builds.increment()
          await Task.yield()
          return Probe()
        }
      }
      let probes = try await withThrowingTaskGroup(of: Probe.self) { group in
        for _ in 0..<50 { group.addTask { try await container.resolve(Probe.self) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(probes.map(ObjectIdentifier.init)).count == 1)
      #expect(builds.count == 1)
    }
  }

  @Test func concurrentThreadsBuildOnce() async throws {
    for _ in 0..<20 {
      let (builds, gate) = (Counter(), Gate())
      let container = Container {
        Registration(Probe.self, scope: .singleton) { _ in
          builds.increment()
          return Probe()
        }
      }
      async let first = onThread {
        gate.block()
        return try container.resolve(Probe.self)
      }
      async let second = onThread {
        gate.block()
        return try container.resolve(Probe.self)
      }
      async let third = onThread {
        gate.block()
        return try container.resolve(Probe.self)
      }
      gate.open()
      let probes = try await [first, second, third]
      #expect(probes.allSatisfy { $0 === probes[0] })
      #expect(builds.count == 1)
    }
  }

  @Test func aTaskSuspendsUntilAThreadsBuildEnds() async throws {
    let (begun, gate, builds, stage) = (Gate(), Gate(), Counter(), Stage())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        begun.open()
        gate.block()
        return Probe()
      }
    }
    async let fromThread = onThread { try container.resolve(Probe.self) }
    try await begun.passed()
    // If the task blocked its thread, its start would not return.
    let task = await stage.start { _ in try await container.resolve(Probe.self) }
    gate.open()
    #expect(try await fromThread === task.value)
    #expect(builds.count == 1)
  }

  @Test func aThreadBlocksUntilAnotherThreadsBuildEnds() async throws {
    let (begun, arrived, gate, builds) = (Gate(), Gate(), Gate(), Counter())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        begun.open()
        gate.block()
        return Probe()
      }
    }
    async let first = onThread { try container.resolve(Probe.self) }
    try await begun.passed()
    async let second = onThread {
      arrived.open()
      return try container.resolve(Probe.self)
    }
    try await arrived.passed()
    gate.open()
    #expect(try await first === second)
    #expect(builds.count == 1)
  }

  @Test func tasksBuildDifferentKeysInParallel() async throws {
    // Each factory waits until the other one has begun.
    let gates = ["a": Gate(), "b": Gate()]
    let container = Container {
      for (key, other) in [("a", "b"), ("b", "a")] {
        Registration(Probe.self, scope: .singleton) { _ in
          gates[key]?.open()
          await gates[other]?.wait()
          return Probe(key)
        }.key(key)
      }
    }
    async let a = container.resolve(Probe.self, key: "a")
    async let b = container.resolve(Probe.self, key: "b")
    #expect(try await [a.name, b.name] == ["a", "b"])
  }

  @Test func threadsBuildDifferentKeysInParallel() async throws {
    let gates = ["a": Gate(), "b": Gate()]
    let container = Container {
      for (key, other) in [("a", "b"), ("b", "a")] {
        Registration(Probe.self, scope: .singleton) { _ in
          gates[key]?.open()
          gates[other]?.block()
          return Probe(key)
        }.key(key)
      }
    }
    async let a = onThread { try container.resolve(Probe.self, key: "a") }
    async let b = onThread { try container.resolve(Probe.self, key: "b") }
    #expect(try await [a.name, b.name] == ["a", "b"])
  }

  @Test func eachCallerBuildsAValueOfAWeakScope() async throws {
    let (gate, builds, stage) = (Gate(), Counter(), Stage())
    let container = Container {
      Registration(Setting.self, scope: .shared) { _ in
        let number = builds.increment()
        await gate.wait()
        return Setting(number: number)
      }
    }
    var tasks: [Task<Setting, any Error>] = []
    for _ in 0..<4 {
      tasks.append(await stage.start { _ in try await container.resolve(Setting.self) })
    }
    gate.open()
    var numbers: Set<Int> = []
    for task in tasks { numbers.insert(try await task.value.number) }
    #expect(numbers == [1, 2, 3, 4])
    #expect(builds.count == 4)
  }
}
