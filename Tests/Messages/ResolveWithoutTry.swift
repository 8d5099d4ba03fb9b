// resolve throws.
// expected: error: call can throw but is not marked with 'try'
import ActorDI

func run(_ container: Container) async throws -> Int { await container.resolve(Int.self) }
