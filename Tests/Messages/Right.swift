// A program without a mistake: the flags that the others are compiled with are right.
// expected: nothing
import ActorDI
import Testing

protocol Store: Sendable {}
final class Cache: Store {
  init(size: Int) {}
}

let container = Container {
  Registration(autowired: Cache.self, initializer: Cache.init(size:)).implements((any Store).self) { $0 }
  Registration(Int.self) { _ in 3 }
}

@Test func resolves() async throws {
  try await container.withOverrides {
    Registration(Int.self) { _ in 4 }
  } operation: {
    let store = try await container.resolve((any Store).self)
    #expect(store is Cache)
  }
}
