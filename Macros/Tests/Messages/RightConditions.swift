// expected: nothing
// flags: -D FIRST
import ActorDIMacros

struct Store: Sendable {}
final class Cache: Sendable {}

@Graph struct AppGraph {
  #if FIRST
    @Provides func store() -> Store { Store() }
  #else
    @Provides func store() -> Missing { Missing() }
  #endif
  #if os(Linux) || os(macOS)
    #if !FIRST
      @Provides func number(store: Missing) -> Int { 0 }
    #else
      @Provides func number(store: Store) -> Int { 0 }
    #endif
  #endif
  #if canImport(Foundation)
    func helper() {}
  #endif
}

@Injectable final class Users: Sendable {
  #if FIRST
    init(cache: Cache) {}
  #else
    init() {}
  #endif
}

@Injectable final class Part: Sendable {
  #if FIRST
    let cache: Cache
  #endif
}

@Unimplemented protocol Mailer: Sendable {
  #if FIRST
    func send()
  #endif
}

func use() throws {
  _ = AppGraph().wired().number()
  _ = Part(cache: Cache())
  UnimplementedMailer { _ in }.send()
}
