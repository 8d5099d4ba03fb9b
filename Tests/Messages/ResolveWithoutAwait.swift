// In asynchronous code, the call is the asynchronous one.
// expected: error: expression is 'async' but is not marked with 'await'
import ActorDI

func run(_ container: Container) async throws -> Int { try container.resolve(Int.self) }
