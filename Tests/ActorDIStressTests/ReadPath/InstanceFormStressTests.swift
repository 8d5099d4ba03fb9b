import ActorDI
import Testing

private protocol Numbered: Sendable { var probe: Probe { get } }
extension Probe: Numbered { var probe: Probe { self } }

private struct Wrapped: Numbered {
  let probe: Probe
}

private struct Aligned: Numbered {
  let numbers: SIMD4<Float>
  let probe: Probe
}

private struct Large: Numbered {
  let words = (1, 2, 3, 4, 5, 6, 7, 8)
  let probe: Probe
}

private enum Choice: Numbered {
  case made(Probe), other(Probe, Int)
  var probe: Probe {
    switch self {
    case .made(let probe), .other(let probe, _): probe
    }
  }
}

/// An instance moves through untyped memory (`Box`) from factories that the compiler inlines. A wrong optimisation would free it too
/// early. So this test is useful in release builds.
@Suite(.inTurn) struct InstanceFormStressTests {
  @Test("Instances of all layouts live while they are referenced, and are freed")
  func layouts() async throws {
    let run = StressRun("instances of all layouts", size: 400)
    let census = Census()
    try await withWatchdog("instances of all layouts") {
      for round in 0..<run.size {
        let scope = [Scope.transient, .singleton, .graph, .scoped, .shared][round % 5]
        let container = Container {
          Registration(Probe.self, scope: scope) { _ in Probe(census, generation: 1) }
          Registration(Wrapped.self, scope: scope) { _ in Wrapped(probe: Probe(census, generation: 2)) }
          Registration(Aligned.self, scope: scope) { _ in
            Aligned(numbers: SIMD4(1, 2, 3, 4), probe: Probe(census, generation: 3))
          }
          Registration(Large.self, scope: scope) { _ in Large(probe: Probe(census, generation: 4)) }
          Registration(Choice.self, scope: scope) { _ in Choice.other(Probe(census, generation: 5), 5) }
          Registration((any Numbered).self, scope: scope) { _ in Probe(census, generation: 6) }
          Registration((any Numbered).self, scope: scope) { _ in
            Large(probe: Probe(census, generation: 7))
          }
          .key("large")
          Registration((any Numbered).self, scope: scope) { _ async in Probe(census, generation: 8) }.key("async")
          Registration(Choice.self, scope: scope) { _ async in .made(Probe(census, generation: 9)) }.key("async")
          Registration(Choice.self, scope: scope) { (_, generation: Int) in
            .made(Probe(census, generation: generation))
          }
          Registration((any Numbered).self, scope: scope) { (_, generation: Int) async in
            Wrapped(probe: Probe(census, generation: generation))
          }
        }
        try await container.decorate(Large.self) { _, inner in
          inner.probe.isAlive ? inner : Large(probe: Probe(census, generation: 0))
        }
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask { await Self.resolveAll(from: container) }
            group.addTask { Self.resolveAllNow(from: container) }
          }
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made > run.size)
  }

  private static func check(_ numbered: any Numbered, _ generation: Int) {
    if !numbered.probe.isAlive { complain("the resolve returned a freed instance of generation \(generation)") }
    if numbered.probe.generation != generation {
      complain("generation \(numbered.probe.generation) instead of \(generation)")
    }
  }

  private static func resolveAll(from container: Container) async {
    await expectNoError {
      check(try await container.resolve(Probe.self), 1)
      check(try await container.resolve(Wrapped.self), 2)
      let aligned = try await container.resolve(Aligned.self)
      check(aligned, 3)
      if aligned.numbers != SIMD4(1, 2, 3, 4) { complain("the aligned value holds \(aligned.numbers)") }
      let large = try await container.resolve(Large.self)
      check(large, 4)
      if large.words.7 != 8 { complain("the large value holds \(large.words)") }
      check(try await container.resolve(Choice.self), 5)
      check(try await container.resolve((any Numbered).self), 6)
      check(try await container.resolve((any Numbered).self, key: "large"), 7)
      check(try await container.resolve((any Numbered).self, key: "async"), 8)
      check(try await container.resolve(Choice.self, key: "async"), 9)
      check(try await container.resolve(Choice.self, arguments: 10), 10)
      check(try await container.resolve((any Numbered).self, arguments: 11), 11)
    }
  }

  private static func resolveAllNow(from container: Container) {
    expectNoError {
      check(try container.resolve(Probe.self), 1)
      check(try container.resolve(Wrapped.self), 2)
      check(try container.resolve(Aligned.self), 3)
      check(try container.resolve(Large.self), 4)
      check(try container.resolve(Choice.self), 5)
      check(try container.resolve((any Numbered).self), 6)
      try container.withResolved((any Numbered).self, key: "large") { check(copy $0, 7) }
      check(try container.resolve(Choice.self, arguments: 10), 10)
    }
  }
}
