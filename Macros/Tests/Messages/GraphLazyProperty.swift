// A regression: two errors in generated code.
// expected: error: property 'number' is lazy, so reading it changes the graph: remove 'lazy'
import ActorDIMacros

@Graph struct AppGraph {
  lazy var number: Int = 7
}
