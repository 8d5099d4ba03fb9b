import ActorDI
import Synchronization
import Testing

/// Conflicting overrides while the container changes.
@Suite(.inTurn) struct OverrideStressTests {
  private protocol Holding: Sendable {
    var probe: Probe { get }
  }

  private final class Holder: Holding {
    let probe: Probe
    init(probe: Probe) { self.probe = probe }
  }

  private final class Outer: Sendable {
    let holder: Holder
    init(holder: Holder) { self.holder = holder }
  }

  /// A registration of the holder, with its alias.
  private static func holder(_ registration: Registration<Holder>) -> Registration<Holder> {
    registration.implements((any Holding).self) { $0 }
  }

  /// Makes a container with the services that the tests resolve.
  private func makeContainer(with probe: Registration<Probe>) -> Container {
    Container {
      probe
      Self.holder(Registration(autowired: Holder.self, scope: .singleton, initializer: Holder.init))
      Registration(Outer.self, scope: .singleton) { r async throws in
        await Task.yield()
        return Outer(holder: try await r.resolve())
      }
    }
  }

  @Test("Properties of an operation that has ended are loaded from its overrides, and release everything")
  func succession() async throws {
    let run = StressRun("properties of ended operations", size: 400)
    let census = Census()
    try await withWatchdog("properties of ended operations") {
      let container = makeContainer(with: Registration(scope: .singleton) { _ in Probe(census) })
      var readers = Readers()
      readers.threads(1) {
        {
          do {
            expect(0, try container.resolve(Holder.self).probe)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      for number in 1...3 {
        readers.tasks(1) {
          {
            do {
              let probes = try await container.withOverrides {
                Registration(Probe.self, scope: .singleton) { _ in Probe(census, generation: number) }
                  .onDispose { _ in }
              } operation: { () async throws in
                (0..<3).map { _ in (Injected<Probe>(from: container), Injected<Holder>(from: container)) }
              }
              // Each task has properties of its own, and releases them when it has loaded them.
              await withTaskGroup(of: Void.self) { group in
                for (probe, holder) in probes {
                  group.addTask {
                    expect(number, probe.wrappedValue)
                    expect(number, holder.wrappedValue.probe)
                  }
                }
              }
            } catch {
              complain("unexpected error: \(error)")
            }
          }
        }
      }
      try await readers.run { pace in
        for _ in 0..<run.size {
          await container.reset()
          await pace()
        }
      }
      expect(0, try await container.resolve(Probe.self))
    }
    try await expectAllReleased(census)
  }

  @Test("Only the overriding operation gets its override while the container changes")
  func conflicts() async throws {
    let run = StressRun("conflicting overrides", size: 300)
    let census = Census()
    try await withWatchdog("conflicting overrides") {
      let container = makeContainer(with: Registration(scope: .singleton) { _ in Probe(census) })
      var readers = Readers()
      readers.threads(1) {
        {
          do {
            expect(0, try container.resolve(Probe.self))
            expect(0, try container.resolve(Holder.self).probe)
            expect(0, try container.resolve((any Holding).self).probe)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      readers.tasks(1) {
        { await resolveAll(from: container, expecting: 0) }
      }
      for number in 1...6 {
        readers.tasks(1) {
          {
            do {
              try await container.withOverrides {
                Registration(Probe.self, scope: .singleton) { _ in Probe(census, generation: number) }
              } operation: {
                await withTaskGroup(of: Void.self) { group in
                  for _ in 1...2 { group.addTask { await resolveAll(from: container, expecting: number) } }
                }
              }
            } catch {
              complain("unexpected error: \(error)")
            }
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          switch round % 4 {
          case 0: await container.reset()
          case 1: try await container.register(Probe.self, scope: .singleton) { _ in Probe(census) }
          case 2:
            try await container.register(
              Self.holder(Registration(scope: .singleton) { r in Holder(probe: try r.resolve()) }))
          default: await container.reset(Outer.self)
          }
          await pace()
        }
      }
      await container.clear()
    }
    try await expectAllReleased(census)
    #expect(census.made > 0)
  }

  /// The number of refused resolves.
  private final class Refusals: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }

    func add(_ error: any Error) {
      guard (error as? ResolutionError)?.code == .external else { return complain("unexpected error: \(error)") }
      number.add(1, ordering: .relaxed)
    }
  }

  @Test("A strict operation gets no external service while the container changes")
  func strictness() async throws {
    let run = StressRun("strict operations", size: 200)
    let census = Census()
    let refused = Refusals()
    try await withWatchdog("strict operations") {
      @Sendable func external() -> Registration<Probe> {
        Registration(scope: .singleton) { _ in Probe(census) }.external()
      }
      let container = makeContainer(with: external())
      var readers = Readers()
      readers.threads(1) {
        {
          do {
            try container.withOverrides(strict: true) {
            } operation: {
              expectRefusal(refused) { try container.resolve(Holder.self) }
              expectRefusal(refused) { try container.resolve(Probe.self) }
            }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      readers.tasks(1) {
        { await resolveAll(from: container, expecting: 0) }
      }
      for number in 0...2 {
        readers.tasks(1) {
          {
            do {
              try await container.withOverrides(strict: true) {
                if number > 0 { Registration(Probe.self, scope: .singleton) { _ in Probe(census, generation: number) } }
              } operation: {
                await withTaskGroup(of: Void.self) { group in
                  for _ in 1...2 {
                    group.addTask {
                      if number > 0 { return await resolveAll(from: container, expecting: number) }
                      await expectRefusal(refused) { try await container.resolve(Outer.self) }
                      await expectRefusal(refused) { try await container.resolve(Probe.self) }
                    }
                  }
                }
              }
            } catch {
              complain("unexpected error: \(error)")
            }
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          switch round % 3 {
          case 0: await container.reset()
          case 1: try await container.register(external())
          default:
            try await container.register(
              Self.holder(Registration(scope: .singleton) { r in Holder(probe: try r.resolve()) }))
          }
          await pace()
        }
      }
      await container.clear()
    }
    try await expectAllReleased(census)
    #expect(refused.count > 0)
  }

  private func expectRefusal<Service>(_ refused: Refusals, _ body: () throws -> Service) {
    do {
      _ = try body()
      complain("a strict operation got \(Service.self)")
    } catch {
      refused.add(error)
    }
  }

  private func expectRefusal<Service>(_ refused: Refusals, _ body: () async throws -> Service) async {
    do {
      _ = try await body()
      complain("a strict operation got \(Service.self)")
    } catch {
      refused.add(error)
    }
  }

  private func resolveAll(from container: Container, expecting number: Int) async {
    do {
      expect(number, try await container.resolve(Outer.self).holder.probe)
      expect(number, try await container.resolve(Holder.self).probe)
      expect(number, try await container.resolve((any Holding).self).probe)
      let (one, other) = (try await container.resolve(Probe.self), try await container.resolve(Probe.self))
      expect(number, one)
      if number > 0 && one !== other { complain("one override has two instances") }
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expect(_ number: Int, _ probe: Probe) {
    if !probe.isAlive { complain("the resolve returned a freed instance") }
    if probe.generation != number { complain("the instance of override \(probe.generation) instead of \(number)") }
  }
}
