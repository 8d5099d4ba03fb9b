// expected: nothing
import ActorDIMacros

@Unimplemented protocol `default`: Sendable {
  func merge(_ other: Self, with others: [Self]) -> Self
  nonmutating func store(_ value: Int)
  mutating func change()
  var limit: Int? { get nonmutating set }
  subscript(other: Self) -> [Self] { get }
}

func make() -> any `default` { Unimplementeddefault { _ in } }
