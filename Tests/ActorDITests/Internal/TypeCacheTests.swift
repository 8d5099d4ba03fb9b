import Synchronization
import Testing

@testable import ActorDI

private struct Link<Rest> {}
private struct Fork<Rest> {}

@Suite("What is known of types")
struct TypeCacheTests {
  /// More types than the cache has places, so that many share one.
  private static let types: [any Any.Type] = {
    func link<Rest>(_ type: Rest.Type) -> any Any.Type { Link<Rest>.self }
    func fork<Rest>(_ type: Rest.Type) -> any Any.Type { Fork<Rest>.self }
    var types: [any Any.Type] = [Int.self]
    while types.count < 1_000 {
      let rest = types[(types.count - 1) / 2]
      types.append(types.count % 2 == 0 ? link(rest) : fork(rest))
    }
    return types
  }()

  @Test func eachTypeIsComputedOnce() {
    let cache = TypeCache<Int>()
    var computed = 0
    for _ in 0..<2 {
      for (index, type) in Self.types.enumerated() {
        let value = cache.value(of: type) {
          computed += 1
          return index
        }
        #expect(value == index)
      }
    }
    #expect(computed == Self.types.count)
  }

  @Test func threadsThatComputeAtTheSameTimeGetOneValue() async {
    final class Shared: Sendable {
      let cache = TypeCache<Int>()
      let last = Atomic(0)
    }
    let shared = Shared()
    let answers = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask {
          Self.types.map { type in
            shared.cache.value(of: type) { shared.last.add(1, ordering: .relaxed).newValue }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0 == answers[0] })
    #expect(Set(answers[0]).count == Self.types.count)
  }
}
