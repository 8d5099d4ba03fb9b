// Nothing states the type of the service.
// expected: error: 'resolve\(\)' is unavailable: name the service: resolve\(T.self\)
// expected: error: 'resolve\(key:\)' is unavailable: name the service: resolve\(T.self, key: …\)
// unexpected: failed to produce diagnostic
import ActorDI

func pages(_ container: Container) async throws {
  let first = try await container.resolve()
  let second = try await container.resolve(key: "second")
  _ = (first, second)
}
