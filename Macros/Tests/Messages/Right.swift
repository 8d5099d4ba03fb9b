// expected: nothing
import ActorDIMacros

protocol Store: Sendable {}
final class Cache: Store {}

@Injectable(as: (any Store).self, scope: .singleton) final class Files: Store {
  init(@Key("cache") cache: any Store, @UseDefault limit: Int = 3) async throws {}
}

@InjectedParameters(ignoring: "file") func store(file: String, in store: any Store) {}

let container = Container {
  Files.registration
  Registration((any Store).self) { _ in Cache() }.key("cache")
}

func run() async throws {
  try store(file: "a", from: container)
}
