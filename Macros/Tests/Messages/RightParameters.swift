// expected: nothing
// A regression: parameters without a name, packs and asynchronous autoclosures made generated code that did not compile.
import ActorDIMacros

struct Store: Sendable {}
struct Other: Sendable {}

@InjectedParameters(ignoring: "values")
func store<each Value>(_ values: repeat each Value, in store: Store) {}

@InjectedParameters
func open(@Argument _: Int, @Argument name _: String = "", store _: Store) {}

@InjectedParameters(ignoring: "value")
func log(_ value: @autoclosure () async throws -> Int, to store: Store) async rethrows {}

@Graph struct AppGraph {
  @Provides func store() -> Store { Store() }
  @Provides func other() -> Other { Other() }
  @Provides func text(_: Store, other _: Other) -> String { "" }
  @Provides func number(@Argument _: Double, @Argument label _: Int, _: Store) -> Int { 0 }
}

func use(_ number: Int) async throws {
  try store(1, "a")
  try open(1)
  try open(1, name: "a", from: Container.current)
  try await log(number)
  let wiring = AppGraph().wired()
  _ = wiring.text()
  _ = wiring.number(0.5, label: 1)
}
