import ActorDITestSupport
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

@Suite("Dynamic type probe")
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
    let instance = Instance(holding: service)
    return binding.isKnownAsComplete(at: instance.box.memory)
  }

  @Test func eachTypeHasItsLayout() {
    #expect(
      [
        probe(Int.self), probe(Value.self), probe([Value].self), probe((Int, Value).self), probe((any Noted.Type).self),
      ] == [.fixed, .fixed, .fixed, .fixed, .fixed])
    #expect([probe(Base.self), probe(Probe.self)] == [.firstObject, .firstObject])
    #expect(
      [probe((any ClassBound).self), probe((any Base & Another).self), probe(AnyObject.self)]
        == [.object, .object, .object])
    #expect(
      [
        probe((any Noted).self), probe((any Noted & Another).self), probe((any Constrained<Int>).self),
        probe((any Sendable).self), probe(Any.self),
      ] == [.payload, .payload, .payload, .payload, .payload])
    #expect([probe((any Error).self), probe(Value?.self)] == [.unknown, .unknown])
  }

  @Test func aBindingRecognisesTheTypeOfAnEarlierInstance() throws {
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

  @Test func theFirstInstanceDeterminesTheResultForItsClass() throws {
    #expect(try knows(Derived(), after: Base(), as: Base.self))
    #expect(try knows(Base(), after: Derived(), as: Base.self))
  }

  @Test func aConformingFirstInstanceDeterminesNothing() throws {
    let container = Container { Registration(Base.self) { _ in throw Boom() } }
    let binding = try #require(container.locate(ServiceIdentity(Base.self))).binding
    #expect(!binding.isComplete(Instance(holding: Initialised() as Base)))
    #expect(binding.isComplete(Instance(holding: Base())))
    #expect(!knows(binding, Base()))
    #expect(!binding.isComplete(Instance(holding: Initialised() as Base)))
  }

  @Test func aBindingDoesNotRecogniseAnotherType() throws {
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
