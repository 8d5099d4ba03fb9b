// expected: error: '@Include' marks a property that holds a graph: put it there
import ActorDIMacros

@Graph struct Core {}

@Graph struct AppGraph {
  @Include func core() -> Core { Core() }
}
