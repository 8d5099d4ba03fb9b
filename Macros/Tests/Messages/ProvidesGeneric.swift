// expected: error: provider 'list' is generic, so it returns no certain service: write one for each type
import ActorDIMacros

@Graph struct AppGraph {
  @Provides func list<Element>() -> [Element] { [] }
}
