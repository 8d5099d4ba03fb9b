// A regression: "protocol '_Provisions' cannot be nested in a generic context", in the generated code.
// expected: error: graph 'Graph' stands in something generic, where Swift allows no protocols, which its check needs: move it out
import ActorDIMacros

struct Feature<Screen> {
  @Graph struct Graph {
    @Provides func number() -> Int { 7 }
  }
}
