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

@Suite("Type facts")
struct TypeFactsTests {
  @Test(arguments: 0..<3)
  func theFactsOfATypeAreItsConformances(_ round: Int) {
    let facts = [
      TypeFacts.of(Plain.self), TypeFacts.of(Idle.self), TypeFacts.of(Ending.self), TypeFacts.of(Beginning.self),
      TypeFacts.of(Base.self), TypeFacts.of(Derived.self), TypeFacts.of(Both.self),
      TypeFacts.of((any Disposable).self), TypeFacts.of(Ending?.self),
    ]
    #expect(
      facts == [
        [], [], .isDisposable, .completesAsynchronously, [], .completesAsynchronously,
        [.isDisposable, .completesAsynchronously], [], [],
      ])
  }

  @Test func theFactsOfAnInstanceAreThoseOfItsDynamicType() {
    func facts<Value>(_ value: Value) -> TypeFacts { TypeFacts.of(instance: value).facts }
    let found = [
      facts(Plain()), facts(Ending() as Any), facts(Derived() as Base), facts(Base()), facts(Beginning() as AnyObject),
    ]
    #expect(found == [[], .isDisposable, .completesAsynchronously, [], .completesAsynchronously])
    // A cast looks through these wrappers.
    let wrapped = [facts(Optional(Ending())), facts(Optional<Ending>.none), facts(Optional(Optional(Both())))]
    #expect(wrapped == [.isDisposable, [], [.isDisposable, .completesAsynchronously]])
  }

  @Test func anInstancesTypeIsKnownUnlessItIsWrapped() {
    #expect(TypeFacts.of(instance: Derived() as Base).type == Derived.self)
    #expect(TypeFacts.of(instance: 1 as Any).type == Int.self)
    #expect(TypeFacts.of(instance: Optional(Plain())).type == nil)
    #expect(TypeFacts.of(instance: AnyHashable(1)).type == nil)
  }

  /// Many threads ask for more types than the cache holds. Types that share an entry do not get each other's facts.
  @Test func typesThatShareACacheEntryKeepTheirOwnFacts() async {
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

  @Test func eachTypeHasItsKind() {
    let kinds = [
      TypeKind(of: Plain.self), TypeKind(of: Bool?.self), TypeKind(of: Result<Int, any Error>.self),
      TypeKind(of: (Int, Int).self), TypeKind(of: Base.self), TypeKind(of: (() -> Void).self),
      TypeKind(of: Plain.Type.self), TypeKind(of: (any Sendable.Type).self), TypeKind(of: (any Disposable).self),
    ]
    #expect(
      kinds == [
        .structure, .optional, .enumeration, .tuple, .class, .function, .metatype, .metatype, .existential,
      ])
  }
}
