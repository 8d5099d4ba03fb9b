// A token stands where a key does.
// expected: error: 'resolve\(_:key:\)' is unavailable: a token needs no type and no label: resolve\(.token\)
// unexpected: type 'Hashable' has no member
import ActorDI

extension ServiceKey where Service == String { static var title: Self { Self("title") } }
func title(_ container: Container) async throws -> String { try await container.resolve(String.self, key: .title) }
