// expected: nothing
import ActorDIMacros

final class Part: Sendable { init() {} }
struct Shelf: Sendable {}
struct Index: Sendable {}

@Graph struct AppGraph {
  @Provides(scope: .scoped) func part(shelf: Shelf) -> Part { Part() }
  @Provides(scope: .singleton) func shelf(parts: Lazy<[Part]>, maybe: Provider<Part?>) -> Shelf { Shelf() }
  @Provides(scope: .singleton) func index(parts: Provider<[Part]>, last: Lazy<Optional<Part>>) -> Index { Index() }
}
