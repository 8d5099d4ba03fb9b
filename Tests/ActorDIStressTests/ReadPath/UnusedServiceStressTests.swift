import ActorDI
import Testing

private struct Pair: Sendable {
  let probe: Probe
  var number = 1
}

private struct Large: Sendable {
  var words = (1, 2, 3, 4, 5, 6, 7, 8)
  let probe: Probe
}

private protocol Alive: Sendable { var isAlive: Bool { get } }
extension Probe: Alive {}

private final class Owner: Sendable {
  private let probe: Probe

  init(_ census: Census) { probe = Probe(census) }

  deinit {
    if !probe.isAlive { complain("a part of the service is freed before the service") }
  }
}

private final class Discarding: Sendable {
  private let probe: Probe

  /// Resolves each service without using it.
  init(_ resolver: Resolver, _ census: Census) throws {
    _ = try resolver.resolve(Owner.self)
    _ = try resolver.resolve(Pair.self)
    _ = try resolver.resolve(Large.self)
    _ = try resolver.resolve((any Alive).self)
    probe = Probe(census)
  }
}

private let token = ServiceKey<Owner>("token")

/// Services that their callers ignore. The optimiser releases them in the memory to which the library has written them. It omitted that
/// release while it saw the memory's own type, which needs none (see `StackWords`).
@Suite(.inTurn) struct UnusedServiceStressTests {
  @Test(
    "A service that its caller does not use is freed",
    arguments: [Scope.transient, .graph, .singleton, .shared, .scoped])
  func unused(scope: Scope) async throws {
    let run = StressRun("unused services, \(scope)", size: 50)
    let census = Census()
    try await withWatchdog("unused services, \(scope)") {
      let parent = Container {
        Registration(Owner.self, scope: scope) { _ in Owner(census) }
        Registration(Owner.self, scope: scope) { _ in Owner(census) }.key("key")
        Registration(token, scope: scope) { _ in Owner(census) }
        Registration(Owner.self, scope: scope) { (_, _: Int) in Owner(census) }
        Registration(Pair.self, scope: scope) { _ in Pair(probe: Probe(census)) }
        Registration(Large.self, scope: scope) { _ in Large(probe: Probe(census)) }
        Registration((any Alive).self, scope: scope) { _ in Probe(census) }
        Registration(Discarding.self, scope: scope) { try Discarding($0, census) }
        Registration(Probe.self, scope: scope) { _ async in Probe(census) }.key("async")
      }
      await Threads.run(2) { _ in
        for _ in 0..<run.size {
          let child = Container(parent: parent)
          Self.discard(from: parent)
          Self.discard(from: child)
          // Not in `discard`: here the optimiser sees the code around it, too.
          do {
            _ = try child.resolve(Owner.self)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      for _ in 0..<run.size {
        await Self.discard(from: Container(parent: parent))
        await Self.discard(from: parent)
      }
      await parent.reset()
    }
    try await expectAllReleased(census)
    #expect(census.made > 0)
  }

  private static func discard(from container: Container) {
    expectNoError { _ = try container.resolve(Owner.self) }
    expectNoError { _ = try container.resolve(Owner.self, key: "key") }
    expectNoError { _ = try container.resolve(token) }
    expectNoError { _ = try container.resolve(Owner.self, arguments: 1) }
    expectNoError { _ = try container.resolve(Pair.self) }
    expectNoError { _ = try container.resolve(Large.self) }
    expectNoError { _ = try container.resolve((any Alive).self) }
    expectNoError { _ = try container.resolve(Discarding.self) }
    expectNoError { _ = try container.resolve([Pair].self) }
    expectNoError { _ = try container.resolve(Owner?.self) }
    expectNoError { _ = try container.resolve(Provider<Pair>.self)() }
    expectNoError { _ = try container.resolve(Lazy<Owner>.self)() }
    expectNoError { _ = try container.resolveAny(Owner.self) }
    expectNoError { _ = try container ~> Pair.self }
    expectNoError { try container.withResolved(Pair.self) { _ in } }
  }

  private static func discard(from container: Container) async {
    await expectNoError { _ = try await container.resolve(Owner.self) }
    await expectNoError { _ = try await container.resolve(Owner.self, key: "key") }
    await expectNoError { _ = try await container.resolve(token) }
    await expectNoError { _ = try await container.resolve(Owner.self, arguments: 1) }
    await expectNoError { _ = try await container.resolve(Pair.self) }
    await expectNoError { _ = try await container.resolve(Large.self) }
    await expectNoError { _ = try await container.resolve((any Alive).self) }
    await expectNoError { _ = try await container.resolve(Discarding.self) }
    await expectNoError { _ = try await container.resolve(Probe.self, key: "async") }
    await expectNoError { _ = try await container.resolve([Pair].self) }
    await expectNoError { _ = try await container.resolve(Provider<Pair>.self)() }
    await expectNoError { _ = try await container.resolve(Lazy<Owner>.self)() }
    await expectNoError { _ = try await container.resolveAny(Owner.self) }
    await expectNoError { _ = try await container ~> Pair.self }
  }
}
