import ActorDITestSupport
import Testing

@testable import ActorDI

/// A value with a reference that is released with it.
private struct Pair: Sendable {
  let number: Int8
  let token: ObjectLifetime.Token
}

private enum Either: Sendable {
  case token(ObjectLifetime.Token)
  case none
}

private struct Large: Sendable {
  let words = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  let token: ObjectLifetime.Token
}

@Suite("Boxes") struct BoxTests {
  /// Boxes a value as an instance of a static type, without opening existentials.
  private func held<Value>(_ value: Value, as type: Value.Type = Value.self) -> Instance { Instance(holding: value) }

  private func expectAligned<Value: Equatable>(_ value: Value) {
    let instance = held(value)
    let address = unsafe UInt(bitPattern: instance.box.memory(of: Value.self))
    #expect(address.isMultiple(of: UInt(MemoryLayout<Value>.alignment)))
    #expect(instance.value(as: Value.self) == value)
  }

  @Test func aBoxAlignsItsValue() {
    for _ in 0..<100 {
      expectAligned(Int8(1))
      expectAligned(2.5)
      expectAligned("a text that is not in the string itself")
      expectAligned(SIMD4<Float>(1, 2, 3, 4))
      expectAligned(SIMD8<Double>(repeating: 3))
      expectAligned(SIMD64<UInt8>(repeating: 4))
      expectAligned(Int?.some(5))
      expectAligned(["six": [7]])
    }
  }

  @Test func aBoxHoldsAValueWithoutSize() {
    struct Nothing: Equatable {}
    expectAligned(Nothing())
    #expect(held(()).type is Void.Type)
  }

  /// Checks that a value's references live exactly as long as its box.
  private func expectEndsWithItsBox<Value>(
    as type: Value.Type = Value.self, _ make: (ObjectLifetime.Token) -> Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lifetime = ObjectLifetime()
    do {
      let instance = held(make(lifetime.token()), as: type)
      #expect(instance.type is Value.Type, sourceLocation: sourceLocation)
      for _ in 0..<3 { _ = instance.value(as: type) }
      _ = instance.anyValue
      instance.borrow(as: type) { _ in #expect(!lifetime.hasEnded, sourceLocation: sourceLocation) }
      withExtendedLifetime(instance) { #expect(!lifetime.hasEnded, sourceLocation: sourceLocation) }
    }
    #expect(lifetime.hasEnded, sourceLocation: sourceLocation)
  }

  @Test func freeingABoxReleasesItsValue() {
    expectEndsWithItsBox { $0 }
    expectEndsWithItsBox(as: (any Sendable).self) { $0 }
    expectEndsWithItsBox(as: AnyObject.self) { $0 }
    expectEndsWithItsBox(as: Any.self) { Pair(number: 1, token: $0) }
    expectEndsWithItsBox { Pair(number: 1, token: $0) }
    expectEndsWithItsBox { Either.token($0) }
    expectEndsWithItsBox { Large(token: $0) }
    expectEndsWithItsBox { [$0] }
    expectEndsWithItsBox(as: (Int8, ObjectLifetime.Token).self) { (1, $0) }
    expectEndsWithItsBox(as: (() -> ObjectLifetime.Token).self) { token in { token } }
    #expect(held(Either.none).type is Either.Type)
  }

  /// Moves a value from memory to an instance and back, and checks that it ends once.
  private func expectMoves<Value>(as type: Value.Type = Value.self, _ make: (ObjectLifetime.Token) -> Value) {
    let lifetime = ObjectLifetime()
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    let memory = unsafe ServiceMemory(pointer)
    memory.initialize(as: type, to: make(lifetime.token()))
    memory.take(as: type).write(to: memory)
    memory.borrow(as: type) { _ in #expect(!lifetime.hasEnded) }
    memory.deinitialize(as: type)
    #expect(lifetime.hasEnded)
    unsafe pointer.deallocate()
  }

  @Test func aServiceMovesFromItsMemoryToAnInstance() {
    expectMoves { $0 }
    expectMoves(as: (any Sendable).self) { $0 }
    expectMoves(as: Any.self) { Pair(number: 1, token: $0) }
    expectMoves { Pair(number: 1, token: $0) }
    expectMoves { Either.token($0) }
    expectMoves { Large(token: $0) }
    expectMoves { [$0] }
    expectMoves(as: (() -> ObjectLifetime.Token).self) { token in { token } }
  }

  @Test func aCopyOutlivesItsBox() {
    let lifetime = ObjectLifetime()
    var token: ObjectLifetime.Token? = held(lifetime.token()).value(as: ObjectLifetime.Token.self)
    withExtendedLifetime(token) { #expect(!lifetime.hasEnded) }
    token = nil
    #expect(lifetime.hasEnded)
  }
}

@Suite("Factories") struct FactoryTests {
  private let resolver = Resolver(container: Container())

  @Test func aFactoryReturnsItsClosuresResult() throws {
    let factory = Factory { _ in "made" }
    #expect(try factory.makeInstance(of: String.self, resolver, nil).value(as: String.self) == "made")
    let passing = Factory { try factory.write($0, $1, $2) }
    #expect(try passing.makeInstance(of: String.self, resolver, nil).value(as: String.self) == "made")
  }

  @Test func aFactoryTakesTheArgumentsOfARequest() throws {
    let factory = Factory(taking: { (_, text: String, count: Int) in "\(text)\(count)" })
    let arguments = Arguments.of("a", 2)
    #expect(try factory.makeInstance(of: String.self, resolver, arguments).value(as: String.self) == "a2")
    let error = #expect(throws: ResolutionError.self) { try factory.makeInstance(of: String.self, resolver, nil) }
    #expect(error?.code == .argumentMismatch)
    let withoutArguments = Factory(taking: { (_: Resolver) in "none" })
    #expect(try withoutArguments.makeInstance(of: String.self, resolver, .of()).value(as: String.self) == "none")
  }

  @Test func aFactoryKeepsTheStaticTypeOfAnExistential() throws {
    let factory = Factory { _ -> any Greeter in Polite() }
    let instance = try factory.makeInstance(of: (any Greeter).self, resolver, nil)
    #expect(ObjectIdentifier(instance.type) == ObjectIdentifier((any Greeter).self))
    #expect(instance.value(as: (any Greeter).self) is Polite)
    #expect(instance.anyValue is Polite)
  }

  @Test func aFailedFactoryReleasesEverything() throws {
    let lifetime = ObjectLifetime()
    do {
      let token = lifetime.token()
      let factory = Factory { _ -> Pair in
        let pair = Pair(number: 1, token: token)
        if pair.number == 1 { throw Boom() }
        return pair
      }
      #expect(throws: Boom.self) { _ = try factory.makeInstance(of: Pair.self, resolver, nil) }
      #expect(throws: Boom.self) {
        let passing = Factory { try factory.write($0, $1, $2) }
        _ = try passing.makeInstance(of: Pair.self, resolver, nil)
      }
    }
    #expect(lifetime.hasEnded)
  }
}
