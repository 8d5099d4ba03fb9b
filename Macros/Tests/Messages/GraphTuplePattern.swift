// expected: error: '(width, height)' is several properties in one: declare each on a line of its own
import ActorDIMacros

@Graph struct AppGraph {
  let (width, height): (Int, Int)
}
