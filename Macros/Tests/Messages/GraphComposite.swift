// expected: nothing
import ActorDIMacros

protocol Check: Sendable {}
struct One: Check {}
struct All: Check { let checks: [any Check] }

@Graph struct AppGraph {
  @Provides(key: "one") func one() -> any Check { One() }
  @Provides func all(checks: [any Check]) -> any Check { All(checks: checks) }
}
