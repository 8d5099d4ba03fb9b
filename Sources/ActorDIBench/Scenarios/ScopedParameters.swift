import ActorDI

/// P20: the first resolve of a scoped service in a scope, by initialiser and by closure, with 0, 1 and 3 scoped parameters.
///
/// Opening and closing the scope is not timed. The clock is read before and after each resolve, and its cost is subtracted.
struct ScopedParameters: Scenario {
  static let name = "scoped-parameters"
  static let summary = "first resolve of a scoped service with n scoped parameters in an open scope, await"

  let unit = MeasuredUnit.single
  let lanes = Lanes.parameters([0, 1, 3])
  let fixedIterations: Int? = 1_000
  let mostRepeats = Pace.standard.repeats
  /// The objects of all three services.
  let expectedAnswer = 1 + 2 + 4

  private typealias Operation = @Sendable (Container) async throws -> Void

  func contenders() -> [Contender] {
    [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Self.plain0().weight + Self.plain1().weight + Self.plain3().weight },
        work: .own { load in try await Self.measure(load, in: Container(), Self.construction(load.lane)) }),
      Self.contender(ContenderName.factory, Self.factories()),
      Self.contender(ContenderName.autowired, Self.autowired()),
    ]
  }

  private static func contender(_ name: String, _ container: Container) -> Contender {
    Contender(
      name: name, role: .container,
      answer: {
        try await container.withScope("request") { scope in
          try scope.resolve(Scoped0.self).weight + scope.resolve(Scoped1.self).weight
            + scope.resolve(Scoped3.self).weight
        }
      },
      work: .own { load in try await Self.measure(load, in: container, Self.resolve(load.lane)) })
  }

  private static func resolve(_ parameters: Int) -> Operation {
    switch parameters {
    case 0: { consume(try await $0.resolve(Scoped0.self)) }
    case 1: { consume(try await $0.resolve(Scoped1.self)) }
    default: { consume(try await $0.resolve(Scoped3.self)) }
    }
  }

  private static func construction(_ parameters: Int) -> Operation {
    switch parameters {
    case 0: { _ in consume(plain0()) }
    case 1: { _ in consume(plain1()) }
    default: { _ in consume(plain3()) }
    }
  }

  // In a task of its own: on the main actor, each call would change threads.
  private static func measure(
    _ load: Load, in container: Container, _ operation: @escaping Operation
  ) async throws -> Sample {
    try await Task.detached {
      var time: UInt64 = 0
      for _ in 0..<load.iterations {
        time += try await container.withScope("request") { scope in
          let beginning = Clock.now()
          try await operation(scope)
          return Clock.now() &- beginning
        }
      }
      let overhead = Clock.overhead * Double(load.iterations)
      return Sample(total: max(0, Double(time) - overhead), operations: load.iterations)
    }.value
  }

  // MARK: - Registries

  private static func autowired() -> Container {
    Container {
      Registration(autowired: ScopedPartA.self, scope: .scoped, initializer: ScopedPartA.init)
      Registration(autowired: ScopedPartB.self, scope: .scoped, initializer: ScopedPartB.init)
      Registration(autowired: ScopedPartC.self, scope: .scoped, initializer: ScopedPartC.init)
      Registration(autowired: Scoped0.self, scope: .scoped, initializer: Scoped0.init)
      Registration(autowired: Scoped1.self, scope: .scoped, initializer: Scoped1.init)
      Registration(autowired: Scoped3.self, scope: .scoped, initializer: Scoped3.init)
    }
  }

  private static func factories() -> Container {
    Container {
      Registration(ScopedPartA.self, scope: .scoped) { _ in ScopedPartA() }
      Registration(ScopedPartB.self, scope: .scoped) { _ in ScopedPartB() }
      Registration(ScopedPartC.self, scope: .scoped) { _ in ScopedPartC() }
      Registration(Scoped0.self, scope: .scoped) { _ in Scoped0() }
      Registration(Scoped1.self, scope: .scoped) { r in Scoped1(a: try r.resolve()) }
      Registration(Scoped3.self, scope: .scoped) { r in
        Scoped3(a: try r.resolve(), b: try r.resolve(), c: try r.resolve())
      }
    }
  }

  // MARK: - Floors

  @inline(never)
  private static func plain0() -> Scoped0 { Scoped0() }

  @inline(never)
  private static func plain1() -> Scoped1 { Scoped1(a: ScopedPartA()) }

  @inline(never)
  private static func plain3() -> Scoped3 { Scoped3(a: ScopedPartA(), b: ScopedPartB(), c: ScopedPartC()) }
}

// The consumers have different parameters: see Consumer.swift.

@inline(never) @_optimize(none)
private func consume(_ service: borrowing Scoped0) {}

@inline(__always)
private func consume(_ service: borrowing Scoped1) { take(service, 1) }

@inline(__always)
private func consume(_ service: borrowing Scoped3) { take(service, 1, 2) }

@inline(never) @_optimize(none)
private func take(_ service: borrowing Scoped1, _ one: Int) {}

@inline(never) @_optimize(none)
private func take(_ service: borrowing Scoped3, _ one: Int, _ two: Int) {}

// MARK: - The services, in the same file as their factories: see Chain.swift

private final class ScopedPartA: Sendable { var weight: Int { 1 } }
private final class ScopedPartB: Sendable { var weight: Int { 1 } }
private final class ScopedPartC: Sendable { var weight: Int { 1 } }

private final class Scoped0: Sendable { var weight: Int { 1 } }

private final class Scoped1: Sendable {
  let a: ScopedPartA
  init(a: ScopedPartA) { self.a = a }
  var weight: Int { 1 + a.weight }
}

private final class Scoped3: Sendable {
  let a: ScopedPartA
  let b: ScopedPartB
  let c: ScopedPartC
  init(a: ScopedPartA, b: ScopedPartB, c: ScopedPartC) {
    self.a = a
    self.b = b
    self.c = c
  }
  var weight: Int { 1 + a.weight + b.weight + c.weight }
}
