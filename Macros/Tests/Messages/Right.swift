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
  ActorDI.Registration((any Store).self) { _ in Cache() }.key("cache")
}

func run() async throws {
  try store(file: "a", from: container)
}

// Names that shadow the library's, that are keywords, and types in other types and in functions.
struct Registration {}

@Injectable final class `Default`: Sendable {
  let `default`: Int
  let resolver: Resolver
}

@Injectable @MainActor class Large {
  required init(a: Int, _ f: @escaping @Sendable @MainActor (Int) -> Void, pair: (Int, String), list: consuming [Int]) {
  }
}

struct Outer<Element: Sendable> {
  @Injectable struct Inner<Other: Sendable>: Sendable {
    let element: Element
    let other: Other
  }
}

func local() -> [Any] {
  @Injectable struct Local { let size: Int }
  return [Local.registration, Outer<Int>.Inner<String>.registration, Large.registration, Default.registration]
}
