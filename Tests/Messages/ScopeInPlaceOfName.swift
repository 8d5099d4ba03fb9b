// withScope takes a name, and not a scope.
// expected: error: type 'ScopeName' has no member 'scoped'
import ActorDI

func run(_ container: Container) async throws {
  try await container.withScope(.scoped("request")) { _ in }
}
