// expected: nothing
// A regression: names with spaces and quotes, and types on several lines, made generated code that did not compile.
import ActorDIMacros

@Unimplemented protocol `mail "box"`: Sendable {
  func `say "hi"`(`to all`: Int) throws
  var `a "name"`: Int { get }
}

func double() -> any `mail "box"` { `Unimplementedmail "box"` { _ in } }

struct Store: Sendable {}

@Graph struct AppGraph {
  @Provides func store() -> Store { Store() }
  @Provides func `say "hi"`(store: Lazy<Store>) -> String { "" }
  @Provides(
    scope: .pooled(
      max: 3))
  func number(
    // Later.
    store: Lazy<
      Store
    >
  ) -> Int { 0 }
}
