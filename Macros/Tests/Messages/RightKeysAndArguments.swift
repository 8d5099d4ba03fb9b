// expected: nothing
import ActorDIMacros

final class Cache: Sendable {}
enum Names: String { case users }
enum Tokens { static let cache = ServiceKey<Cache>("cache") }
let other = ServiceKey<Cache>("other")

@Injectable final class Users: Sendable {
  init(
    @Key(Tokens.cache) cache: Cache, @Key(other) second: Cache, @Key(Names.users) third: Cache,
    @Key("a" + "b") fourth: Cache?, @Key(1.5) fifth: [Cache]
  ) {}
}

@Injectable final class Timer: Sendable {
  let tick: @Sendable () -> Int
  init(@Argument tick: @escaping @Sendable () -> Int, @Argument _ again: @escaping @Sendable (Int) async -> Void) {
    self.tick = tick
  }
}

@Injectable final class Alarm: Sendable {
  @Argument let ring: @Sendable () -> Void
}

@Injectable actor Window {
  @MainActor init(cache: Cache) {}
}

@Injectable struct Settings: Sendable {
  var limit: Optional<Int>
  var title: String?
}

@Injectable final class Sizes: Sendable {
  let `max size`: Int
  let `default`: Cache
  // A regression: warnings that the labels of the call need no backticks.
  let `var`: Cache
  let `let`: Cache
  let `inout`: Cache
}

@propertyWrapper struct Counted {
  private(set) var wrappedValue = 0
}

// A regression: a wrapper with a value of its own was a dependency, and could not be marked.
@Injectable struct Row: Sendable {
  let cache: Cache
  @UseDefault @Counted var count: Int
}

@Injectable final class Table {
  let cache: Cache
  @UseDefault @Counted var count: Int
}

func resolve(in container: Container) throws {
  _ = try container.resolve(
    Timer.self, arguments: { 1 } as @Sendable () -> Int, { _ in } as @Sendable (Int) async -> Void)
}
