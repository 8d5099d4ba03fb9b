// The label of a single argument in other containers.
// expected: error: 'resolve\(_:argument:\)' is unavailable: the label is 'arguments:', for one argument, too
// unexpected: expected '_:key:'
import ActorDI

final class Page: Sendable {}
func page(_ container: Container) async throws -> Page { try await container.resolve(Page.self, argument: "title") }
