import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Pair: Equatable, Sendable {
  let number: Int8
  let token: ObjectLifetime.Token

  static func == (left: Pair, right: Pair) -> Bool { left.number == right.number && left.token === right.token }
}

private enum Either: Equatable, Sendable {
  case pair(Pair)
  case nothing
}

private struct Large: Equatable, Sendable {
  let numbers = [1, 2, 3]
  let vector = SIMD64<UInt8>(repeating: 4)
  let pair: Pair
}

/// What a factory gets as a parameter, or a caller from a container.
private struct Received<Value: Sendable>: Sendable {
  let value: Value
}

/// The library writes services to memory that the caller has: a word, some words on the stack, or an allocation.
@Suite("Services of any size") struct ParameterMemoryTests {
  /// Checks that a factory, and a caller of the container, receive what a factory has made. The service is a singleton,
  /// transient or scoped, and registered in the asked container, a parent or a linked container.
  private func expectReceived<Value: Equatable & Sendable>(_ value: Value) async throws {
    for scope in [Scope.singleton, .transient, .scoped] {
      let owner = Container {
        Registration(Value.self, scope: scope) { _ in value }
        Registration(Value.self, scope: scope) { _ in value }.key("keyed")
        Registration(Received<Value>.self, scope: .transient) { Received(value: try $0.resolve()) }
        Registration(autowired: Received<Value>.self, scope: .transient, initializer: Received.init).key("autowired")
        Registration(Received<Value>.self, scope: .transient) { Received(value: try $0.resolve(key: "keyed")) }
          .key("keyed")
      }
      let linked = Container()
      linked.link(owner)
      for container in [owner, owner.makeChild().makeChild(), linked] {
        // The first resolve builds a kept instance; the others copy it.
        for _ in 0..<3 {
          #expect(try sync { try container.resolve(Received<Value>.self).value } == value)
          #expect(try sync { try container.resolve(Received<Value>.self, key: "autowired").value } == value)
          #expect(try sync { try container.resolve(Received<Value>.self, key: "keyed").value } == value)
          #expect(try sync { try container.resolve(Value.self) } == value)
          #expect(try sync { try container.resolve(Value.self, key: "keyed") } == value)
          let asynchronously: Value = try await container.resolve()
          #expect(asynchronously == value)
        }
      }
    }
  }

  @Test func servicesOfAnySizeAndAlignmentAreReceivedWhole() async throws {
    try await expectReceived(Int8(-3))
    try await expectReceived(2.5)
    try await expectReceived("a text that is not in the string itself")
    try await expectReceived(SIMD4<Float>(1, 2, 3, 4))
    try await expectReceived(SIMD8<Double>(repeating: 3))
    try await expectReceived(["six": [7]])
    try await expectReceived(Either.nothing)
    try await expectReceived(Either.pair(Pair(number: 5, token: ObjectLifetime().token())))
    let token = ObjectLifetime().token()
    try await expectReceived(Pair(number: 1, token: token))
    try await expectReceived(Large(pair: Pair(number: 2, token: token)))
  }

  @Test func aReceivedServiceIsReleasedWithItsCopies() throws {
    let lifetime = ObjectLifetime()
    do {
      let container = Container {
        Registration(Large.self, scope: .singleton) { _ in Large(pair: Pair(number: 1, token: lifetime.token())) }
        Registration(Received<Large>.self, scope: .transient) { Received(value: try $0.resolve()) }
      }
      for _ in 0..<3 { _ = try container.resolve(Received<Large>.self) }
      let copy = try container.makeChild().resolve(Received<Large>.self)
      withExtendedLifetime((container, copy)) { #expect(!lifetime.hasEnded) }
    }
    #expect(lifetime.hasEnded)
  }

  @Test func aFailedFactoryLeavesTheMemoryEmpty() async throws {
    let container = Container {
      Registration(Large.self, scope: .singleton) { _ in throw Boom() }
      Registration(Received<Large>.self, scope: .transient) { Received(value: try $0.resolve()) }
    }
    for container in [container, container.makeChild()] {
      #expect(throws: Boom.self) { try sync { try container.resolve(Large.self) } }
      #expect(throws: Boom.self) { try sync { try container.resolve(Received<Large>.self) } }
      await #expect(throws: Boom.self) { try await container.resolve(Received<Large>.self) }
    }
  }
}
