import ActorDI
import ActorDITestSupport
import Testing

/// There is a separate overload for each number of parameters up to twelve, and a variadic one beyond. All behave the same.
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
  func anInitialiserGetsItsParametersInOrder(count: Int) async throws {
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
  func autoregisterPassesParametersInOrder(count: Int) async throws {
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
  func theErrorNamesAMissingParameter(count: Int) async throws {
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

  @Test func anAutowiredInstanceAloneRetainsItsDependencies() async throws {
    final class Holder: Sendable {
      let first: ObjectLifetime.Token
      let second: ObjectLifetime.Token
      init(first: ObjectLifetime.Token, second: ObjectLifetime.Token) { (self.first, self.second) = (first, second) }
    }
    let lifetimes = Journal<ObjectLifetime>()
    let container = Container {
      Registration(ObjectLifetime.Token.self) { _ in
        let lifetime = ObjectLifetime()
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

  @Test func aFailingDependencyReleasesTheResolvedOnes() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self) { _ in lifetime.token() }
      Registration(Two.self) { _ in throw Boom() }
      Registration(autowired: One.self, initializer: { (_: ObjectLifetime.Token, _: Two) in One() })
    }
    await #expect(throws: Boom()) { try await container.resolve(One.self) }
    await lifetime.ended.wait()
  }

  // MARK: Long initialisers

  /// A service with many parameters, each of a different type so that a mix-up shows.
  private struct Long: Sendable, Equatable { let numbers: [Int] }

  private struct Part<Tag>: Sendable { let number: Int }

  private static let longParts = Container {
    Registration(Part<Int>.self) { _ in Part(number: 1) }
    Registration(Part<Int8>.self) { _ in Part(number: 2) }
    Registration(Part<Int16>.self) { _ in Part(number: 3) }
    Registration(Part<Int32>.self, scope: .singleton) { _ in Part(number: 4) }
    Registration(Part<Int64>.self) { _ in Part(number: 5) }
    Registration(Part<UInt>.self) { _ in Part(number: 6) }
    Registration(Part<UInt8>.self) { _ in Part(number: 7) }
    Registration(Part<UInt16>.self, scope: .singleton) { _ in Part(number: 8) }
    Registration(Part<UInt32>.self) { _ in Part(number: 9) }
    Registration(Part<UInt64>.self) { _ in Part(number: 10) }
    Registration(Part<Float>.self) { _ in Part(number: 11) }
    Registration(Part<Double>.self) { _ in Part(number: 12) }
    Registration(Part<String>.self) { _ in Part(number: 13) }
  }

  private typealias I = Part<Int>
  private typealias I8 = Part<Int8>
  private typealias I16 = Part<Int16>
  private typealias I32 = Part<Int32>
  private typealias I64 = Part<Int64>
  private typealias U = Part<UInt>
  private typealias U8 = Part<UInt8>
  private typealias U16 = Part<UInt16>
  private typealias U32 = Part<UInt32>
  private typealias U64 = Part<UInt64>
  private typealias F = Part<Float>
  private typealias D = Part<Double>
  private typealias S = Part<String>

  private static func six(_ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U) -> Long {
    Long(numbers: [a.number, b.number, c.number, d.number, e.number, f.number])
  }
  private static func seven(_ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8) -> Long {
    Long(numbers: six(a, b, c, d, e, f).numbers + [g.number])
  }
  private static func eight(_ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16) -> Long {
    Long(numbers: seven(a, b, c, d, e, f, g).numbers + [h.number])
  }
  private static func nine(
    _ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16, _ i: U32
  ) throws -> Long {
    Long(numbers: eight(a, b, c, d, e, f, g, h).numbers + [i.number])
  }
  private static func ten(
    _ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16, _ i: U32, _ j: U64
  ) -> Long {
    Long(numbers: eight(a, b, c, d, e, f, g, h).numbers + [i.number, j.number])
  }
  private static func eleven(
    _ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16, _ i: U32, _ j: U64, _ k: F
  ) -> Long {
    Long(numbers: ten(a, b, c, d, e, f, g, h, i, j).numbers + [k.number])
  }
  private static func twelve(
    _ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16, _ i: U32, _ j: U64, _ k: F, _ l: D
  ) -> Long {
    Long(numbers: eleven(a, b, c, d, e, f, g, h, i, j, k).numbers + [l.number])
  }
  private static func thirteen(
    _ a: I, _ b: I8, _ c: I16, _ d: I32, _ e: I64, _ f: U, _ g: U8, _ h: U16, _ i: U32, _ j: U64, _ k: F, _ l: D,
    _ m: S
  ) -> Long {
    Long(numbers: twelve(a, b, c, d, e, f, g, h, i, j, k, l).numbers + [m.number])
  }

  @Test(arguments: 6...13)
  func aLongInitialiserGetsItsParametersInOrder(count: Int) async throws {
    let container = Self.longParts.makeChild {
      switch count {
      case 6: Registration(autowired: Long.self, initializer: Self.six)
      case 7: Registration(autowired: Long.self, initializer: Self.seven)
      case 8: Registration(autowired: Long.self, initializer: Self.eight)
      case 9: Registration(autowired: Long.self, initializer: Self.nine)
      case 10: Registration(autowired: Long.self, initializer: Self.ten)
      case 11: Registration(autowired: Long.self, initializer: Self.eleven)
      case 12: Registration(autowired: Long.self, initializer: Self.twelve)
      default: Registration(autowired: Long.self, initializer: Self.thirteen)
      }
    }
    let expected = Long(numbers: Array(1...count))
    #expect(try sync { try container.resolve(Long.self) } == expected)
    #expect(try await container.resolve(Long.self) == expected)
    #expect(container.registrations.first?.dependencies.count == count)
    let keyed = Self.longParts.makeChild {
      Registration(autowired: Long.self, initializer: Self.twelve).key("k").inheritKey()
      Registration(Part<Int8>.self) { _ in Part(number: 20) }.key("k")
    }
    #expect(try await keyed.resolve(Long.self, key: "k").numbers == [1, 20] + Array(3...12))
  }
}
