import Testing

@testable import ActorDI

private protocol Wrapped: Sendable {}
private struct Plain: Wrapped {}
private struct Ending: Disposable {
  func dispose() async throws {}
}
private final class Beginning: PostInitialization {
  func didInitialize() async throws {}
}
private class Base {}
private final class Derived: Base, ResolutionAware, @unchecked Sendable {
  func didResolve() async {}
}
private struct Both: Disposable, PostInitialization {
  func didInitialize() async throws {}
  func dispose() async throws {}
}
private struct Idle: LifecycleParticipant {}
private struct Wrapping<Rest: Wrapped>: Wrapped {}
private struct Folded<Rest: Wrapped>: Wrapped {}

@Suite("What the runtime says of types")
struct TypeFactsTests {
  @Test(arguments: 0..<3)
  func ofTypes(_ round: Int) {
    #expect(TypeFacts.of(Plain.self) == [])
    #expect(TypeFacts.of(Idle.self) == [])
    #expect(TypeFacts.of(Ending.self) == .isDisposable)
    #expect(TypeFacts.of(Beginning.self) == .completesAsynchronously)
    #expect(TypeFacts.of(Base.self) == [])
    #expect(TypeFacts.of(Derived.self) == .completesAsynchronously)
    #expect(TypeFacts.of(Both.self) == [.isDisposable, .completesAsynchronously])
    #expect(TypeFacts.of((any Disposable).self) == [])
    #expect(TypeFacts.of(Ending?.self) == [])
  }

  @Test func ofInstances() {
    func facts<Value>(_ value: Value) -> TypeFacts { TypeFacts.of(instance: value).facts }
    #expect(facts(Plain()) == [])
    #expect(facts(Ending() as Any) == .isDisposable)
    #expect(facts(Derived() as Base) == .completesAsynchronously)
    #expect(facts(Base()) == [])
    #expect(facts(Beginning() as AnyObject) == .completesAsynchronously)
    // A cast looks through these wrappers.
    #expect(facts(Optional(Ending())) == .isDisposable)
    #expect(facts(Optional<Ending>.none) == [])
    #expect(facts(Optional(Optional(Both()))) == [.isDisposable, .completesAsynchronously])
  }

  @Test func whichTypeIsRemembered() {
    #expect(TypeFacts.of(instance: Derived() as Base).type == Derived.self)
    #expect(TypeFacts.of(instance: 1 as Any).type == Int.self)
    #expect(TypeFacts.of(instance: Optional(Plain())).type == nil)
    #expect(TypeFacts.of(instance: AnyHashable(1)).type == nil)
  }

  /// Many threads ask for more types than the cache holds. Types that share an entry do not get each other's facts.
  @Test func moreTypesThanPlaces() async {
    func wrapped<Rest: Wrapped>(_ type: Rest.Type) -> any Wrapped.Type { Wrapping<Rest>.self }
    func other<Rest: Wrapped>(_ type: Rest.Type) -> any Wrapped.Type { Folded<Rest>.self }
    var types: [any Wrapped.Type] = [Plain.self]
    while types.count < 3_000 {
      let rest = types[(types.count - 1) / 2]
      types.append(types.count % 2 == 0 ? wrapped(rest) : other(rest))
    }
    #expect(Set(types.map { ObjectIdentifier($0) }).count == types.count)
    let all = types
    await withTaskGroup { group in
      for part in 0..<8 {
        group.addTask {
          for index in all.indices where index % 8 <= part {
            #expect(TypeFacts.of(all[index]) == [])
            if index % 50 == 0 {
              #expect(TypeFacts.of(Both.self) == [.isDisposable, .completesAsynchronously])
            }
          }
        }
      }
    }
  }

  @Test func kinds() {
    #expect(TypeKind(of: Plain.self) == .structure)
    #expect(TypeKind(of: Bool?.self) == .optional)
    #expect(TypeKind(of: Result<Int, any Error>.self) == .enumeration)
    #expect(TypeKind(of: (Int, Int).self) == .tuple)
    #expect(TypeKind(of: Base.self) == .class)
    #expect(TypeKind(of: (() -> Void).self) == .function)
    #expect(TypeKind(of: Plain.Type.self) == .metatype)
    #expect(TypeKind(of: (any Sendable.Type).self) == .metatype)
    #expect(TypeKind(of: (any Disposable).self) == .existential)
  }
}
