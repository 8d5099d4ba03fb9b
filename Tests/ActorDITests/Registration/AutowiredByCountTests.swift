import ActorDI
import Testing

/// Initialisers with few parameters are told by forms of their own, those with more by a variadic one: all do the same.
@Suite("Autowired initialisers by number of parameters", .timeLimit(.minutes(5)))
struct AutowiredByCountTests {
  private struct One: Sendable { let number = 1 }
  private struct Two: Sendable { let number = 2 }
  private struct Three: Sendable { let number = 3 }
  private struct Four: Sendable { let number = 4 }
  private struct Five: Sendable { let number = 5 }

  private struct Taken: Sendable {
    let numbers: [Int]
    init() { numbers = [] }
    init(a: One) { numbers = [a.number] }
    init(a: One, b: Two) throws { numbers = [a.number, b.number] }
    init(a: One, b: borrowing Two, c: Three?) { numbers = [a.number, b.number, c?.number ?? 0] }
    init(a: One, b: Two, c: Three?, d: [Four]) { numbers = [a.number, b.number, c?.number ?? 0] + d.map(\.number) }
    init(a: One, b: Two, c: Three, d: Four, e: Five) {
      numbers = [a.number, b.number, c.number, d.number, e.number]
    }
  }

  private static var parts: Registrations {
    @RegistrationBuilder get {
      Registration(One.self) { _ in One() }
      Registration(Two.self) { _ in Two() }
      Registration(Three.self) { _ in Three() }
      Registration(Four.self) { _ in Four() }
      Registration(Five.self) { _ in Five() }
    }
  }

  private func check(_ container: Container, _ expected: [Int]) async throws {
    #expect(try sync { try container.resolve(Taken.self) }.numbers == expected)
    let taken = try await container.resolve(Taken.self)
    #expect(taken.numbers == expected)
    #expect(container.registrations.contains { $0.dependencies.count == expected.count && $0.service == Taken.self })
  }

  @Test(arguments: 0...5)
  func eachIsGivenItsParametersInOrder(count: Int) async throws {
    let container = Container {
      Self.parts
      switch count {
      case 0: Registration(autowired: Taken.self, initializer: { Taken() })
      case 1: Registration(autowired: Taken.self, initializer: Taken.init(a:))
      case 2: Registration(autowired: Taken.self, initializer: Taken.init(a:b:))
      case 3: Registration(autowired: Taken.self, initializer: Taken.init(a:b:c:))
      case 4: Registration(autowired: Taken.self, initializer: Taken.init(a:b:c:d:))
      default: Registration(autowired: Taken.self, initializer: Taken.init(a:b:c:d:e:))
      }
    }
    try await check(container, Array(1...5).prefix(count).map { $0 })
  }

  @Test(arguments: 0...5)
  func soDoesTheContainersOwnForm(count: Int) async throws {
    let container = Container { Self.parts }
    switch count {
    case 0: try await container.autoregister(Taken.self, initializer: { Taken() })
    case 1: try await container.autoregister(Taken.self, initializer: Taken.init(a:))
    case 2: try await container.autoregister(Taken.self, initializer: Taken.init(a:b:))
    case 3: try await container.autoregister(Taken.self, initializer: Taken.init(a:b:c:))
    case 4: try await container.autoregister(Taken.self, initializer: Taken.init(a:b:c:d:))
    default: try await container.autoregister(Taken.self, initializer: Taken.init(a:b:c:d:e:))
    }
    try await check(container, Array(1...5).prefix(count).map { $0 })
  }

  @Test(arguments: 1...5)
  func aMissingParameterIsNamed(count: Int) async throws {
    let container = Container {
      if count != 1 { Registration(One.self) { _ in One() } }
      if count > 2 { Registration(Two.self) { _ in Two() } }
      switch count {
      case 1: Registration(autowired: Taken.self, initializer: Taken.init(a:))
      case 2: Registration(autowired: Taken.self, initializer: Taken.init(a:b:))
      default: Registration(autowired: Taken.self, initializer: Taken.init(a:b:c:d:e:))
      }
    }
    let error = try resolutionError { try sync { try container.resolve(Taken.self) } }
    #expect(error.code == .notRegistered)
    let missing: any Any.Type = count == 1 ? One.self : count == 2 ? Two.self : Three.self
    #expect("\(error)".contains("\(missing)"))
  }

  @Test func whatIsTakenIsNeitherLostNorKept() async throws {
    final class Holder: Sendable {
      let first: Lifetime.Token
      let second: Lifetime.Token
      init(first: Lifetime.Token, second: Lifetime.Token) { (self.first, self.second) = (first, second) }
    }
    let lifetimes = Journal<Lifetime>()
    let container = Container {
      Registration(Lifetime.Token.self) { _ in
        let lifetime = Lifetime()
        lifetimes.note(lifetime)
        return lifetime.token()
      }
      Registration(autowired: Holder.self, initializer: Holder.init)
    }
    do {
      let holder = try await container.resolve(Holder.self)
      #expect(lifetimes.entries.count == 2 && lifetimes.entries.allSatisfy { !$0.hasEnded })
      withExtendedLifetime(holder) {}
    }
    for lifetime in lifetimes.entries { await lifetime.ended.wait() }
  }

  @Test func whatFailsHalfWayLeavesNothingBehind() async throws {
    let lifetime = Lifetime()
    let container = Container {
      Registration(Lifetime.Token.self) { _ in lifetime.token() }
      Registration(Two.self) { _ in throw Boom() }
      Registration(autowired: One.self, initializer: { (_: Lifetime.Token, _: Two) in One() })
    }
    await #expect(throws: Boom()) { try await container.resolve(One.self) }
    await lifetime.ended.wait()
  }
}
