import Testing

@testable import ActorDI

private protocol Constrained<Element>: Sendable {
  associatedtype Element
}
private protocol Another: Sendable {}
private struct Value: Noted, Constrained, Another {
  typealias Element = Int
  let name = "value"
}
private class Base: Noted, Constrained, Another, @unchecked Sendable {
  typealias Element = Int
  var name: String { "base" }
}
private final class Derived: Base, @unchecked Sendable {}
private final class Initialised: Base, PostInitialization, @unchecked Sendable {
  func didInitialize() async throws {}
}

@Suite("Knowing an instance's type from its memory")
struct DynamicTypeProbeTests {
  private func probe<Service>(_ type: Service.Type) -> DynamicTypeProbe { DynamicTypeProbe(of: type) }

  /// Whether the binding knows `second` after it has seen `first`.
  private func knows<Service>(
    _ second: Service, after first: Service, as type: Service.Type = Service.self
  ) throws -> Bool {
    let container = Container { Registration(Service.self) { _ in throw Boom() } }
    let binding = try #require(container.locate(ServiceIdentity(Service.self))).binding
    #expect(!knows(binding, first))
    #expect(binding.isComplete(Instance(holding: first)))
    return knows(binding, second)
  }

  private func knows<Service>(_ binding: Binding, _ service: Service) -> Bool {
    unsafe withUnsafePointer(to: service) { unsafe binding.isKnownAsComplete(at: UnsafeRawPointer($0)) }
  }

  @Test func layouts() {
    #expect(probe(Int.self) == .fixed)
    #expect(probe(Value.self) == .fixed)
    #expect(probe([Value].self) == .fixed)
    #expect(probe((Int, Value).self) == .fixed)
    #expect(probe((any Noted.Type).self) == .fixed)
    #expect(probe(Base.self) == .firstObject)
    #expect(probe(Probe.self) == .firstObject)
    #expect(probe((any ClassBound).self) == .object)
    #expect(probe((any Base & Another).self) == .object)
    #expect(probe(AnyObject.self) == .object)
    #expect(probe((any Noted).self) == .payload)
    #expect(probe((any Noted & Another).self) == .payload)
    #expect(probe((any Constrained<Int>).self) == .payload)
    #expect(probe((any Sendable).self) == .payload)
    #expect(probe(Any.self) == .payload)
    #expect(probe((any Error).self) == .unknown)
    #expect(probe(Value?.self) == .unknown)
  }

  @Test func theSameTypeIsKnown() throws {
    #expect(try knows(Base(), after: Base()))
    #expect(try knows(Derived(), after: Derived(), as: Base.self))
    #expect(try knows(PlainService(), after: PlainService(), as: (any ClassBound).self))
    #expect(try knows(Value(), after: Value(), as: (any Noted).self))
    #expect(try knows(PlainValue(), after: PlainValue(), as: (any Noted).self))
    #expect(try knows(Derived(), after: Derived(), as: (any Noted).self))
    #expect(try knows(Derived(), after: Derived(), as: (any Noted & Another).self))
    #expect(try knows(Value(), after: Value(), as: (any Constrained<Int>).self))
    #expect(try knows(Base(), after: Base(), as: (any Constrained<Int>).self))
    #expect(try knows(Value(), after: Value(), as: (any Sendable).self))
    #expect(try knows(Base(), after: Base(), as: (any Sendable).self))
  }

  @Test func ofAClassTheFirstInstanceSettlesIt() throws {
    #expect(try knows(Derived(), after: Base(), as: Base.self))
    #expect(try knows(Base(), after: Derived(), as: Base.self))
  }

  @Test func unlessTheFirstOneConforms() throws {
    let container = Container { Registration(Base.self) { _ in throw Boom() } }
    let binding = try #require(container.locate(ServiceIdentity(Base.self))).binding
    #expect(!binding.isComplete(Instance(holding: Initialised() as Base)))
    #expect(binding.isComplete(Instance(holding: Base())))
    #expect(!knows(binding, Base()))
    #expect(!binding.isComplete(Instance(holding: Initialised() as Base)))
  }

  @Test func anotherTypeIsNot() throws {
    let derivedAsBase: Base = Derived()
    #expect(try !knows(Value(), after: PlainValue(), as: (any Noted).self))
    #expect(try !knows(Value(), after: Base(), as: (any Noted).self))
    #expect(try !knows(Base(), after: Value(), as: (any Noted).self))
    #expect(try !knows(derivedAsBase, after: Base(), as: (any Noted).self))
    #expect(try !knows(derivedAsBase, after: Derived(), as: (any Noted).self))
    #expect(try !knows(derivedAsBase, after: Base(), as: (any Constrained<Int>).self))
    #expect(try !knows(PostInitialized(), after: PlainService(), as: (any ClassBound).self))
    // The next optional may hold a conforming value; the layout of `any Error` is not examined.
    #expect(try !knows(nil, after: nil, as: Value?.self))
    #expect(try !knows(Boom(), after: Boom(), as: (any Error).self))
  }
}
