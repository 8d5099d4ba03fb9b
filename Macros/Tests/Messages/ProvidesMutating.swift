// A regression: two errors in generated code.
// expected: error: provider 'number' is mutating, but a graph never changes: remove 'mutating'
import ActorDIMacros

@Graph struct AppGraph {
  @Provides mutating func number() -> Int { 7 }
}
